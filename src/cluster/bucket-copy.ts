import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { writeAtomicallyAside } from '../process/files.ts';
import type { Value } from '../shared/values.ts';

const CopySchema = Type.Object({
  v: Type.Literal(1),
  entries: Type.Record(Type.String(), Type.Object({ text: Type.String(), revision: Type.Integer() })),
});
const copyCheck = Compile(CopySchema);

/** The file of a process's copy of a bucket. */
export function copyOf(dataDir: string, bucket: string): string {
  return join(dataDir, 'cluster', `${bucket}.json`);
}

/** The values of a copy on disk; none if there is no file. @throws if the file is no copy. */
export function copyIn(file: string): Map<string, Value> {
  if (!existsSync(file)) return new Map();
  const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!copyCheck.Check(stored)) throw new Error('not of the expected shape');
  return new Map(Object.entries(stored.entries));
}

/** @throws system errors. */
export async function writeCopy(file: string, entries: ReadonlyMap<string, Value>): Promise<void> {
  const copy: Static<typeof CopySchema> = { v: 1, entries: Object.fromEntries(entries) };
  await writeAtomicallyAside(file, `${JSON.stringify(copy, null, 2)}\n`);
}
