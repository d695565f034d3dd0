import { Elysia } from 'elysia';
import type { BaseStatus } from '../../engine/snapshot.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { baseFile } from '../../index/format/schema.ts';
import { baseFileFacts, diskOf } from '../../observe/data-disk.ts';
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
  return new Elysia().get('/console/api/bases', () =>
    adminJson(200, filesReport({ dataDir, statusOf, areOnNodes })),
  );
}

export type BaseFilesReport = ReturnType<typeof filesReport>;

function filesReport({ dataDir, statusOf, areOnNodes }: Required<BaseFilesOptions>) {
  const bases = BASES.map((base) => {
    const { generation, docs } = statusOf(base);
    const file = areOnNodes ? null : baseFileFacts(baseFile(dataDir, base));
    return {
      base,
      bytes: file?.bytes ?? null,
      carregada_em: file === null ? null : new Date(file.changedMs).toISOString(),
      versao_dos_dados: generation,
      decisoes: docs,
    };
  });
  const disk = diskOf(dataDir);
  const disco = disk === null ? null : { livre_bytes: disk.freeBytes, bytes: disk.bytes };
  return { bases, nos_nos: areOnNodes, disco };
}
