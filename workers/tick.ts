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

const found = new WeakMap<Connection, Tick | null>();

/** Looked for once a connection, in its middle; null where no word is there in the right measure. */
export function tickOf(connection: Connection, blocks: number): Tick | null {
  let tick = found.get(connection);
  if (tick === undefined) {
    tick = findTick(connection, Math.floor((blocks - 1) / 2));
    found.set(connection, tick);
  }
  return tick;
}

function findTick({ statement, value }: Connection, block: number): Tick | null {
  const wanted = BLOCK_SIZE / DECISIONS_PER_ROW;
  const farness = (count: number) => Math.abs(Math.log(count / wanted));
  let best: { word: number; far: number } | null = null;
  const rows = statement<{ lista: number; bytes: number }>(LENGTHS_SQL).all(
    listKey(0, block),
    listKey(WORDS_LOOKED_AT, block),
  );
  for (const { lista, bytes } of rows) {
    const far = farness(countOf(bytes));
    if (best === null || far < best.far) best = { word: lista - listKey(0, block), far };
  }
  if (best === null) return null;
  const texto = value<string>('SELECT termo FROM lexico WHERE id = ?').get(best.word);
  return texto === undefined ? null : { texto };
}
