import { h } from './dom.js';

/** Says what is wrong with a field below it and in the page's language, in the place of the browser's own bubble. */
export function startFields() {
  // These two do not bubble, or not everywhere; they are met on their way down.
  document.addEventListener('invalid', (event) => showMistake(event), true);
  document.addEventListener('input', ({ target }) => clear(target.form), true);
  document.addEventListener('submit', ({ target }) => clear(target), true);
}

function showMistake(event) {
  event.preventDefault();
  const field = event.target;
  // The first of a form is told of; the others follow once it is mended.
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
