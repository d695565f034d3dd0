import type Database from 'better-sqlite3';
import { COLUMNS, WEIGHTS, impact, type Column } from '../base/relevance.ts';
import { BLOCK_SIZE, POSTING_BYTES, WORD_BYTES, listKey } from '../base/schema.ts';
import { tokens } from '../base/tokens.ts';

/** Each word of a decision with its impact (1 to 255). */
export type Impacts = ReadonlyMap<string, number>;

/** Weighs the words of a decision by the formula of `src/base/relevance.ts`. */
export function impactsOf(indexed: Readonly<Record<Column, string>>): Impacts {
  const weighted = new Map<string, number>();
  let length = 0;
  for (const column of COLUMNS) {
    const words = tokens(indexed[column]);
    length += words.length;
    for (const word of words) weighted.set(word, (weighted.get(word) ?? 0) + WEIGHTS[column]);
  }
  for (const [word, tf] of weighted) weighted.set(word, impact(tf, length));
  return weighted;
}

/** Words whose ids are kept in memory; past this the table is asked again, so that memory stays flat. */
const KNOWN_WORDS_MAX = 200_000;

/**
 * Writes the `lexico` and `impacto` tables. New decisions gather in memory and are appended to their words'
 * lists by `flush`, once a transaction: a common word's list is then written once and not once a decision.
 */
export class PostingWriter {
  readonly #wordId: (word: string) => number;
  readonly #readList: Database.Statement<[number], Buffer>;
  readonly #writeList: Database.Statement<[number, Buffer]>;
  readonly #known = new Map<string, number>();
  #pending = new Map<number, number[]>();

  constructor(db: Database.Database) {
    const find = db.prepare<[string], number>('SELECT id FROM lexico WHERE termo = ?').pluck();
    const insert = db.prepare<[string]>('INSERT INTO lexico (termo) VALUES (?)');
    this.#wordId = (word) => find.get(word) ?? Number(insert.run(word).lastInsertRowid);
    this.#readList = db.prepare<[number], Buffer>('SELECT dados FROM impacto WHERE lista = ?').pluck();
    this.#writeList = db.prepare('INSERT OR REPLACE INTO impacto (lista, dados) VALUES (?, ?)');
  }

  /** Adds a decision whose number is above all others. */
  append(numero: number, impacts: Impacts): void {
    const offset = numero % BLOCK_SIZE;
    const block = Math.floor(numero / BLOCK_SIZE);
    for (const [word, weight] of impacts) {
      const list = listKey(this.#idOf(word), block);
      const postings = this.#pending.get(list);
      if (postings === undefined) this.#pending.set(list, [offset & 0xff, offset >> 8, weight]);
      else postings.push(offset & 0xff, offset >> 8, weight);
    }
  }

  /** Writes what `append` has gathered; to be called before the transaction commits. */
  flush(): void {
    for (const [list, postings] of this.#pending) {
      const before = this.#readList.get(list);
      const added = Buffer.from(postings);
      this.#writeList.run(list, before === undefined ? added : Buffer.concat([before, added]));
    }
    this.#pending = new Map();
  }

  /** A decision's words as `vetor` and `versao` hold them. */
  pack(impacts: Impacts): Buffer {
    const packed = Buffer.alloc(impacts.size * WORD_BYTES);
    let at = 0;
    for (const [word, weight] of impacts) {
      at = packed.writeUIntLE(this.#idOf(word), at, WORD_BYTES - 1);
      at = packed.writeUInt8(weight, at);
    }
    return packed;
  }

  /** Puts a decision's new words in the place of its old ones, given packed; nothing may be pending. */
  replace(numero: number, old: Buffer, impacts: Impacts): void {
    const kept = new Set([...impacts.keys()].map((word) => this.#idOf(word)));
    for (let at = 0; at < old.length; at += WORD_BYTES) {
      const id = old.readUIntLE(at, WORD_BYTES - 1);
      if (!kept.has(id)) this.#edit(id, numero, null);
    }
    for (const [word, weight] of impacts) this.#edit(this.#idOf(word), numero, weight);
  }

  /** Forgets what a transaction that was rolled back had told it. */
  reset(): void {
    this.#pending = new Map();
    this.#known.clear();
  }

  #edit(id: number, numero: number, weight: number | null): void {
    const list = listKey(id, Math.floor(numero / BLOCK_SIZE));
    const offset = numero % BLOCK_SIZE;
    const before = this.#readList.get(list) ?? Buffer.alloc(0);
    let at = 0;
    while (at < before.length && before.readUInt16LE(at) < offset) at += POSTING_BYTES;
    const isThere = at < before.length && before.readUInt16LE(at) === offset;
    const added = weight === null ? [] : [offset & 0xff, offset >> 8, weight];
    const rest = before.subarray(isThere ? at + POSTING_BYTES : at);
    this.#writeList.run(list, Buffer.concat([before.subarray(0, at), Buffer.from(added), rest]));
  }

  #idOf(word: string): number {
    let id = this.#known.get(word);
    if (id === undefined) {
      if (this.#known.size >= KNOWN_WORDS_MAX) this.#known.clear();
      id = this.#wordId(word);
      this.#known.set(word, id);
    }
    return id;
  }
}
