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

/** The copy of a bucket on the disk, from which a process starts without the broker. */
export class BucketCopy {
  readonly #file: string;
  readonly #onFault: (reason: string) => void;
  #unsaved: ReadonlyMap<string, Value> | null = null;
  #isSaving = false;

  constructor(file: string, onFault: (reason: string) => void) {
    this.#file = file;
    this.#onFault = onFault;
  }

  /**
   * Writes one copy at a time, and only the latest if several wait. Without `values`: those that could not be written before.
   */
  async save(values = this.#unsaved): Promise<void> {
    this.#unsaved = values;
    if (this.#isSaving) return;
    this.#isSaving = true;
    while (this.#unsaved !== null) {
      const saving = this.#unsaved;
      const copy: Static<typeof CopySchema> = { v: 1, entries: Object.fromEntries(saving) };
      try {
        await writeAtomicallyAside(this.#file, `${JSON.stringify(copy, null, 2)}\n`);
      } catch (error) {
        this.#onFault(String(error));
        break;
      }
      if (this.#unsaved === saving) this.#unsaved = null;
    }
    this.#isSaving = false;
  }
}
