import { unseal } from '../format/seal.ts';
import { readVersion, unpackWords, type Words } from '../format/word-vector.ts';
import type { Connection, Snapshot } from './connection.ts';

const VERSION_SQL = 'SELECT dados FROM versao WHERE serie = ?';

/**
 * The decisions replaced after the reader's first page, with what they weighed then: of several versions of one, the
 * oldest since. @throws BudgetExceeded, DamagedBase
 */
export function replacedSince(
  { value, budget }: Connection,
  generation: number,
  { versions: [first, next] }: Snapshot,
): ReadonlyMap<number, Words> {
  const found = new Map<number, Uint8Array>();
  for (let serie = next - 1; serie >= first; serie -= 1) {
    budget.check();
    const version = readVersion(unseal('versao', serie, value<Buffer>(VERSION_SQL).get(serie)));
    if (version.generation <= generation) break;
    found.set(version.numero, version.packed);
  }
  return new Map([...found].map(([numero, packed]) => [numero, unpackWords(packed)]));
}
