import { BLOCK_SIZE, POSTING_BYTES, listKey } from '../src/base/schema.ts';
import { idf } from '../src/base/relevance.ts';
import type { Termo } from '../src/base/messages.ts';
import type { Connection } from './connection.ts';
import type { Replaced } from './versions.ts';

/** Matches with their scores, the best first; ties by number. `df`: see `PosicaoRelevancia`. */
export interface Ranking {
  readonly numeros: number[];
  readonly scores: number[];
  readonly df: number[];
}

/** The statistics of the first page (null on it), the place after which to go on, and how many to return. */
export interface RankingPage {
  readonly horizon: number;
  readonly df: readonly number[] | null;
  readonly after: { readonly score: number; readonly numero: number } | null;
  readonly most: number;
  /** Matches that weigh what they weighed on the first page, for they were replaced since. */
  readonly replaced: readonly Replaced[];
}

/**
 * Scores every match with the formula of `src/base/relevance.ts` and keeps the page's worth.
 * @param matches numbers in ascending order.
 */
export function rank(
  connection: Connection,
  matches: readonly number[],
  termos: readonly Termo[],
  page: RankingPage,
): Ranking {
  const scores = new Float64Array(matches.length);
  const df: number[] = [];
  for (const [at, termo] of termos.entries()) {
    connection.budget.check();
    const impacts = new Uint8Array(matches.length);
    const counted = collect(connection, termo, matches, impacts, page);
    const frequency = page.df?.[at] ?? counted;
    df.push(frequency);
    const weight = idf(page.horizon, frequency);
    for (let index = 0; index < scores.length; index += 1) {
      scores[index] = (scores[index] ?? 0) + weight * (impacts[index] ?? 0);
    }
  }
  return { ...best(matches, scores, page), df };
}

/** Puts each match's impact for the word in its place and returns in how many decisions the word stands. */
function collect(
  connection: Connection,
  termo: Termo,
  matches: readonly number[],
  impacts: Uint8Array,
  page: RankingPage,
): number {
  const ids = termIds(connection, termo);
  // A prefix needs the decisions of all its words together, each counted once; one word only its list's length.
  const seen = termo.prefixo && page.df === null ? new Uint8Array(page.horizon + 1) : null;
  let postings = 0;
  for (const id of ids) {
    let from = 0;
    connection.budget.check();
    for (const row of LISTS(connection).iterate(listKey(id, 0), listKey(id + 1, 0))) {
      const base = (row.lista % BLOCK_SIZE) * BLOCK_SIZE;
      postings += row.dados.length / POSTING_BYTES;
      from = merge(row.dados, base, matches, from, impacts);
      if (seen !== null) mark(row.dados, base, seen);
    }
  }
  for (const { index, words } of page.replaced) {
    impacts[index] = ids.reduce((most, id) => Math.max(most, words.get(id) ?? 0), 0);
  }
  return seen === null ? postings : seen.reduce((sum, bit) => sum + bit, 0);
}

const LISTS = (connection: Connection) =>
  connection.statement<{ lista: number; dados: Buffer }>(
    'SELECT lista, dados FROM impacto WHERE lista >= ? AND lista < ? ORDER BY lista',
  );

function termIds({ statement }: Connection, termo: Termo): number[] {
  if (!termo.prefixo) {
    return statement<number>('SELECT id FROM lexico WHERE termo = ?').pluck().all(termo.texto);
  }
  return statement<number>('SELECT id FROM lexico WHERE termo >= ? AND termo < ?')
    .pluck()
    .all(termo.texto, `${termo.texto}\u{10ffff}`);
}

/** Walks one block of a list beside the matches in it. @returns the index of the first match past the block. */
function merge(
  list: Buffer,
  base: number,
  matches: readonly number[],
  from: number,
  impacts: Uint8Array,
): number {
  let at = from;
  const end = base + BLOCK_SIZE;
  while (at < matches.length && (matches[at] ?? 0) < base) at += 1;
  let posting = 0;
  while (at < matches.length) {
    const numero = matches[at] ?? 0;
    if (numero >= end) break;
    posting = seek(list, posting, numero - base);
    if (posting >= list.length) {
      at += 1;
      continue;
    }
    if (offsetAt(list, posting) === numero - base) {
      impacts[at] = Math.max(impacts[at] ?? 0, list[posting + 2] ?? 0);
    }
    at += 1;
  }
  return at;
}

/** The first posting from `start` on whose offset is at least `offset`, by doubling steps and halving. */
function seek(list: Buffer, start: number, offset: number): number {
  let step = POSTING_BYTES;
  let low = start;
  while (low + step < list.length && offsetAt(list, low + step) < offset) {
    low += step;
    step *= 2;
  }
  let high = Math.min(low + step, list.length);
  while (low < high) {
    const middle = low + Math.floor((high - low) / POSTING_BYTES / 2) * POSTING_BYTES;
    if (offsetAt(list, middle) < offset) low = middle + POSTING_BYTES;
    else high = middle;
  }
  return low;
}

function offsetAt(list: Buffer, at: number): number {
  return (list[at] ?? 0) | ((list[at + 1] ?? 0) << 8);
}

function mark(list: Buffer, base: number, seen: Uint8Array): void {
  for (let at = 0; at < list.length; at += POSTING_BYTES) {
    const numero = base + offsetAt(list, at);
    if (numero < seen.length) seen[numero] = 1;
  }
}

function best(
  matches: readonly number[],
  scores: Float64Array,
  { after, most }: RankingPage,
): { numeros: number[]; scores: number[] } {
  const kept: { numero: number; score: number }[] = [];
  for (let index = 0; index < matches.length; index += 1) {
    const numero = matches[index] ?? 0;
    const score = scores[index] ?? 0;
    if (after !== null && !comesBefore(after.score, after.numero, score, numero)) continue;
    const last = kept.at(-1);
    if (kept.length === most && last !== undefined && !comesBefore(score, numero, last.score, last.numero)) {
      continue;
    }
    let place = kept.length;
    while (place > 0) {
      const before = kept[place - 1];
      if (before === undefined || comesBefore(before.score, before.numero, score, numero)) break;
      place -= 1;
    }
    kept.splice(place, 0, { numero, score });
    if (kept.length > most) kept.pop();
  }
  return { numeros: kept.map((one) => one.numero), scores: kept.map((one) => one.score) };
}

/** The order of a page: the higher score first, ties by the lower number. */
function comesBefore(score: number, numero: number, otherScore: number, otherNumero: number): boolean {
  return score > otherScore || (score === otherScore && numero < otherNumero);
}
