/** Shows a field's error below the form, in the page's language, instead of the browser's bubble. */
export function startFields() {
  // Some of these events do not bubble in every browser, so they are captured.
  document.addEventListener('invalid', showMistake, true);
  for (const name of ['input', 'submit'])
    document.addEventListener(name, ({ target }) => clear(formOf(target)), true);
}

function showMistake(event: Event) {
  event.preventDefault();
  const field = event.target;
  const form = formOf(field);
  // Only a form's first error is shown.
  if (!(field instanceof HTMLInputElement) || form?.querySelector(':invalid') !== field) return;
  clear(form);
  const id = `${field.id === '' ? `campo-${field.name}` : field.id}-engano`;
  const place = document.createElement('p');
  Object.assign(place, { className: 'engano erro', id, role: 'alert' });
  place.textContent = `${field.labels?.[0]?.firstChild?.textContent?.trim()}: ${mistakeOf(field)}.`;
  form.append(place);
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-errormessage', id);
  field.focus();
}

/** @param target a field, or a form itself. */
function formOf(target: EventTarget | null) {
  if (target instanceof HTMLFormElement) return target;
  return target instanceof HTMLInputElement || target instanceof HTMLSelectElement ? target.form : null;
}

function clear(form: HTMLFormElement | null) {
  form?.querySelector('.engano')?.remove();
  for (const field of form?.querySelectorAll('[aria-invalid]') ?? []) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-errormessage');
  }
}

function mistakeOf({ type, validity, min, max, minLength }: HTMLInputElement) {
  if (type === 'number') return `use um número inteiro de ${min} a ${max}`;
  if (validity.tooShort) return `use ao menos ${minLength} caracteres`;
  return 'preencha este campo';
}
