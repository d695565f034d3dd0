import { byId, html, setText, show } from './html.js';

/**
 * Asks the operator; the focus is on what changes nothing.
 * @param {string} question @param {string} verb on the button that says yes.
 * @param {{ lines?: readonly string[], isDanger?: boolean }} [options] lines below the question, one a row.
 * @returns {Promise<boolean>} true for yes.
 */
export function confirmed(question, verb, { lines = [], isDanger = true } = {}) {
  const dialog = byId('confirmar', HTMLDialogElement);
  setText(byId('confirmar-texto'), question);
  setText(byId('confirmar-sim'), verb);
  byId('confirmar-sim').classList.toggle('perigo', isDanger);
  byId('confirmar-linhas').hidden = lines.length === 0;
  show(
    'confirmar-linhas',
    lines.map((line) => html`<li>${line}</li>`),
  );
  dialog.returnValue = 'nao';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'sim'), { once: true });
  });
}
