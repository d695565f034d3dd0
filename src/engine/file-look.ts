import { stat } from 'node:fs/promises';
import { checked, identityOf, noneAt } from '../index/format/file-check.ts';
import type { Look } from './port.ts';
import { LATE, within } from './within.ts';
import { STAT_MS_MAX } from '../config/limits.ts';

/** Reads the status of a base file without blocking the caller's thread. At most one read runs. */
export class FileLook {
  readonly #file: string;
  #looking: Promise<Look> | null = null;

  constructor(file: string) {
    this.#file = file;
  }

  async look(): Promise<Look> {
    // While the file system hangs, later calls wait for the same answer.
    this.#looking ??= lookAt(this.#file).finally(() => {
      this.#looking = null;
    });
    const found = await within(STAT_MS_MAX, this.#looking);
    return found === LATE ? none(`the file system does not say what is at ${this.#file}`) : found;
  }
}

async function lookAt(file: string): Promise<Look> {
  try {
    const { file: identity, written } = identityOf(checked(await stat(file), file));
    return { fault: null, identity: `${identity}:${written}` };
  } catch (error) {
    if (!(error instanceof Error)) return none(String(error));
    const isNone = 'code' in error && error.code === 'ENOENT';
    return none(isNone ? noneAt(file) : error.message);
  }
}

function none(fault: string): Look {
  return { fault, identity: '' };
}
