import { timingSafeEqual } from 'node:crypto';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { PosicaoRelevanciaSchema, PosicaoRecentesSchema, type Posicao } from '../base/messages.ts';
import { BASES, type Base } from '../contract/enums.ts';

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

const basePlace = Type.Integer({ minimum: 0, maximum: BASES.length - 1 });
const PosicaoPacked = Type.Union([
  Type.Tuple([basePlace]),
  Type.Tuple([basePlace, PosicaoRecentesSchema.properties.abaixo_de]),
  Type.Tuple([
    basePlace,
    PosicaoRelevanciaSchema.properties.horizonte,
    PosicaoRelevanciaSchema.properties.df,
    PosicaoRelevanciaSchema.properties.score,
    PosicaoRelevanciaSchema.properties.numero,
    PosicaoRelevanciaSchema.properties.geracao,
  ]),
]);
const CursorPacked = Compile(
  Type.Tuple([Type.Literal(VERSION), Type.String(), basePlace, Type.Array(PosicaoPacked)]),
);

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
  return [place, posicao.horizonte, posicao.df, posicao.score, posicao.numero, posicao.geracao];
}

/** The signature says that we wrote it; the schema still holds for versions to come and for a leaked secret. */
function unpackCursor(json: string, parameters: string): Cursor | CursorRefusal {
  const packed: unknown = JSON.parse(json);
  if (!CursorPacked.Check(packed)) return 'invalid';
  const [, search, vez, entries] = packed;
  if (search !== fingerprint(parameters)) return 'other_search';
  const posicoes = new Map(entries.map((entry) => [baseAt(entry[0]), unpack(entry)]));
  if (posicoes.size !== entries.length || posicoes.size === 0) return 'invalid';
  return { vez: baseAt(vez), posicoes };
}

function baseAt(place: number): Base {
  return BASES[place] ?? BASES[0];
}

function unpack(entry: Static<typeof PosicaoPacked>): Posicao | null {
  const [, limit, df, score, numero, geracao] = entry;
  if (limit === undefined) return null;
  if (df === undefined || score === undefined || numero === undefined || geracao === undefined) {
    return { ordem: 'recentes', abaixo_de: limit };
  }
  return { ordem: 'relevancia', horizonte: limit, df, score, numero, geracao };
}
