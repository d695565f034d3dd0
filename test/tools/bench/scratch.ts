import { mkdtempSync, rmSync } from 'node:fs';
import { join } from 'node:path';

/** A new folder that is gone after the work, and also when this process ends before. */
export async function withScratch<T>(
  parent: string,
  name: string,
  work: (folder: string) => Promise<T>,
): Promise<T> {
  const folder = mkdtempSync(join(parent, `${name}-`));
  const remove = () => {
    rmSync(folder, { recursive: true, force: true });
  };
  process.once('exit', remove);
  try {
    return await work(folder);
  } finally {
    process.off('exit', remove);
    remove();
  }
}
