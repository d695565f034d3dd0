import { timingSafeEqual } from 'node:crypto';
import type { After } from '../engine/messages.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';

/** Where a search continues: the position in each unfinished base (null: no answer yet), and the next base in turn. */
export interface Cursor {
  readonly vez: Base;
  readonly after: ReadonlyMap<Base, After | null>;
}

/** The current secrets: the first signs; cursors signed with any of these are accepted. */
export type CursorSecrets = () => readonly [Uint8Array, ...Uint8Array[]];

/** `invalid`: not a cursor of this service, or modified; `other_search`: a cursor of a search with other parameters. */
export type CursorRefusal = 'invalid' | 'other_search';

/** Longest accepted cursor. Six bases with the frequencies of 150 words each stay below it. */
const LENGTH_MAX = 12_000;
const VERSION = 1;
const MAC_BYTES = 16;
const FINGERPRINT_BYTES = 9;

/** A base's index in `BASES`, and the values of `After`. */
type Entry =
  | [place: number]
  | [place: number, below: number, generation?: number]
  | [
      place: number,
      doc_id_max: number,
      df: number[],
      score: number | null,
      docId: number,
      generation: number,
    ];
type Packed = [version: typeof VERSION, search: string, vez: number, entries: Entry[]];

/**
 * Writes and reads cursors. A cursor is opaque, versioned and signed. A fingerprint of all other parameters binds it to the
 * search.
 */
export class CursorCodec {
  readonly #secrets: CursorSecrets;
  #named: { readonly secret: Uint8Array; readonly name: string } | null = null;

  /** @param secret at least 32 random bytes, the same after a restart, so that cursors stay valid; or several. */
  constructor(secret: Uint8Array | CursorSecrets) {
    this.#secrets = secret instanceof Uint8Array ? () => [secret] : secret;
  }

  /** Names the secret that signs now. */
  get signedWith(): string {
    const [secret] = this.#secrets();
    if (this.#named?.secret !== secret) this.#named = { secret, name: fingerprint(secret) };
    return this.#named.name;
  }

  encode(cursor: Cursor, parameters: string): string {
    const entries = [...cursor.after].map(([base, after]) => pack(BASES.indexOf(base), after));
    const packed = [VERSION, fingerprint(parameters), BASES.indexOf(cursor.vez), entries];
    const body = Buffer.from(JSON.stringify(packed));
    return Buffer.concat([mac(body, this.#secrets()[0]), body]).toString('base64url');
  }

  decode(text: string, parameters: string): Cursor | CursorRefusal {
    if (text.length > LENGTH_MAX || !/^[\w-]+$/.test(text)) return 'invalid';
    const bytes = Buffer.from(text, 'base64url');
    // The last bits of Base64 may be unused; only the canonical form is accepted.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return 'invalid';
    const body = bytes.subarray(MAC_BYTES);
    const signature = bytes.subarray(0, MAC_BYTES);
    if (!this.#secrets().some((secret) => timingSafeEqual(signature, mac(body, secret)))) return 'invalid';
    return unpackCursor(body.toString(), parameters);
  }
}

function mac(body: Uint8Array, secret: Uint8Array): Buffer {
  return new Bun.CryptoHasher('sha256', secret).update(body).digest().subarray(0, MAC_BYTES);
}

function fingerprint(of: string | Uint8Array): string {
  return Buffer.from(Bun.SHA256.hash(of).buffer, 0, FINGERPRINT_BYTES).toString('base64url');
}

function pack(place: number, after: After | null): unknown[] {
  if (after === null) return [place];
  if (after.ordem === 'recentes')
    return after.generation === undefined ? [place, after.below] : [place, after.below, after.generation];
  return [place, after.doc_id_max, after.df, after.score, after.doc_id, after.generation];
}

/** A signed cursor may still have an invalid shape: from a different version, or with a leaked secret. */
function unpackCursor(json: string, parameters: string): Cursor | CursorRefusal {
  const packed = parsed(json);
  if (!isPacked(packed)) return 'invalid';
  const [, search, vez, entries] = packed;
  if (search !== fingerprint(parameters)) return 'other_search';
  const after = new Map(entries.map((entry) => [baseAt(entry[0]), unpack(entry)]));
  if (after.size !== entries.length || after.size === 0) return 'invalid';
  return { vez: baseAt(vez), after };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Written by hand: a schema would load the schema library at every start. */
function isPacked(packed: unknown): packed is Packed {
  if (!Array.isArray(packed) || packed.length !== 4) return false;
  const [version, search, vez, entries]: unknown[] = packed;
  const isFramed = version === VERSION && typeof search === 'string' && isPlace(vez);
  return isFramed && Array.isArray(entries) && entries.every(isEntry);
}

function isEntry(entry: unknown): entry is Entry {
  if (!Array.isArray(entry) || !isPlace(entry[0])) return false;
  const [, limit, df, score, docId, generation]: unknown[] = entry;
  if (entry.length === 1) return true;
  if (entry.length === 2) return isWhole(limit);
  if (entry.length === 3) return isWhole(limit) && isWhole(df);
  const isRanked = Array.isArray(df) && df.every(isWhole) && (score === null || Number.isFinite(score));
  return entry.length === 6 && isWhole(limit) && isRanked && isWhole(docId) && isWhole(generation);
}

function isPlace(value: unknown): value is number {
  return isWhole(value) && value < BASES.length;
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}

function baseAt(place: number): Base {
  return BASES[place] ?? BASES[0];
}

function unpack(entry: Entry): After | null {
  const [, limit, df, score, docId, generation] = entry;
  if (limit === undefined) return null;
  if (typeof df === 'number') return { ordem: 'recentes', below: limit, generation: df };
  if (df === undefined || score === undefined || docId === undefined || generation === undefined) {
    return { ordem: 'recentes', below: limit };
  }
  return { ordem: 'relevancia', doc_id_max: limit, df, score, doc_id: docId, generation };
}
