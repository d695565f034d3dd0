import { VERSION_DAYS } from '../format/schema.ts';
import type { State } from '../format/state.ts';
import { NO_WORDS, readVersion, writeVersion } from '../format/term-vector.ts';
import type { RowStore } from './row-store.ts';

/**
 * Deletes versions that no cursor needs any more, and the words of withdrawn decisions.
 * @param today days since 1970. @returns the first version that is kept, and the next to be written.
 */
export function removeVersions(
  rows: RowStore,
  [first, next]: State['replaced'],
  withdrawn: ReadonlySet<number>,
  today: number,
): State['replaced'] {
  for (let id = first; id < next && withdrawn.size > 0; id += 1) {
    const version = readVersion(rows.read('replaced', id));
    if (withdrawn.has(version.docId))
      rows.put('replaced', id, writeVersion({ ...version, packed: NO_WORDS }));
  }
  let kept = first;
  while (kept < next && readVersion(rows.read('replaced', kept)).day < today - VERSION_DAYS) {
    rows.delete('replaced', kept);
    kept += 1;
  }
  return [kept, next];
}
