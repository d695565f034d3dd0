import { byId, html, setText, show } from './html.ts';

/**
 * Asks the operator to confirm; the focus is on the button that cancels.
 * @param verb on the confirm button. @param lines below the question. @returns true if confirmed.
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
