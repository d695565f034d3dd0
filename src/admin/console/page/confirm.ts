import { byId, html, setText, show } from './html.ts';

/**
 * Asks the operator; the focus is on what changes nothing.
 * @param verb on the button that says yes. @param lines below the question. @returns true for yes.
 */
export function confirmed(
  question: string,
  verb: string,
  { lines = [], isDanger = true }: { lines?: readonly string[]; isDanger?: boolean } = {},
): Promise<boolean> {
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
