import { timingSafeEqual } from 'node:crypto';
import type { Posicao } from '../engine/messages.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';

/** Where a search goes on: each unfinished base's position (null: it has not answered yet) and the turn. */
export interface Cursor {
  readonly vez: Base;
  readonly posicoes: ReadonlyMap<Base, Posicao | null>;
}

/** `invalid`: not a cursor of this service, or changed; `other_search`: one of a search with other parameters. */
export type CursorRefusal = 'invalid' | 'other_search';

/** Longest cursor that is looked at: six bases with the frequencies of 150 words each stay below it. */
const LENGTH_MAX = 12_000;
const VERSION = 1;
const MAC_BYTES = 16;
const FINGERPRINT_BYTES = 9;

/** A base by its place in `BASES`, and where the reader stands in it: a `Posicao` without its names. */
type Entry =
  | [place: number]
  | [place: number, abaixo_de: number]
  | [
      place: number,
      horizonte: number,
      df: number[],
      score: number | null,
      numero: number,
      generation: number,
    ];
type Packed = [version: typeof VERSION, search: string, vez: number, entries: Entry[]];

/**
 * Writes and reads cursors: opaque, versioned, and signed, so that a changed one is told apart. A cursor is
 * bound to the search it came from by a fingerprint of all its other parameters.
 */
export class CursorCodec {
  readonly #secret: Uint8Array;

  /** @param secret at least 32 random bytes, kept across restarts so that cursors outlive them. */
  constructor(secret: Uint8Array) {
    this.#secret = secret;
  }

  encode(cursor: Cursor, parameters: string): string {
    const posicoes = [...cursor.posicoes].map(([base, posicao]) => pack(BASES.indexOf(base), posicao));
    const packed = [VERSION, fingerprint(parameters), BASES.indexOf(cursor.vez), posicoes];
    const body = Buffer.from(JSON.stringify(packed));
    return Buffer.concat([this.#mac(body), body]).toString('base64url');
  }

  decode(text: string, parameters: string): Cursor | CursorRefusal {
    if (text.length > LENGTH_MAX || !/^[\w-]+$/.test(text)) return 'invalid';
    const bytes = Buffer.from(text, 'base64url');
    // Base64 ends in spare bits: only the one spelling that we write is accepted.
    if (bytes.length <= MAC_BYTES || bytes.toString('base64url') !== text) return 'invalid';
    const body = bytes.subarray(MAC_BYTES);
    if (!timingSafeEqual(bytes.subarray(0, MAC_BYTES), this.#mac(body))) return 'invalid';
    return unpackCursor(body.toString(), parameters);
  }

  #mac(body: Uint8Array): Buffer {
    return new Bun.CryptoHasher('sha256', this.#secret).update(body).digest().subarray(0, MAC_BYTES);
  }
}

function fingerprint(parameters: string): string {
  return Buffer.from(Bun.SHA256.hash(parameters).buffer, 0, FINGERPRINT_BYTES).toString('base64url');
}

function pack(place: number, posicao: Posicao | null): unknown[] {
  if (posicao === null) return [place];
  if (posicao.ordem === 'recentes') return [place, posicao.abaixo_de];
  return [place, posicao.horizonte, posicao.df, posicao.score, posicao.numero, posicao.generation];
}

/** The signature says that we wrote it; its shape is looked at for versions to come and for a leaked secret. */
function unpackCursor(json: string, parameters: string): Cursor | CursorRefusal {
  const packed = parsed(json);
  if (!isPacked(packed)) return 'invalid';
  const [, search, vez, entries] = packed;
  if (search !== fingerprint(parameters)) return 'other_search';
  const posicoes = new Map(entries.map((entry) => [baseAt(entry[0]), unpack(entry)]));
  if (posicoes.size !== entries.length || posicoes.size === 0) return 'invalid';
  return { vez: baseAt(vez), posicoes };
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch {
    return null;
  }
}

/** By hand: with a schema, every start would load its library to read the cursors of some searches. */
function isPacked(packed: unknown): packed is Packed {
  if (!Array.isArray(packed) || packed.length !== 4) return false;
  const [version, search, vez, entries]: unknown[] = packed;
  const isFramed = version === VERSION && typeof search === 'string' && isPlace(vez);
  return isFramed && Array.isArray(entries) && entries.every(isEntry);
}

function isEntry(entry: unknown): entry is Entry {
  if (!Array.isArray(entry) || !isPlace(entry[0])) return false;
  const [, limit, df, score, numero, generation]: unknown[] = entry;
  if (entry.length === 1) return true;
  if (entry.length === 2) return isWhole(limit);
  const isRanked = Array.isArray(df) && df.every(isWhole) && (score === null || Number.isFinite(score));
  return entry.length === 6 && isWhole(limit) && isRanked && isWhole(numero) && isWhole(generation);
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

function unpack(entry: Entry): Posicao | null {
  const [, limit, df, score, numero, generation] = entry;
  if (limit === undefined) return null;
  if (df === undefined || score === undefined || numero === undefined || generation === undefined) {
    return { ordem: 'recentes', abaixo_de: limit };
  }
  return { ordem: 'relevancia', horizonte: limit, df, score, numero, generation };
}
