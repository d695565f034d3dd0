import { unseal } from '../format/seal.ts';
import { readVersion, unpackWords, type Words } from '../format/term-vector.ts';
import type { Connection, Snapshot } from './connection.ts';

const VERSION_SQL = 'SELECT data FROM replaced WHERE id = ?';

/**
 * The decisions replaced after the reader's first page, with what they weighed then: of several versions of one, the
 * oldest since. @throws BudgetExceeded, DamagedBase
 */
export function replacedSince(
  { value, budget }: Connection,
  generation: number,
  { replaced: [first, next] }: Snapshot,
): ReadonlyMap<number, Words> {
  const found = new Map<number, Uint8Array>();
  for (let serie = next - 1; serie >= first; serie -= 1) {
    budget.check();
    const version = readVersion(unseal('replaced', serie, value<Buffer>(VERSION_SQL).get(serie)));
    if (version.generation <= generation) break;
    found.set(version.docId, version.packed);
  }
  return new Map([...found].map(([docId, packed]) => [docId, unpackWords(packed)]));
}
