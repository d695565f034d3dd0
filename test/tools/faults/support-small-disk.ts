import { mkdtempSync, rmSync, statfsSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A way to have writes of one program fail for want of room. */
export interface SmallDisk extends Disposable {
  /** Where the data folder is to be made. */
  readonly folder: string;
  /** Leaves only so much room from now on. @returns shell commands to run before the program. */
  limit(kib: number): string;
  widen(): void;
}

/** No file of the program grows past the limit: a write beyond it fails, as on a full disk. Always there. */
function fileSizeLimit(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'jurisprudencia-'));
  return {
    folder,
    // The signal that comes with the limit would end the program, as no full disk does.
    limit: (kib) => `trap '' XFSZ; ulimit -f ${kib}`,
    widen: () => undefined,
    [Symbol.dispose]: () => {
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

const WIDE = '512m';
const KIB = 1024;

/** A disk in memory that is really full. Only where mounting is allowed. */
function memoryDisk(): SmallDisk {
  const folder = mkdtempSync(join(tmpdir(), 'jurisprudencia-'));
  if (!mount(['-t', 'tmpfs', '-o', `size=${WIDE}`, 'tmpfs', folder])) {
    rmSync(folder, { recursive: true });
    throw new Error('mounting is not allowed here');
  }
  return {
    folder,
    limit: (kib) => {
      const { blocks, bfree, bsize } = statfsSync(folder);
      const used = Math.ceil(((blocks - bfree) * bsize) / KIB);
      mount(['-o', `remount,size=${used + kib}k`, folder]);
      return 'true';
    },
    widen: () => {
      mount(['-o', `remount,size=${WIDE}`, folder]);
    },
    [Symbol.dispose]: () => {
      Bun.spawnSync(['umount', '--lazy', folder]);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function mount(args: readonly string[]): boolean {
  if (process.getuid?.() !== 0) return false;
  return Bun.spawnSync(['mount', ...args]).exitCode === 0;
}

export interface SmallDiskKind {
  readonly name: string;
  readonly make: () => SmallDisk;
}

/** Every kind of small disk that this machine allows. */
export function smallDisks(): readonly SmallDiskKind[] {
  const always = { name: 'a limit on file sizes', make: fileSizeLimit };
  try {
    memoryDisk()[Symbol.dispose]();
    return [always, { name: 'a full disk', make: memoryDisk }];
  } catch {
    return [always];
  }
}
