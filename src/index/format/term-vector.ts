import { hash } from 'node:crypto';
import { ByteReader, ByteWriter } from './bytes.ts';

/** A decision's words and impacts. `term_vectors` and `replaced` have them as a line each, compressed (zstd). */
export type Words = ReadonlyMap<string, number>;

/** @param positions if given, a last line has their digest, by which the same full text is told. */
export function linesOf(words: Iterable<readonly [string, number]>, positions?: Uint8Array): string {
  const lines = Array.from(words, ([word, impact]) => `${word} ${impact}`);
  if (positions !== undefined) lines.push(` ${hash('sha256', positions, 'hex')}`);
  return lines.join('\n');
}

export function unpackWords(packed: Uint8Array): Words {
  const words = new Map<string, number>();
  for (const line of Bun.zstdDecompressSync(packed).toString().split('\n')) {
    const at = line.lastIndexOf(' ');
    if (at > 0) words.set(line.slice(0, at), Number(line.slice(at + 1)));
  }
  return words;
}

/** Of no words: a withdrawn decision's. */
export const NO_WORDS = Bun.zstdCompressSync('');

/** A `replaced` row: a replaced decision. */
export interface Version {
  /** The data generation that replaced it. */
  readonly generation: number;
  readonly docId: number;
  /** When it was replaced, in days since 1970. */
  readonly day: number;
  readonly packed: Uint8Array;
}

export function writeVersion({ generation, docId, day, packed }: Version): Uint8Array {
  const row = new ByteWriter(packed.length + 32);
  row.varint(generation);
  row.varint(docId);
  row.varint(day);
  row.copy(packed, 0, packed.length);
  return row.result();
}

export function readVersion(content: Uint8Array): Version {
  const reader = new ByteReader(content);
  const [generation, docId, day] = [reader.varint(), reader.varint(), reader.varint()];
  return { generation, docId, day, packed: reader.take(content.length - reader.at) };
}
