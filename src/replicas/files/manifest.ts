import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { BaseCoberturaSchema } from '../../contract/cobertura.ts';
import { BaseSchema } from '../../contract/enums.ts';
import type { Base } from '../../contract/vocabulary.ts';

const whole = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });

/**
 * Names the file of a base that its replicas should have.
 * - `file`: its name, which never gets other content; - `bytes`, `sha256`: of the file;
 * - `generation`, `version`, `decisions`: of the data; - `schema`: version of the file's layout;
 * - `coverage`: as `cobertura` reports it; - `published_at`: ISO 8601.
 */
const ManifestSchema = Type.Object({
  v: Type.Literal(1),
  base: BaseSchema,
  file: Type.String(),
  bytes: whole,
  sha256: Type.String({ pattern: '^[0-9a-f]{64}$' }),
  generation: whole,
  version: Type.String({ pattern: '^[0-9]+-[0-9a-f]*$' }),
  schema: whole,
  decisions: whole,
  coverage: BaseCoberturaSchema,
  published_at: Type.String(),
});
export type Manifest = Static<typeof ManifestSchema>;

/** Longest accepted manifest; a usual one has less than 1 kB. */
export const MANIFEST_BYTES_MAX = 65_536;

const check = Compile(ManifestSchema);

/** Null if it is invalid, of another base, or names a file by anything but its generation and hash: a path, for instance. */
export function readManifest(text: string, base: Base): Manifest | null {
  const sent = parsed(text);
  if (!check.Check(sent) || sent.base !== base || sent.coverage.base !== base) return null;
  return sent.file === fileNameOf(sent) && sent.version.startsWith(`${sent.generation}-`) ? sent : null;
}

export function manifestName(base: Base): string {
  return `${base}.json`;
}

/** `<base>-<generation>-<sha256>.db`. */
export function fileNameOf(of: Pick<Manifest, 'base' | 'generation' | 'sha256'>): string {
  return `${of.base}-${of.generation}-${of.sha256}.db`;
}

/** Whether a name has the form of a published file of the base. */
export function isFileOf(base: Base, name: string): boolean {
  return name.startsWith(`${base}-`) && /^[a-z0-9]+-\d+-[0-9a-f]{64}\.db$/u.test(name);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
