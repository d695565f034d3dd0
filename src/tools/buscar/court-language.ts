import { asQuestion, type PedidoDeBusca } from '../../client/client.ts';
import { AVISOS } from '../../contract/avisos.ts';
import { COURT_MEANINGS, courtSigns, INEXACT, type CourtSign } from '../../contract/court-signs.ts';
import { asFts5 } from '../../contract/fts5-query.ts';
import { PlainError } from '../../process/fail.ts';

/** A search that is not the text as typed. */
export interface Sent {
  readonly pedido: PedidoDeBusca;
  /** What to say of it, the search itself too. */
  readonly lines: readonly string[];
}

/** The service's own warning, which `courtLines` says with more. */
export const COURT_WARNING = AVISOS.OPERADOR_DE_TRIBUNAL;

/**
 * What a text has of the search language of the courts' own pages, and the FTS5 for it.
 * @param isFound if false, also for words that may be plain text: `prisão não preventiva`.
 */
export function courtLines(q: string, isFound: boolean): string[] {
  const signs = courtSigns(q).filter(({ isCertain }) => isCertain === isFound);
  const meant = asFts5(q, true);
  if (signs.length === 0 || (!isFound && (meant === null || hasCertain(q)))) return [];
  return [
    isFound
      ? 'isto é da busca dos tribunais, e aqui vale como texto:'
      : 'se isto vem da busca dos tribunais, aqui foi texto:',
    ...Map.groupBy(signs, ({ kind }) => kind)
      .entries()
      .map(
        ([kind, those]) =>
          `  ${[...new Set(those.map(({ text }) => text))].join(' ')}: ${COURT_MEANINGS[kind]}`,
      ),
    ...(meant === null ? [] : [`${likeness(signs)}: ${shown(meant)}   (--traduzir a envia)`]),
  ];
}

/** The search that a text of the courts' language asks for. @throws PlainError if there is none. */
export function translated(pedido: PedidoDeBusca): Sent {
  const signs = courtSigns(pedido.q);
  const meant = signs.length === 0 ? { q: pedido.q, parametros: {} } : asFts5(pedido.q, true);
  if (meant === null) {
    throw new PlainError(
      'não há em FTS5 o que este texto pede; escreva as palavras a buscar (docs/search-syntax.md)',
    );
  }
  const { data_de = meant.parametros.data_de, data_ate = meant.parametros.data_ate } = pedido;
  return { pedido: { ...pedido, q: meant.q, data_de, data_ate }, lines: [`enviada: ${shown(meant)}`] };
}

/** The search for a question. @throws PlainError if it has nothing to search for. */
export function asked(pedido: PedidoDeBusca): Sent {
  const { q, avisos } = asQuestion(pedido.q);
  if (q === null) throw new PlainError(avisos.join('; '));
  return { pedido: { ...pedido, q }, lines: [...avisos, `enviada: ${q}`] };
}

const hasCertain = (q: string) => courtSigns(q).some(({ isCertain }) => isCertain);

function likeness(signs: readonly CourtSign[]): string {
  return signs.some(({ kind }) => INEXACT.has(kind)) ? 'o mais parecido em FTS5' : 'em FTS5';
}

function shown({ q, parametros: { data_de, data_ate } }: NonNullable<ReturnType<typeof asFts5>>): string {
  return [q, data_de && `--desde ${data_de}`, data_ate && `--ate ${data_ate}`]
    .filter((part) => part)
    .join(' ');
}
