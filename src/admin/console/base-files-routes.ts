import { Elysia } from 'elysia';
import { stat, statfs } from 'node:fs/promises';
import type { BaseStatus } from '../../engine/snapshot.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { baseFile } from '../../index/format/schema.ts';
import { adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';

export interface BaseFilesOptions {
  readonly dataDir: string;
  readonly statusOf: (base: Base) => BaseStatus;
}

/** The file of each base (its size, its last load, and what the base says of its data), and the room on their disk. */
export function baseFilesRoutes({ dataDir, statusOf }: BaseFilesOptions): AdminPart {
  return new Elysia().get('/console/api/bases', async () => {
    const bases = await Promise.all(
      BASES.map(async (base) => {
        const { generation, decisoes } = statusOf(base);
        const { bytes, carregada_em } = await fileOf(baseFile(dataDir, base));
        return { base, bytes, carregada_em, versao_dos_dados: generation, decisoes };
      }),
    );
    return adminJson(200, { bases, disco: await diskOf(dataDir) });
  });
}

/** Free space on the disk of the data folder, as an ordinary user may use it; null where the system does not tell. */
async function diskOf(folder: string): Promise<{ livre_bytes: number; bytes: number } | null> {
  try {
    const { bavail, blocks, bsize } = await statfs(folder);
    return { livre_bytes: bavail * bsize, bytes: blocks * bsize };
  } catch {
    return null;
  }
}

interface FileFacts {
  /** The file and its write-ahead log. */
  readonly bytes: number | null;
  /** When something was last written to it, ISO 8601. */
  readonly carregada_em: string | null;
}

/** A load writes to the write-ahead log first, so it counts too. All null where no file can be seen. */
async function fileOf(file: string): Promise<FileFacts> {
  const [main, log] = await Promise.all([file, `${file}-wal`].map(lookAt));
  if (main === null || main === undefined) return { bytes: null, carregada_em: null };
  // The date of an empty log only tells when the base was last opened.
  const isLogged = log !== null && log !== undefined && log.size > 0;
  const changedMs = isLogged ? Math.max(main.mtimeMs, log.mtimeMs) : main.mtimeMs;
  return { bytes: main.size + (isLogged ? log.size : 0), carregada_em: new Date(changedMs).toISOString() };
}

async function lookAt(path: string): Promise<{ size: number; mtimeMs: number } | null> {
  try {
    return await stat(path);
  } catch {
    return null;
  }
}
