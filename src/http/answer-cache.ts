import { LRUCache } from 'lru-cache';
import type { Abandonment } from '../clock.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import type { DataVersion } from '../engine/data-version.ts';
import type { DataVersions, SearchPage } from '../search/page.ts';
import { gzipped, type Body, type Headers } from './answer.ts';

/** A whole answer: the same that the bases would give, asked again, while their data are the same. */
export interface KeptAnswer {
  readonly versions: DataVersions;
  /** Those that depend on the answer alone. */
  readonly headers: Readonly<Headers>;
  readonly body: KeptBody;
  /** For the observers; its items are empty. Null for a record. */
  readonly page: SearchPage | null;
}

/** The body of an answer, encoded when it is first sent again. */
export class KeptBody implements Body {
  readonly length: number;
  #plain: string | Uint8Array<ArrayBuffer>;
  #gzip: Uint8Array<ArrayBuffer> | null = null;

  constructor(json: string) {
    this.length = json.length;
    this.#plain = json;
  }

  plain(): Uint8Array<ArrayBuffer> {
    if (typeof this.#plain === 'string') this.#plain = new TextEncoder().encode(this.#plain);
    return this.#plain;
  }

  gzip(): Uint8Array<ArrayBuffer> {
    return (this.#gzip ??= gzipped(this.plain()));
  }
}

/** Size estimate of an entry without its texts. */
const ENTRY_BYTES = 4_000;
/** Text, compressed text, and what two bytes a character take until the first use. */
const BYTES_PER_CHARACTER = 2;
const BYTES_PER_MB = 1_048_576;

/** The present data of a base; null if it is not up or does not say it soon. */
type VersionOf = (base: Base, abandoned: Abandonment) => DataVersion | null | Promise<DataVersion | null>;

/** The latest whole answers, for equal requests. The least recently used one is evicted first. */
export class AnswerCache {
  readonly #versionOf: VersionOf;
  #kept: LRUCache<string, KeptAnswer> | null = null;

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
    const kept = this.#kept?.get(key);
    if (kept === undefined) return undefined;
    const present = this.present(kept.versions.keys(), abandoned);
    if (!(present instanceof Promise)) return isOf(kept, present) ? kept : undefined;
    return present.then((versions) => (isOf(kept, versions) ? kept : undefined));
  }

  /** The present data of some bases; null if one is not up or does not say it soon. */
  present(bases: Iterable<Base>, abandoned: Abandonment): DataVersions | null | Promise<DataVersions | null> {
    const known: Known[] = [];
    const waiting: Promise<Known>[] = [];
    for (const base of bases) {
      const version = this.#versionOf(base, abandoned);
      if (version instanceof Promise) waiting.push(version.then((named) => [base, named]));
      else known.push([base, version]);
    }
    if (waiting.length === 0) return allOf(known);
    return Promise.all(waiting).then((later) => allOf([...known, ...later]));
  }

  keep(key: string, answer: KeptAnswer): void {
    this.#kept?.set(key, answer);
  }
}

function isOf({ versions }: KeptAnswer, present: DataVersions | null): boolean {
  if (present === null) return false;
  for (const [base, { state }] of versions) if (present.get(base)?.state !== state) return false;
  return true;
}

type Known = readonly [Base, DataVersion | null];

/** In the order of `BASES`; null if one is not known. */
function allOf(known: readonly Known[]): DataVersions | null {
  const versions = new Map<Base, DataVersion>();
  const inOrder = known.toSorted(([a], [b]) => BASES.indexOf(a) - BASES.indexOf(b));
  for (const [base, version] of inOrder) {
    if (version === null) return null;
    versions.set(base, version);
  }
  return versions;
}

function bytesOf({ body }: KeptAnswer, key: string): number {
  return ENTRY_BYTES + BYTES_PER_CHARACTER * (key.length + body.length);
}
