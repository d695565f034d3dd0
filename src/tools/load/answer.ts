import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { nullable } from '../../contract/nullable.ts';
import type { Mishap, Reply } from './http-client.ts';
import { headerOf, type Answer } from './http-reader.ts';

const SearchEndSchema = Type.Object({
  por_base: Type.Array(
    Type.Object({
      base: Type.String(),
      ordem_aplicada: Type.String(),
      encontrados_ate_1000: Type.Optional(Type.Integer()),
      ms: Type.Number(),
    }),
  ),
  bases_sem_resposta: Type.Array(Type.Object({ base: Type.String(), tempo_esgotado: Type.Boolean() })),
  proximo_cursor: nullable(Type.String()),
});
/** The end of a search's answer, which says how it came about; looser than the contract, which may grow. */
export type SearchEnd = Static<typeof SearchEndSchema>;
const searchEndCheck = Compile(SearchEndSchema);

export type Verdict = 'complete' | 'incomplete' | `status ${number}` | Mishap;

const END_FIELD = '"por_base":[';
const ITEM_START = '{"id":"';

/** Where `por_base` starts in a search's body: inside a text the quotes would carry a backslash. Less than 0: nowhere. */
export function endOfItems(body: Buffer): number {
  return body.lastIndexOf(END_FIELD);
}

/**
 * Reads the end of a search's answer alone: the items are most of it, and tell nothing of its time.
 * @throws when it is no answer of a search.
 */
export function searchEnd({ body }: Pick<Answer, 'body'>): SearchEnd {
  const end: unknown = JSON.parse(`{${body.toString('utf8', endOfItems(body))}`);
  if (!searchEndCheck.Check(end)) throw new Error('no answer of a search');
  return end;
}

/** What a client has of a reply: a search is complete when no base is missing. */
export function verdictOf({ result }: Pick<Reply, 'result'>): Verdict {
  if (typeof result === 'string') return result;
  if (result.status !== 200) return `status ${result.status}`;
  const isMissing = result.body.includes('"bases_sem_resposta":[{');
  return isMissing ? 'incomplete' : 'complete';
}

/**
 * The id of one of a search's items, found without reading the others; null when it has none.
 * @param random a number between 0 and 1, which says where to look first.
 */
export function someId({ body }: Answer, random: number): string | null {
  const from = Math.floor(random * Math.max(0, endOfItems(body)));
  const start = body.indexOf(ITEM_START, from);
  const at = start < 0 ? body.indexOf(ITEM_START) : start;
  if (at < 0) return null;
  const first = at + ITEM_START.length;
  return body.toString('latin1', first, body.indexOf('"', first));
}

/** What `Server-Timing` tells of one base. */
export interface Timed {
  readonly ms: number;
  /** Whether all of it came from the result cache; null where the service does not say. */
  readonly cached: boolean | null;
}

/** The entries of `Server-Timing` by name; those without a duration are left out. */
export function serverTiming({ head }: Pick<Answer, 'head'>): ReadonlyMap<string, Timed> {
  const all = new Map<string, Timed>();
  for (const entry of (headerOf(head, 'server-timing') ?? '').split(',')) {
    const [name = '', ...parameters] = entry.split(';');
    let ms = Number.NaN;
    let cached: boolean | null = null;
    for (const parameter of parameters) {
      const text = parameter.trim();
      if (text.startsWith('dur=')) ms = Number(text.slice('dur='.length));
      else if (text.startsWith('cache=')) cached = text === 'cache=hit';
    }
    if (!Number.isNaN(ms)) all.set(name.trim(), { ms, cached });
  }
  return all;
}
