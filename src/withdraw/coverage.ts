import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Base } from '../contract/vocabulary.ts';
import { baseFile } from '../index/format/schema.ts';
import { Connector, snapshotOf } from '../index/read/connection.ts';
import { cover } from '../index/read/coverage.ts';
import { wipe } from '../index/write/wipe.ts';
import { writeAtomically } from '../process/files.ts';
import { coverageAtOnce } from '../search/coverage.ts';
import { isStored, isWhole } from '../search/stored-coverage.ts';

/** Does what is left of a withdrawal after its commit, perhaps one that was killed: stored coverage, and bytes. @returns as `wipe`. */
export function endWithdrawal(dataDir: string, base: Base): boolean {
  renewCoverage(dataDir, base);
  return wipe(dataDir, base);
}

/** Calculates a base's stored coverage anew; a running service takes it. Without a stored one there is nothing to mend. */
function renewCoverage(dataDir: string, base: Base): void {
  const file = join(dataDir, 'cobertura.json');
  const stored = storedIn(file);
  if (!isStored(stored) || !stored.bases.some((one) => isWhole(one) && one.base === base)) return;
  const connector = new Connector(baseFile(dataDir, base), base);
  try {
    const connection = connector.connection();
    const snapshot = snapshotOf(connection);
    const report = coverageAtOnce(base, (request) => {
      connection.budget.start(performance.now() + request.budget_ms);
      return cover(connection, request, snapshot);
    });
    const bases = stored.bases.map((one) => (isWhole(one) && one.base === base ? report : one));
    writeAtomically(file, `${JSON.stringify({ versao: 1, bases }, null, 2)}\n`);
  } finally {
    connector.close();
  }
}

function storedIn(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return null;
  }
}
