import { dataVersionOf, type DataVersion } from '../engine/data-version.ts';
import type { After, SearchReply } from '../engine/messages.ts';
import type { BaseSemResposta, PorBase } from '../contract/busca.ts';
import { CONTAGEM_MAX, type Base, type Ordem } from '../contract/vocabulary.ts';
import type { Cursor } from '../query/cursor.ts';
import type { BaseAnswer, PageRows } from './page-rows.ts';
import type { NearTerms } from './near.ts';
import { interleave, type Interleaving } from './interleave.ts';

/** A base's time for a page in milliseconds, with fractions: the contract's `por_base` has whole milliseconds. */
export interface BaseTiming {
  readonly base: Base;
  readonly ordem: Ordem;
  readonly ms: number;
}

/** A page, ready to be written out: `itens` are the JSON texts of Resumos, as binary strings. */
export interface SearchPage {
  readonly itens: readonly string[];
  readonly por_base: readonly PorBase[];
  /** In the order of `por_base`. */
  readonly timings: readonly BaseTiming[];
  readonly bases_sem_resposta: readonly BaseSemResposta[];
  readonly cursor: Cursor | null;
  /** For a first page: the indexes of the query's words that are in no decision of the selected bases. */
  readonly absent: readonly number[];
  /** Near words for these, from the same bases. */
  readonly proximos?: NearTerms;
  /** The data of each base that answered, in the order of `por_base`; without one whose answer is of several versions. */
  readonly versions: DataVersions;
  /** True if the bases, asked again, would give the same: all answered in the order asked for, with counts and near words. */
  readonly isWhole: boolean;
}

export type DataVersions = ReadonlyMap<Base, DataVersion>;

export interface PageShape {
  readonly vez: Base;
  readonly limite: number;
  /** Counts belong to the first page only. */
  readonly countIsDue: boolean;
}

/**
 * Interleaves the answers into a page. A base sends only as many rows as the page would use if all bases had enough; if some
 * run short, the missing rows are fetched here. A base that fails then counts as unanswered: its items are removed and its
 * turns skipped.
 */
export async function assemble(
  answers: readonly BaseAnswer[],
  shape: PageShape,
  rows: PageRows,
): Promise<SearchPage> {
  for (;;) {
    const order = interleaved(answers, shape);
    const isShort = (answer: BaseAnswer) =>
      typeof answer.result !== 'string' && rows.held(answer.base) < takenFrom(answer.base, order);
    const short = answers.filter(isShort);
    if (short.length === 0) return write(answers, order, rows, shape);
    await Promise.all(short.map((answer) => rows.need(answer, takenFrom(answer.base, order))));
  }
}

function interleaved(answers: readonly BaseAnswer[], { vez, limite }: PageShape): Interleaving {
  const available = new Map<Base, number>();
  for (const { base, result } of answers) {
    if (typeof result !== 'string') available.set(base, result.doc_ids.length);
  }
  return interleave(available, vez, limite);
}

function write(
  answers: readonly BaseAnswer[],
  order: Interleaving,
  rows: PageRows,
  shape: PageShape,
): SearchPage {
  const next = new Map<Base, number>();
  const itens = order.turns.map((base) => {
    const at = next.get(base) ?? 0;
    next.set(base, at + 1);
    const row = rows.at(base, at);
    if (row === undefined) throw new Error(`page: row ${at} of ${base} was promised and is not there`);
    return row;
  });
  const unanswered = answers.filter(({ result }) => typeof result === 'string');
  const after = new Map<Base, After | null>();
  for (const answer of answers) {
    const place = positionAfter(answer, takenFrom(answer.base, order), shape.limite);
    if (place !== 'finished') after.set(answer.base, place);
  }
  const isOver = after.size === 0 || unanswered.length === answers.length;
  return {
    itens,
    por_base: answers.map((answer) => porBase(answer, shape.countIsDue)),
    timings: answers.map(({ base, ordem_aplicada, ms }) => ({ base, ordem: ordem_aplicada, ms })),
    bases_sem_resposta: unanswered.map(({ base, result }) => ({
      base,
      tempo_esgotado: result === 'deadline',
    })),
    cursor: isOver ? null : { vez: order.vez, after },
    absent: absentFromAll(answers),
    versions: versionsOf(answers),
    isWhole: unanswered.length === 0 && answers.every((answer) => isWhole(answer, shape)),
  };
}

function versionsOf(answers: readonly BaseAnswer[]): DataVersions {
  const versions = new Map<Base, DataVersion>();
  for (const { base, result, isMixed } of answers) {
    const version = typeof result === 'string' || isMixed ? null : dataVersionOf(result);
    if (version !== null) versions.set(base, version);
  }
  return versions;
}

function isWhole({ result, isMixed, isFallback }: BaseAnswer, { countIsDue }: PageShape): boolean {
  if (typeof result === 'string' || isMixed || isFallback) return false;
  return dataVersionOf(result) !== null && (result.count !== null || !countIsDue);
}

/** An unanswered base may contain any word, and so may a base that does not list the word as absent. */
export function absentFromAll(answers: readonly BaseAnswer[]): number[] {
  const [first = [], ...others] = answers.map(({ result }) =>
    typeof result === 'string' ? [] : (result.absent ?? []),
  );
  return first.filter((at) => others.every((absent) => absent.includes(at)));
}

/** An unanswered base keeps its position and is asked again on the next page. */
function positionAfter(
  { after, result }: BaseAnswer,
  taken: number,
  limite: number,
): After | null | 'finished' {
  if (typeof result === 'string') return after;
  const { doc_ids, scores, start } = result;
  if (taken === doc_ids.length && doc_ids.length <= limite) return 'finished';
  const docId = doc_ids[taken - 1];
  if (docId === undefined) return start;
  if (start.ordem === 'recentes') return { ...start, below: docId };
  const score = scores?.[taken - 1];
  if (score === undefined) throw new Error(`page: number ${docId} was ranked without a score`);
  return { ...start, score, doc_id: docId };
}

function porBase({ base, ordem_aplicada, ms, result }: BaseAnswer, countIsDue: boolean): PorBase {
  const matches = typeof result === 'string' || !countIsDue ? null : counted(result);
  return { base, ordem_aplicada, ...matches, ms: Math.round(ms) };
}

function counted({ count }: SearchReply): Pick<PorBase, 'encontrados_ate_1000' | 'ha_mais_de_1000'> | null {
  if (count === null) return null;
  return {
    encontrados_ate_1000: Math.min(count, CONTAGEM_MAX),
    ha_mais_de_1000: count > CONTAGEM_MAX,
  };
}

function takenFrom(base: Base, order: Interleaving): number {
  return order.turns.filter((turn) => turn === base).length;
}
