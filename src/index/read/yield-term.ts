import { countOf } from '../format/posting-list.ts';
import { BLOCK_SIZE, listKey } from '../format/schema.ts';
import type { Connection } from './connection.ts';

/**
 * A word that stands in some decisions here and there, asked for beside a passage so that FTS5 gives a row now and
 * then: between two rows it cannot be stopped, and a passage of common words may have none in a million.
 */
export interface Tick {
  readonly texto: string;
}

/** One in so many decisions is often enough to be stopped in time, and seldom enough to cost nothing. */
const DECISIONS_PER_ROW = 400;
/** Words get their ids when they are first seen: those in every few hundred decisions are among the first. */
const WORDS_LOOKED_AT = 5_000;
/** Of those in the right measure in one block, as many are looked up in others. */
const CHOICES = 50;
const LENGTHS_SQL = 'SELECT lista, length(dados) AS bytes FROM impacto WHERE lista >= ? AND lista < ?';

const LENGTH_SQL = 'SELECT length(dados) FROM impacto WHERE lista = ?';

const found = new WeakMap<Connection, { readonly blocks: number; readonly tick: Tick | null }>();

/** Looked for once for each number of blocks that a connection has seen; null where no word is there in the right measure. */
export function tickOf(connection: Connection, blocks: number): Tick | null {
  let known = found.get(connection);
  if (known?.blocks !== blocks) {
    known = { blocks, tick: findTick(connection, blocks) };
    found.set(connection, known);
  }
  return known.tick;
}

/**
 * The word that is nearest to the right measure where it is farthest from it, of the first block, one in the middle and the
 * last full one: a base that was loaded court by court has words that are common in one part of it and unknown in another.
 * It must be quick: the first search of each thread that needs it waits for it.
 */
function findTick({ statement, value }: Connection, blocks: number): Tick | null {
  const lengths = statement<{ lista: number; bytes: number }>(LENGTHS_SQL);
  const nearest = lengths
    .all(listKey(0, 0), listKey(WORDS_LOOKED_AT, 0))
    .map(({ lista, bytes }) => ({ word: lista - listKey(0, 0), far: farness(bytes) }))
    .toSorted((a, b) => a.far - b.far)
    .slice(0, CHOICES);
  // The last block may hold only a few yet.
  const others = new Set([Math.floor((blocks - 1) / 2), Math.max(0, blocks - 2)]);
  let best: { readonly word: number; readonly far: number } | null = null;
  for (const { word, far } of nearest) {
    const worst = Math.max(
      far,
      ...[...others].map((block) => farness(value<number>(LENGTH_SQL).get(listKey(word, block)) ?? 0)),
    );
    if (best === null || worst < best.far) best = { word, far: worst };
  }
  if (best === null) return null;
  const texto = value<string>('SELECT termo FROM lexico WHERE id = ?').get(best.word);
  return texto === undefined ? null : { texto };
}

/** How far from the right measure a list of so many bytes is: the logarithm of how many times too long or too short. */
function farness(bytes: number): number {
  return Math.abs(Math.log(countOf(bytes) / (BLOCK_SIZE / DECISIONS_PER_ROW)));
}
