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
  /** True for a front: the files are on nodes, and what lies in its own folder is served by nobody. */
  readonly areOnNodes?: boolean;
}

/**
 * The file of each base (its size, its last load, and what the base says of its data), and the room on the disk of this
 * process's data: of a front (`nos_nos`), not that of the bases.
 */
export function baseFilesRoutes({ dataDir, statusOf, areOnNodes = false }: BaseFilesOptions): AdminPart {
  return new Elysia().get('/console/api/bases', async () => {
    const bases = await Promise.all(
      BASES.map(async (base) => {
        const { generation, docs } = statusOf(base);
        const { bytes, carregada_em } = areOnNodes ? NO_FILE : await fileOf(baseFile(dataDir, base));
        return { base, bytes, carregada_em, versao_dos_dados: generation, decisoes: docs };
      }),
    );
    return adminJson(200, { bases, nos_nos: areOnNodes, disco: await diskOf(dataDir) });
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

const NO_FILE: FileFacts = { bytes: null, carregada_em: null };

/** A load writes to the write-ahead log first, so it counts too. All null where no file can be seen. */
async function fileOf(file: string): Promise<FileFacts> {
  const [main, log] = await Promise.all([file, `${file}-wal`].map((path) => stat(path).catch(() => null)));
  if (main === null || main === undefined) return NO_FILE;
  // The date of an empty log only tells when the base was last opened.
  const isLogged = log !== null && log !== undefined && log.size > 0;
  const changedMs = isLogged ? Math.max(main.mtimeMs, log.mtimeMs) : main.mtimeMs;
  return { bytes: main.size + (isLogged ? log.size : 0), carregada_em: new Date(changedMs).toISOString() };
}
