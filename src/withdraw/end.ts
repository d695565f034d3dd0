import type { Base } from '../contract/vocabulary.ts';
import { wipe } from '../index/write/wipe.ts';
import { renewCoverage } from './coverage.ts';

/** Does what is left of a withdrawal after its commit, perhaps one that was killed: stored coverage, and bytes. @returns as `wipe`. */
export function endWithdrawal(dataDir: string, base: Base): boolean {
  renewCoverage(dataDir, base);
  return wipe(dataDir, base);
}
