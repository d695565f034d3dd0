import { LRUCache } from 'lru-cache';
import type { Abandonment } from '../clock.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { DataVersion } from '../engine/data-version.ts';
import type { DataVersions, SearchPage } from '../search/page.ts';
import type { Body, Headers } from './answer.ts';

/** An answer that is sent again. */
export interface KeptAnswer {
  /** Those that depend on the answer alone. */
  readonly headers: Readonly<Headers>;
  readonly body: Body;
  /** For the observers; its items are empty. Null for a record. */
  readonly page: SearchPage | null;
}

/** A whole answer: the same that the bases would give, asked again, while their data are the same. */
export interface WholeAnswer {
  readonly versions: DataVersions;
  /** Characters of its items, or of its body. */
  readonly length: number;
  /** Called at its first use only: most answers are never asked for again. */
  readonly make: () => KeptAnswer;
}

/** Size estimate of an entry without its texts. */
const ENTRY_BYTES = 4_000;
/** Text and compressed text, rounded up. */
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_MB = 1_048_576;

/** The present data of a base; null if it is not up or does not say it soon. */
type VersionOf = (base: Base, abandoned: Abandonment) => DataVersion | null | Promise<DataVersion | null>;

/** The latest whole answers, for equal requests. The least recently used one is evicted first. */
export class AnswerCache {
  readonly #versionOf: VersionOf;
  #kept: LRUCache<string, Entry> | null = null;

  /** @param mbMax megabytes; 0 for no cache. */
  constructor(mbMax: number, versionOf: VersionOf) {
    this.mbMax = mbMax;
    this.#versionOf = versionOf;
  }

  /** Changes the size and empties the cache. */
  set mbMax(mbMax: number) {
    this.#kept =
      mbMax === 0 ? null : new LRUCache({ maxSize: mbMax * BYTES_PER_MB, sizeCalculation: bytesOf });
  }

  /** Estimate of the memory held, bytes. */
  get bytes(): number {
    return this.#kept?.calculatedSize ?? 0;
  }

  /** An answer whose bases are up and have the data that it was read from. */
  find(key: string, abandoned: Abandonment): KeptAnswer | undefined | Promise<KeptAnswer | undefined> {
    const entry = this.#kept?.get(key);
    if (entry === undefined) return undefined;
    const present = this.present([...entry.versions.keys()], abandoned);
    if (!(present instanceof Promise)) return entry.answerOf(present);
    return present.then((versions) => entry.answerOf(versions));
  }

  /** The present data of some bases; null if one is not up or does not say it soon. */
  present(
    bases: readonly Base[],
    abandoned: Abandonment,
  ): DataVersions | null | Promise<DataVersions | null> {
    const versions = bases.map((base) => this.#versionOf(base, abandoned));
    if (versions.every(isKnown)) return allOf(bases, versions);
    return Promise.all(versions.map((version) => Promise.resolve(version))).then((all) => allOf(bases, all));
  }

  keep(key: string, answer: WholeAnswer): void {
    this.#kept?.set(key, new Entry(answer));
  }
}

class Entry {
  readonly versions: DataVersions;
  readonly length: number;
  #made: KeptAnswer | WholeAnswer['make'];

  constructor({ versions, length, make }: WholeAnswer) {
    this.versions = versions;
    this.length = length;
    this.#made = make;
  }

  /** The answer, if its bases have the data that it was read from. */
  answerOf(present: DataVersions | null): KeptAnswer | undefined {
    if (present === null) return undefined;
    for (const [base, { state }] of this.versions) if (present.get(base)?.state !== state) return undefined;
    if (typeof this.#made === 'function') this.#made = this.#made();
    return this.#made;
  }
}

function isKnown(version: ReturnType<VersionOf>): version is DataVersion | null {
  return !(version instanceof Promise);
}

function allOf(bases: readonly Base[], versions: readonly (DataVersion | null)[]): DataVersions | null {
  const all = new Map<Base, DataVersion>();
  for (const [at, base] of bases.entries()) {
    const version = versions[at] ?? null;
    if (version === null) return null;
    all.set(base, version);
  }
  return all;
}

function bytesOf({ length }: Entry, key: string): number {
  return ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + length);
}
