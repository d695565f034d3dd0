import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { builtInSearches } from '../../../src/tools/load/queries.ts';
import { ROOT } from '../../support/run.ts';

/** Queries as users type them: the real ones beside the checkout, else those that the load tester has. */
export function usersQueries(): { readonly queries: readonly string[]; readonly areReal: boolean } {
  const file = join(ROOT, '../shared/corpora/consultas.txt');
  if (!existsSync(file)) return { queries: ownQueries(), areReal: false };
  const lines = readFileSync(file, 'utf8').split('\n');
  return { queries: lines.filter((line) => line !== ''), areReal: true };
}

function ownQueries(): string[] {
  return [...new Set(builtInSearches().map((search) => new URLSearchParams(search).get('q') ?? ''))];
}
