import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { nullable } from '../../contract/nullable.ts';
import { headerOf, type Answer } from './http-reader.ts';
import type { Mishap } from './http-client.ts';

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
/** The fields after the items in a search's answer. Looser than the contract, which may grow. */
export type SearchEnd = Static<typeof SearchEndSchema>;
const searchEndCheck = Compile(SearchEndSchema);

const END_FIELD = '"por_base":[';
const ITEM_START = '{"id":"';

/** The offset of `por_base` in a search's body, negative if absent. Inside a string the quotes would be escaped. */
export function endOfItems(body: Buffer): number {
  return body.lastIndexOf(END_FIELD);
}

/**
 * Parses only the fields after the items. Items are most of the body, and irrelevant to timing.
 * @throws if it is not a search's answer.
 */
export function searchEnd({ body }: Pick<Answer, 'body'>): SearchEnd {
  const end: unknown = JSON.parse(`{${body.toString('utf8', endOfItems(body))}`);
  if (!searchEndCheck.Check(end)) throw new Error('not an answer of a search');
  return end;
}

/**
 * An item's id, found without parsing the other items; null if there is none.
 * @param random a number between 0 and 1 that chooses the item.
 */
export function someId({ body }: Pick<Answer, 'body'>, random: number): string | null {
  const from = Math.floor(random * Math.max(0, endOfItems(body)));
  const start = body.indexOf(ITEM_START, from);
  const at = start < 0 ? body.indexOf(ITEM_START) : start;
  if (at < 0) return null;
  const first = at + ITEM_START.length;
  return body.toString('latin1', first, body.indexOf('"', first));
}

/** A base's entry in `Server-Timing`. */
export interface Timed {
  readonly ms: number;
  /** True if all came from the result cache; null if the service does not report it. */
  readonly cached: boolean | null;
}

/** The `Server-Timing` entries that have a duration, by name. */
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

/**
 * The outcome of a request. `incomplete`: a search without the answer of some base. `rejected`: a search that
 * the service rejected under overload. `error`: any other failure, by name.
 */
export type Outcome =
  | { readonly is: 'complete' | 'incomplete' | 'rejected'; readonly end: SearchEnd | null }
  | { readonly is: 'error'; readonly error: string }
  /** `gone`: a recorded id that the data no longer has. */
  | { readonly is: 'interrupted' | 'gone' };

/** Waits that ended without an answer. Their time counts as a latency, as its lower bound. */
const WAITED_IN_VAIN = new Set(['timeout', 'unsent', '504 TEMPO_ESGOTADO']);
const CODIGO = /"codigo":"([A-Z_]{1,40})"/u;

/**
 * @param wasStopped true if the load was stopped early, which closes every connection.
 * @param isReplay true if an id may be gone since it was recorded.
 */
export function outcomeOf(
  { ask, result }: { readonly ask: { readonly kind: string }; readonly result: Answer | Mishap },
  wasStopped: boolean,
  isReplay = false,
): Outcome {
  if (typeof result === 'string') {
    const wasCut = wasStopped && (result === 'closed' || result === 'unsent' || result === 'connect');
    return wasCut ? { is: 'interrupted' } : { is: 'error', error: result };
  }
  if (isReplay && result.status === 404 && ask.kind === 'record') return { is: 'gone' };
  if (result.status !== 200) return { is: 'error', error: statusName(result) };
  return ask.kind === 'record' ? { is: 'complete', end: null } : searchOutcome(result);
}

/** True if the time of such a request is a wait for the user. */
export function isWait(outcome: Outcome): boolean {
  if (outcome.is === 'error') return WAITED_IN_VAIN.has(outcome.error);
  return outcome.is === 'complete' || outcome.is === 'incomplete';
}

function searchOutcome(answer: Answer): Outcome {
  let end: SearchEnd;
  try {
    end = searchEnd(answer);
  } catch {
    return { is: 'error', error: 'not_a_search' };
  }
  const { bases_sem_resposta: missing, por_base } = end;
  if (missing.length === 0) return { is: 'complete', end };
  const isRejected = missing.length === por_base.length && missing.every((base) => !base.tempo_esgotado);
  return { is: isRejected ? 'rejected' : 'incomplete', end };
}

/** The status with the contract's `codigo`, which the per-IP limit or a proxy does not send. */
function statusName({ status, body }: Answer): string {
  const codigo = CODIGO.exec(body.toString('latin1', 0, 1_024))?.[1];
  return codigo === undefined ? String(status) : `${status} ${codigo}`;
}
