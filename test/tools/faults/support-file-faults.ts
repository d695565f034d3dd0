import {
  closeSync,
  copyFileSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import Database from 'better-sqlite3';
import { baseFile } from '../../../src/index/format/schema.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { seeded } from './support-poll.ts';

const PAGE_BYTES = 4096;

/** A base file of which a good copy is kept, to break it and to put it right again. */
export class BreakableFile {
  readonly path: string;
  readonly #good: Buffer;

  /** Nothing may have the file open for writing: the copy is the whole of it only without a log next to it. */
  constructor(dataDir: string, base: Base) {
    this.path = baseFile(dataDir, base);
    this.#good = readFileSync(this.path);
  }

  get pages(): number {
    return this.#good.length / PAGE_BYTES;
  }

  /** Puts the good file in the place of whatever is there, at once, as `mv` does. */
  restore(): void {
    const aside = `${this.path}.good`;
    writeFileSync(aside, this.#good, { mode: 0o600 });
    renameSync(aside, this.path);
  }

  /** Writes the good bytes over the file that is there, as `cp` does. */
  restoreInPlace(): void {
    this.#overwrite(0, this.#good);
    this.truncate(this.#good.length);
  }

  remove(): void {
    rmSync(this.path);
  }

  /** Puts something in its place that is no file. */
  replaceByOther(what: 'named pipe' | 'folder'): void {
    const aside = `${this.path}.aside`;
    if (what === 'folder') mkdirSync(aside);
    else if (!Bun.spawnSync(['mkfifo', aside]).success) throw new Error('no named pipe could be made');
    this.remove();
    renameSync(aside, this.path);
  }

  /** Takes that away: no file can be renamed to where a folder is. */
  removeOther(): void {
    rmSync(this.path, { recursive: true });
  }

  truncate(bytes: number): void {
    truncateSync(this.path, bytes);
  }

  noise(from: number, bytes: number, seed: number): void {
    const random = seeded(seed);
    this.#overwrite(from, Buffer.from(Array.from({ length: bytes }, () => Math.floor(random() * 256))));
  }

  /** Noise over whole pages, from the second on, each with the given chance. */
  noisyPages(chance: number, seed: number): void {
    const random = seeded(seed);
    for (let page = 1; page < this.pages; page += 1) {
      if (random() < chance) this.noise(page * PAGE_BYTES, PAGE_BYTES, seed + page);
    }
  }

  /** Noise over a few bytes in the middle of pages, whose beginning and end stay as they are. */
  noisySpots(chance: number, bytes: number, seed: number): void {
    const random = seeded(seed);
    for (let page = 1; page < this.pages; page += 1) {
      if (random() >= chance) continue;
      const from = page * PAGE_BYTES + 600 + Math.floor(random() * 3_000);
      this.noise(from, bytes, seed + page);
    }
  }

  /** Puts a copy of the good file, changed by SQL, in its place at once. */
  replaceByChanged(change: (db: Database.Database) => void): void {
    const aside = `${this.path}.changed`;
    writeFileSync(aside, this.#good, { mode: 0o600 });
    const db = new Database(aside);
    change(db);
    db.pragma('journal_mode = DELETE');
    db.close();
    renameSync(aside, this.path);
  }

  /** Puts a copy of another file in its place: at once, or by writing over it byte for byte. */
  replaceBy(other: string, how: 'renamed' | 'in place'): void {
    if (how === 'renamed') {
      const aside = `${this.path}.other`;
      copyFileSync(other, aside);
      renameSync(aside, this.path);
    } else {
      const bytes = readFileSync(other);
      this.#overwrite(0, bytes);
      this.truncate(bytes.length);
    }
  }

  #overwrite(from: number, bytes: Uint8Array): void {
    const file = openSync(this.path, 'r+');
    writeSync(file, bytes, 0, bytes.length, from);
    closeSync(file);
  }
}
