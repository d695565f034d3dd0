import { readVersion, unpackWords, type Words } from '../format/term-vector.ts';
import type { Connection, Snapshot } from './connection.ts';

/**
 * The decisions replaced after the reader's first page, with their impacts then: the oldest version since.
 * @throws BudgetExceeded, DamagedBase
 */
export function replacedSince(
  { row, budget }: Connection,
  generation: number,
  { replaced: [first, next] }: Snapshot,
): ReadonlyMap<number, Words> {
  const found = new Map<number, Uint8Array>();
  for (let id = next - 1; id >= first; id -= 1) {
    budget.check();
    const version = readVersion(row('replaced', id));
    if (version.generation <= generation) break;
    found.set(version.docId, version.packed);
  }
  return new Map([...found].map(([docId, packed]) => [docId, unpackWords(packed)]));
}
