import type { Base } from '../contract/enums.ts';
import { explain, isBusy } from '../process/fail.ts';
import { LockBusy, publicationLock, takeLock } from '../process/lock.ts';

/** As `explain`, but tells a publication that has kept a base busy from another load. */
export function explainLoad(error: unknown, dataDir: string, base: Base): string {
  if (!isBusy(error) || !isPublishing(dataDir, base)) return explain(error);
  return `bun run publish ${base} is copying this base; wait until it ends and run this again`;
}

function isPublishing(dataDir: string, base: Base): boolean {
  try {
    takeLock(dataDir, 0, publicationLock(base))();
    return false;
  } catch (error) {
    return error instanceof LockBusy;
  }
}
