import { byId, h, setText } from './dom.js';

/**
 * Asks the operator; the focus is on what changes nothing.
 * @param verb on the button that says yes. @param lines below the question, one a row.
 * @returns a promise of true for yes.
 */
export function confirmed(question, verb, { lines = [], isDanger = true } = {}) {
  const dialog = byId('confirmar');
  setText(byId('confirmar-texto'), question);
  setText(byId('confirmar-sim'), verb);
  byId('confirmar-sim').classList.toggle('perigo', isDanger);
  byId('confirmar-linhas').hidden = lines.length === 0;
  byId('confirmar-linhas').replaceChildren(...lines.map((line) => h('li', {}, line)));
  dialog.returnValue = 'nao';
  dialog.showModal();
  return new Promise((resolve) => {
    dialog.addEventListener('close', () => resolve(dialog.returnValue === 'sim'), { once: true });
  });
}
