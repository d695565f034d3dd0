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
    const entries = [...cursor.after].map(([base, after]) => pack(base, after));
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

/** A base's place in `BASES`, and the values of `After`. */
function pack(base: Base, after: After | null): unknown[] {
  const place = BASES.indexOf(base);
  if (after === null) return [place];
  if (after.ordem === 'recentes')
    return after.generation === undefined ? [place, after.below] : [place, after.below, after.generation];
  return [place, after.doc_id_max, after.df, after.score, after.doc_id, after.generation];
}

/**
 * A signed cursor may still have an invalid shape: from a different version, or with a leaked secret. Checked by hand: a
 * schema would load the schema library at every start.
 */
function unpackCursor(json: string, parameters: string): Cursor | CursorRefusal {
  const packed = parsed(json);
  if (!Array.isArray(packed) || packed.length !== 4) return 'invalid';
  const [version, search, place, entries]: unknown[] = packed;
  const vez = baseAt(place);
  if (version !== VERSION || typeof search !== 'string' || vez === null || !Array.isArray(entries))
    return 'invalid';
  const read = entries.map(unpack).filter((entry) => entry !== null);
  const after = new Map(read);
  if (read.length !== entries.length) return 'invalid';
  if (search !== fingerprint(parameters)) return 'other_search';
  return after.size !== entries.length || after.size === 0 ? 'invalid' : { vez, after };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** Null for another shape. */
function unpack(entry: unknown): [Base, After | null] | null {
  if (!Array.isArray(entry)) return null;
  const [place, limit, df, score, doc_id, generation]: unknown[] = entry;
  const base = baseAt(place);
  if (base === null) return null;
  if (entry.length === 1) return [base, null];
  if (!isWhole(limit)) return null;
  if (entry.length === 2) return [base, { ordem: 'recentes', below: limit }];
  if (entry.length === 3)
    return isWhole(df) ? [base, { ordem: 'recentes', below: limit, generation: df }] : null;
  const isScore = score === null || (typeof score === 'number' && Number.isFinite(score));
  if (entry.length !== 6 || !Array.isArray(df) || !df.every(isWhole) || !isScore) return null;
  if (!isWhole(doc_id) || !isWhole(generation)) return null;
  return [base, { ordem: 'relevancia', doc_id_max: limit, df, score, doc_id, generation }];
}

function baseAt(place: unknown): Base | null {
  return isWhole(place) ? (BASES[place] ?? null) : null;
}

function isWhole(value: unknown): value is number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0;
}
