import type { Jurisprudencia, Pagina, PedidoDeBusca } from '../../client/client.ts';
import { showProgress, type Progress } from '../../process/progress.ts';
import { visible } from '../../process/visible.ts';
import { EXIT } from './exit.ts';
import { outputOf, write, type Format } from './outputs.ts';
import { highlighter, recordText } from './text.ts';

export interface SearchOptions {
  readonly format: Format;
  readonly todas: boolean;
  /** Which result's record to show instead of the list, from 1. */
  readonly abrir: number | null;
  readonly signal: AbortSignal;
}

/** A search to standard output, and what must not be overlooked to standard error. @returns the exit code. */
export async function search(
  api: Jurisprudencia,
  pedido: PedidoDeBusca,
  { format, todas, abrir, signal }: SearchOptions,
): Promise<number> {
  const output = outputOf(format, pedido.q, todas);
  const told = new Set<string>();
  let progress: Progress | null = null;
  let found = 0;
  let isPartial = false;
  try {
    for await (const page of api.paginas(pedido, { signal })) {
      for (const line of page.avisos) tellOnce(line, told);
      isPartial ||= !page.completa;
      if (abrir !== null) return await open(api, page, { pedido, abrir, format, signal });
      await write(output.page(page));
      found += page.itens.length;
      if (!todas) {
        if (page.proximo_cursor !== null) tellOnce('há mais; --todas traz todas', told);
        break;
      }
      // On a terminal the list itself shows how far it has come.
      if (!process.stdout.isTTY) progress ??= showProgress(totalOf(page), 'decisões');
      progress?.update(found, found);
    }
  } finally {
    progress?.stop();
  }
  await write(output.end());
  if (found === 0) tellOnce('não achar não prova que a decisão não existe na origem', told);
  if (isPartial) return EXIT.partial;
  return found === 0 ? EXIT.nothing : EXIT.found;
}

interface Opening {
  readonly pedido: PedidoDeBusca;
  readonly abrir: number;
  readonly format: Format;
  readonly signal: AbortSignal;
}

/** The record of one result of a page, in place of the list. */
async function open(
  api: Jurisprudencia,
  page: Pagina,
  { pedido, abrir, format, signal }: Opening,
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

/** How many there are to come; null where a base has more than it counts, or did not count. */
function totalOf({ por_base }: Pagina): number | null {
  const isExact = por_base.every(
    (one) => one.encontrados_ate_1000 !== undefined && one.ha_mais_de_1000 === false,
  );
  return isExact ? por_base.reduce((sum, one) => sum + (one.encontrados_ate_1000 ?? 0), 0) : null;
}

function tellOnce(line: string, told: Set<string>): void {
  if (!told.has(line)) process.stderr.write(`${visible(line)}\n`);
  told.add(line);
}
