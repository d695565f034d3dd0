import { countOf } from '../src/base/posting-list.ts';
import { BLOCK_SIZE, listKey } from '../src/base/schema.ts';
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
const WORDS_LOOKED_AT = 20_000;
const LENGTHS_SQL = 'SELECT lista, length(dados) AS bytes FROM impacto WHERE lista >= ? AND lista < ?';

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
 * The word that is nearest to the right measure where it is farthest from it, of the first block, one in the middle and the last full one:
 * a base that was loaded court by court has words that are common in one part of it and unknown in another.
 */
function findTick(connection: Connection, blocks: number): Tick | null {
  // The last block may hold only a few yet.
  const looked = [...new Set([0, Math.floor((blocks - 1) / 2), Math.max(0, blocks - 2)])];
  const worst = new Map<number, { far: number; blocks: number }>();
  for (const block of looked) {
    for (const [word, far] of farnessIn(connection, block)) {
      const before = worst.get(word);
      worst.set(word, { far: Math.max(far, before?.far ?? 0), blocks: (before?.blocks ?? 0) + 1 });
    }
  }
  let best: { word: number; far: number } | null = null;
  for (const [word, { far, blocks: inBlocks }] of worst) {
    if (inBlocks === looked.length && (best === null || far < best.far)) best = { word, far };
  }
  if (best === null) return null;
  const texto = connection.value<string>('SELECT termo FROM lexico WHERE id = ?').get(best.word);
  return texto === undefined ? null : { texto };
}

/** Each word of a block, with how far it is from the right measure: the logarithm of how many times too often or too seldom. */
function farnessIn({ statement }: Connection, block: number): [word: number, far: number][] {
  const wanted = BLOCK_SIZE / DECISIONS_PER_ROW;
  const rows = statement<{ lista: number; bytes: number }>(LENGTHS_SQL).all(
    listKey(0, block),
    listKey(WORDS_LOOKED_AT, block),
  );
  return rows.map(({ lista, bytes }) => [
    lista - listKey(0, block),
    Math.abs(Math.log(countOf(bytes) / wanted)),
  ]);
}
