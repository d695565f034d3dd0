import { crc32 } from 'node:zlib';
import { seal, unseal } from './seal.ts';

/** How far everything in a base file goes: the one row of `estado`, as JSON text. Who knows it knows what must be there. */
export interface State {
  /** Raised by each transaction that changes anything. */
  readonly geracao: number;
  /** The highest number; numbers begin with 1 and have no gaps. */
  readonly decisoes: number;
  /** The highest id of a list; each has a name in the dictionary. */
  readonly listas: number;
  /** Rows of `versao`: the first one that is kept, and the one that comes next. */
  readonly versoes: readonly [number, number];
  /** The checksums of all rows of `origem`, each with each by exclusive or. */
  readonly origem: number;
}

const KEY = 1;
const NEW: State = { geracao: 0, decisoes: 0, listas: 0, versoes: [1, 1], origem: 0 };

export const NEW_STATE_ROW = writeState(NEW);
export const READ_STATE_SQL = `SELECT dados FROM estado WHERE unico = ${KEY}`;
export const WRITE_STATE_SQL = `INSERT OR REPLACE INTO estado (unico, dados) VALUES (${KEY}, ?)`;

/** @throws DamagedBase */
export function readState(row: Uint8Array | undefined): State {
  const text = Buffer.from(unseal('estado', KEY, row)).toString();
  // A row whose checksum is right is one that `writeState` has made.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(text) as State;
}

export function writeState(state: State): Uint8Array {
  return seal('estado', KEY, Buffer.from(JSON.stringify(state)));
}

/** The checksum of one row of `origem`. */
export function originSum(tribunal: number, chave: string, numero: number, digest: Uint8Array): number {
  return crc32(digest, crc32(`${tribunal} ${chave} ${numero} `));
}
