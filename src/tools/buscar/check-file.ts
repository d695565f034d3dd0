import type { Checked, Jurisprudencia, Veredito } from '../../client/client.ts';
import { CHECK_EXIT } from './exit.ts';
import { write } from './outputs.ts';
import { readDraft } from './draft.ts';
import { citedText, noteText } from './text.ts';

export interface CheckFileOptions {
  readonly isJson: boolean;
  readonly signal: AbortSignal;
}

/** Prints a verdict for each citation of a file, in order. @returns the exit code. */
export async function checkFile(
  api: Jurisprudencia,
  file: string,
  { isJson, signal }: CheckFileOptions,
): Promise<number> {
  const text = await readDraft(file);
  const counts = new Map<Veredito, number>();
  for await (const one of api.conferir(text, { signal })) {
    counts.set(one.veredito, (counts.get(one.veredito) ?? 0) + 1);
    await write(isJson ? `${jsonOf(one)}\n` : `${citedText(one)}\n\n`);
  }
  const summary = [...counts].map(([veredito, count]) => `${count} ${veredito}`).join(', ');
  process.stderr.write(noteText(summary === '' ? 'nenhuma citação de jurisprudência encontrada' : summary));
  const isWhole = [...counts.keys()].every((veredito) => veredito === 'confere');
  return isWhole ? CHECK_EXIT.confirmed : CHECK_EXIT.notConfirmed;
}

function jsonOf({ texto, inicio, fim, numero, veredito, ids }: Checked): string {
  return JSON.stringify({ texto, inicio, fim, numero, veredito, ids });
}
