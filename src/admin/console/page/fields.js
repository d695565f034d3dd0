import { h } from './dom.js';

/** Shows a field's mistake below the form in the page's language, instead of the browser's bubble. */
export function startFields() {
  // Some of these events do not bubble in every browser, so they are captured.
  document.addEventListener('invalid', (event) => showMistake(event), true);
  document.addEventListener('input', ({ target }) => clear(target.form), true);
  document.addEventListener('submit', ({ target }) => clear(target), true);
}

function showMistake(event) {
  event.preventDefault();
  const field = event.target;
  // Only the first mistake of a form is shown.
  if (field.form.querySelector(':invalid') !== field) return;
  clear(field.form);
  const id = `${field.id === '' ? `campo-${field.name}` : field.id}-engano`;
  field.form.append(
    h('p', { class: 'engano erro', id, role: 'alert' }, `${nameOf(field)}: ${mistakeOf(field)}.`),
  );
  field.setAttribute('aria-invalid', 'true');
  field.setAttribute('aria-errormessage', id);
  field.focus();
}

function clear(form) {
  if (!form) return;
  form.querySelector('.engano')?.remove();
  for (const field of form.querySelectorAll('[aria-invalid]')) {
    field.removeAttribute('aria-invalid');
    field.removeAttribute('aria-errormessage');
  }
}

function nameOf({ labels }) {
  return labels[0].firstChild.textContent.trim();
}

function mistakeOf({ type, validity, min, max, minLength }) {
  if (type === 'number') return `use um número inteiro de ${min} a ${max}`;
  if (validity.tooShort) return `use ao menos ${minLength} caracteres`;
  return 'preencha este campo';
}
