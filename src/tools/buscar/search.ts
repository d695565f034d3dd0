import type { Jurisprudencia, Pagina, PedidoDeBusca } from '../../client/client.ts';
import { hasAnswer } from '../../client/page.ts';
import { isSentence } from '../../client/question.ts';
import { showProgress, type Progress } from '../../process/progress.ts';
import { COURT_WARNING, courtLines } from './court-language.ts';
import { EXIT } from './exit.ts';
import { outputOf, write, type Format } from './outputs.ts';
import { highlighter, noteText, recordText } from './text.ts';

export interface SearchOptions {
  readonly format: Format;
  readonly todas: boolean;
  /** The number of the result, from 1, whose record to show instead of the list. */
  readonly abrir: number | null;
  readonly signal: AbortSignal;
}

/** Prints a search to standard output and its warnings to standard error. @returns the exit code. */
export async function search(
  api: Jurisprudencia,
  pedido: PedidoDeBusca,
  { format, todas, abrir, signal }: SearchOptions,
): Promise<number> {
  const output = outputOf(format, pedido.q, todas);
  const foreign = courtLines(pedido.q, true);
  const printed = new Set(foreign.length === 0 ? [] : [COURT_WARNING]);
  let progress: Progress | null = null;
  let found = 0;
  let isPartial = false;
  let isSearched = false;
  try {
    for await (const given of api.paginas(pedido, { signal })) {
      // A suggestion costs quota, and a program does not read it.
      const page = format === 'text' ? await api.comSugestao(pedido, given, { signal }) : given;
      for (const line of [...foreign, ...page.avisos]) warnOnce(line, printed);
      isPartial ||= !page.completa;
      isSearched ||= page.completa || hasAnswer(page);
      if (abrir !== null)
        return isSearched ? await open(api, page, pedido, { abrir, format, signal }) : EXIT.noAnswer;
      await write(output.page(page));
      found += page.itens.length;
      if (!todas) {
        if (page.proximo_cursor !== null) warnOnce('há mais; --todas traz todas', printed);
        break;
      }
      // On a terminal the list itself shows the progress.
      if (!process.stdout.isTTY) progress ??= showProgress(totalOf(page), 'decisões');
      progress?.update(found, found);
    }
  } catch (error) {
    progress?.stop();
    if (signal.aborted && found > 0)
      warnOnce(`interrompido: ${found} decisões escritas, e pode haver mais`, printed);
    throw error;
  }
  progress?.stop();
  await write(output.end(isSearched));
  if (!isSearched) return EXIT.noAnswer;
  if (found === 0) for (const line of courtLines(pedido.q, false)) warnOnce(line, printed);
  if (found === 0 && isSentence(pedido.q))
    warnOnce('uma pergunta ou frase inteira se busca com --pergunta', printed);
  if (found === 0) warnOnce('não achar não prova que a decisão não existe na origem', printed);
  if (isPartial) return EXIT.partial;
  return found === 0 ? EXIT.nothing : EXIT.found;
}

async function open(
  api: Jurisprudencia,
  page: Pagina,
  pedido: PedidoDeBusca,
  { abrir, format, signal }: Omit<SearchOptions, 'todas'> & { readonly abrir: number },
): Promise<number> {
  const item = page.itens[abrir - 1];
  if (item === undefined) {
    process.stderr.write(`não há a ${abrir}ª decisão: a página tem ${page.itens.length}\n`);
    return page.completa ? EXIT.nothing : EXIT.partial;
  }
  const record = await api.decisao(item.id, { signal });
  await write(`${format === 'text' ? recordText(record, highlighter(pedido.q)) : JSON.stringify(record)}\n`);
  return page.completa ? EXIT.found : EXIT.partial;
}

/** The total number of results; null if a base has more than the maximum count, or did not count. */
function totalOf({ por_base }: Pagina): number | null {
  const isExact = por_base.every(
    (one) => one.encontrados_ate_1000 !== undefined && one.ha_mais_de_1000 === false,
  );
  return isExact ? por_base.reduce((sum, one) => sum + (one.encontrados_ate_1000 ?? 0), 0) : null;
}

function warnOnce(line: string, printed: Set<string>): void {
  if (!printed.has(line)) process.stderr.write(noteText(line));
  printed.add(line);
}
