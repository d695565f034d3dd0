import { hasBlock, type Named } from '../format/lexicon.ts';
import { INLINE_MAX, PART_SIZE, Places } from '../format/places.ts';
import { SPARSE_MAX, offsetsOf } from '../format/posting-list.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Connection, Snapshot } from '../read/connection.ts';
import { eachList } from '../read/lexicon.ts';
import { ListRows } from '../read/list-rows.ts';
import { WordPlaces } from '../read/term-places.ts';
import { threadCacheAt } from '../read/thread-cache.ts';

/** Called with what is damaged, a line each. */
export type Report = (damage: string) => void;

/** Rows that belong to lists, of each table. */
export interface RowsSeen {
  impacto: number;
  posicao: number;
}

const ALL_COLUMNS = 0b11111;

/** Goes through the dictionary, and through every list in it with all its positions. @throws DamagedBase */
export function checkLists(connection: Connection, snapshot: Snapshot, report: Report, seen: RowsSeen): void {
  const { lists, lastNumber, generation } = snapshot;
  const rows = new ListRows(connection, threadCacheAt(connection, generation));
  const ids = new Uint8Array(lists + 1);
  let before = '';
  for (const entry of eachList(connection, lists)) {
    if (Buffer.compare(Buffer.from(before), Buffer.from(entry.name)) >= 0)
      report(`lexico: "${entry.name}" is out of order`);
    before = entry.name;
    if (entry.id < 1 || entry.id > lists || ids[entry.id] === 1)
      report(`lexico: "${entry.name}" has an id that is not its own`);
    ids[entry.id] = 1;
    for (let block = 0; block * BLOCK_SIZE <= lastNumber; block += 1) {
      try {
        checkBlock(rows, entry, block, seen);
      } catch (error) {
        report(`"${entry.name}": ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  const named = ids.reduce((sum, one) => sum + one, 0);
  if (named !== lists) report(`lexico has ${named} lists where ${lists} belong`);
}

/** @throws DamagedBase */
function checkBlock(rows: ListRows, entry: Named, block: number, seen: RowsSeen): void {
  const list = rows.list(entry, block, false);
  const isRow = entry.single === null && hasBlock(entry, block);
  if (isRow) seen.impacto += list.count > SPARSE_MAX ? 2 : 1;
  if (list.count === 0) return;
  rows.weights(entry, block, list, false);
  const offsets = offsetsOf(list);
  if (isRow && list.count > INLINE_MAX) seen.posicao += Math.ceil(list.count / PART_SIZE);
  const word = new WordPlaces(rows, entry);
  word.openList(block, list);
  const places = new Places();
  for (let rank = 0; rank < offsets.length; rank += 1) {
    places.count = 0;
    word.readAt(rank, ALL_COLUMNS, places);
  }
}
