import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { BaseCoberturaSchema } from '../../contract/cobertura.ts';
import { BaseSchema } from '../../contract/enums.ts';
import type { Base } from '../../contract/vocabulary.ts';

const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
const sha256 = Type.String({ pattern: '^[0-9a-f]{64}$' });

/**
 * Describes the file that a base's replicas should serve.
 * - `generation`, `decisions`: of the base file; - `bytes`, `sha256`: of the file as sent;
 * - `chunks_sha256`: of its chunk list; - `file`: its name at the publisher; - `coverage`: as `cobertura` reports it;
 * - `published_at`: ISO 8601; - `url`: of the folder with the file and its chunk list.
 */
export const ManifestSchema = Type.Object({
  v: Type.Literal(1),
  base: BaseSchema,
  generation: whole,
  decisions: whole,
  bytes: whole,
  sha256,
  chunks_sha256: sha256,
  file: Type.String({ pattern: '^[a-z0-9]+-[0-9]+-[0-9a-f]{16}\\.db$' }),
  coverage: BaseCoberturaSchema,
  published_at: Type.String(),
  url: Type.String({ pattern: '^https?://' }),
});
export type Manifest = Static<typeof ManifestSchema>;

const check = Compile(ManifestSchema);
const SHA_IN_NAME = 16;

/** Parses a manifest; null if it is invalid, or its file name contradicts it. */
export function readManifest(text: string): Manifest | null {
  const sent = parsed(text);
  if (!check.Check(sent)) return null;
  const isWhole = sent.coverage.base === sent.base && sent.file === fileNameOf(sent);
  return isWhole ? sent : null;
}

/** `<base>-<generation>-<sha>.db`. */
export function fileNameOf(of: Pick<Manifest, 'base' | 'generation' | 'sha256'>): string {
  return `${of.base}-${of.generation}-${of.sha256.slice(0, SHA_IN_NAME)}.db`;
}

/** The parts of a file name; null for any other name. */
export function partsOfName(name: string, base: Base): { generation: number; sha: string } | null {
  const found = /^([a-z0-9]+)-(\d{1,15})-([0-9a-f]{16})\.db$/u.exec(name);
  const [, named, generation = '', sha = ''] = found ?? [];
  return named === base ? { generation: Number(generation), sha } : null;
}

export function chunkListOf(file: string): string {
  return file.replace(/\.db$/u, '.chunks');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
