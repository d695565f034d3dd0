import { hasBlock, type TermEntry } from '../format/terms.ts';
import { INLINE_MAX, PART_SIZE, Positions } from '../format/positions.ts';
import { SPARSE_MAX, offsetsOf, type PostingList } from '../format/posting-list.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import { DamagedBase } from '../format/seal.ts';
import type { Connection, Snapshot } from '../read/connection.ts';
import { eachTerm } from '../read/terms.ts';
import { ListRows } from '../read/list-rows.ts';
import { WordPositions } from '../read/term-positions.ts';
import { threadCacheAt } from '../read/thread-cache.ts';

/** Called with a line for each damage. */
export type Report = (damage: string) => void;

/** List rows seen in each table. */
export interface RowsSeen {
  postings: number;
  positions: number;
}

const ALL_COLUMNS = 0b11111;

/** Reads the dictionary, and every list with all positions. @throws DamagedBase */
export function checkLists(
  connection: Connection,
  snapshot: Snapshot,
  report: Report,
  seen: RowsSeen,
  withdrawn: ReadonlySet<number>,
): void {
  const { terms, removedTerms, generation } = snapshot;
  const rows = new ListRows(connection.row, threadCacheAt(connection, generation));
  const ids = new Uint8Array(terms + 1);
  let before = '';
  for (const [name, entry] of eachTerm(connection, terms)) {
    if (Buffer.compare(Buffer.from(before), Buffer.from(name)) >= 0)
      report(`terms: "${name}" is out of order`);
    before = name;
    if (entry.id < 1 || entry.id > terms || ids[entry.id] === 1)
      report(`terms: "${name}" has an id that is not its own`);
    ids[entry.id] = 1;
    for (const one of rowsOf(entry)) {
      try {
        checkRow(rows, one, seen, withdrawn);
      } catch (error) {
        report(`"${name}": ${error instanceof Error ? error.message : String(error)}`);
      }
    }
  }
  const named = ids.reduce((sum, one) => sum + one, 0);
  const belong = terms - removedTerms;
  if (named !== belong) report(`terms has ${named} terms where ${belong} belong`);
}

/** An entry for each list row, as if it were the only row. */
function rowsOf(entry: TermEntry): TermEntry[] {
  if (entry.kind === 'single') return [entry];
  const { rows } = entry;
  return Array.from({ length: rows.length / 2 }, (_, at) => ({
    ...entry,
    rows: rows.slice(2 * at, 2 * at + 2),
  }));
}

/** @throws DamagedBase */
function checkRow(rows: ListRows, entry: TermEntry, seen: RowsSeen, withdrawn: ReadonlySet<number>): void {
  const isRow = entry.kind === 'list';
  if (isRow) seen.postings += 1;
  let before = -1;
  rows.forEachPart(entry, (block, list) => {
    if (block <= before || !hasBlock(entry, block)) throw new DamagedBase(`block ${block} is out of place`);
    before = block;
    if (list.count > SPARSE_MAX) seen.postings += 1;
    if (isRow && list.count > INLINE_MAX) seen.positions += Math.ceil(list.count / PART_SIZE);
    checkPart(rows, entry, block, list);
    for (const offset of withdrawn.size > 0 ? offsetsOf(list) : [])
      if (withdrawn.has(block * BLOCK_SIZE + offset)) throw new DamagedBase('it has a withdrawn decision');
  });
}

/** @throws DamagedBase */
function checkPart(rows: ListRows, entry: TermEntry, block: number, list: PostingList): void {
  rows.impacts(entry, block, list, false);
  const word = new WordPositions(rows, entry);
  word.openList(block, list);
  const positions = new Positions();
  for (let rank = 0; rank < list.count; rank += 1) {
    positions.count = 0;
    word.readAt(rank, ALL_COLUMNS, positions);
  }
}
