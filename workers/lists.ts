import type { Termo } from '../src/base/messages.ts';
import { BLOCK_SIZE, POSTING_BYTES, listKey } from '../src/base/schema.ts';
import { EMPTY, countBits, newBits, setBit, truncate, type Bits } from './bits.ts';
import type { Connection } from './connection.ts';

const NO_POSTINGS = Buffer.alloc(0);

/** The decisions that hold a word of the query, block by block. */
export interface TermList {
  /** A fresh set, or `EMPTY`. */
  bits(block: number): Bits;
  /** An upper bound of the postings to read, for judging what is cheap. */
  readonly postings: number;
  /** Decisions up to a number, each counted once. */
  frequency(horizon: number): number;
  /** The word ids it stands for. */
  readonly ids: ReadonlySet<number>;
}

/** A word's stored list, read block by block when needed. */
export class WordList implements TermList {
  readonly #connection: Connection;
  readonly #id: number | null;
  /** Bytes of the list in each block that has one. */
  readonly #blocks = new Map<number, number>();
  readonly postings: number;
  readonly ids: ReadonlySet<number>;
  #read: { block: number; dados: Buffer } | null = null;

  constructor(connection: Connection, texto: string) {
    this.#connection = connection;
    this.#id =
      connection.statement<number>('SELECT id FROM lexico WHERE termo = ?').pluck().get(texto) ?? null;
    this.ids = new Set(this.#id === null ? [] : [this.#id]);
    let bytes = 0;
    for (const row of this.#directory()) {
      this.#blocks.set(row.lista % BLOCK_SIZE, row.bytes);
      bytes += row.bytes;
    }
    this.postings = bytes / POSTING_BYTES;
  }

  bits(block: number): Bits {
    const list = this.list(block);
    if (list.length === 0) return EMPTY;
    const bits = newBits();
    addTo(bits, list);
    return bits;
  }

  /** The postings of a block: three bytes each, offset (u16, little endian) and impact, by offset. */
  list(block: number): Buffer {
    if (this.#id === null || !this.#blocks.has(block)) return NO_POSTINGS;
    if (this.#read?.block !== block) {
      const select = this.#connection.statement<Buffer>('SELECT dados FROM impacto WHERE lista = ?').pluck();
      this.#read = { block, dados: select.get(listKey(this.#id, block)) ?? NO_POSTINGS };
    }
    return this.#read.dados;
  }

  frequency(): number {
    return this.postings;
  }

  #directory(): { lista: number; bytes: number }[] {
    if (this.#id === null) return [];
    return this.#connection
      .statement<{
        lista: number;
        bytes: number;
      }>('SELECT lista, length(dados) AS bytes FROM impacto WHERE lista >= ? AND lista < ?')
      .all(listKey(this.#id, 0), listKey(this.#id + 1, 0));
  }
}

/** Every word that starts with the given letters, each decision once with the best of its impacts. */
export class PrefixList implements TermList {
  readonly #blocks = new Map<number, Bits>();
  readonly #impacts = new Map<number, Uint8Array>();
  readonly ids = new Set<number>();
  postings = 0;

  /** @param withImpacts false where only matching is asked. @throws BudgetExceeded */
  constructor(connection: Connection, texto: string, withImpacts: boolean) {
    const rows = connection
      .statement<{ lista: number; dados: Buffer }>(PREFIX_SQL)
      .iterate(texto, `${texto}\u{10ffff}`);
    for (const { lista, dados } of rows) {
      const block = lista % BLOCK_SIZE;
      this.ids.add(Math.floor(lista / BLOCK_SIZE));
      this.postings += dados.length / POSTING_BYTES;
      addTo(getOrMake(this.#blocks, block, newBits), dados);
      if (withImpacts) keepBest(getOrMake(this.#impacts, block, newImpacts), dados);
    }
  }

  bits(block: number): Bits {
    return this.#blocks.get(block)?.slice() ?? EMPTY;
  }

  /** The best impact at each offset of a block; null when no decision of it has the prefix. */
  impacts(block: number): Uint8Array | null {
    return this.#impacts.get(block) ?? null;
  }

  frequency(horizon: number): number {
    let sum = 0;
    for (const block of this.#blocks.keys()) {
      const bits = this.bits(block);
      truncate(bits, horizon + 1 - block * BLOCK_SIZE);
      sum += countBits(bits);
    }
    return sum;
  }
}

const PREFIX_SQL = `
  SELECT i.lista, i.dados FROM lexico l
  CROSS JOIN impacto i ON i.lista >= l.id * ${BLOCK_SIZE} AND i.lista < (l.id + 1) * ${BLOCK_SIZE}
  WHERE l.termo >= ? AND l.termo < ? AND within_budget()`;

/** The lists of one request, each read once. */
export class Lists {
  readonly #connection: Connection;
  readonly #withImpacts: boolean;
  readonly #words = new Map<string, WordList>();
  readonly #prefixes = new Map<string, PrefixList>();

  constructor(connection: Connection, withImpacts: boolean) {
    this.#connection = connection;
    this.#withImpacts = withImpacts;
  }

  of({ texto, prefixo }: Termo): TermList {
    return prefixo ? this.prefix(texto) : this.word(texto);
  }

  word(texto: string): WordList {
    return getOrMake(this.#words, texto, () => new WordList(this.#connection, texto));
  }

  prefix(texto: string): PrefixList {
    return getOrMake(this.#prefixes, texto, () => new PrefixList(this.#connection, texto, this.#withImpacts));
  }
}

function addTo(bits: Bits, list: Buffer): void {
  for (let at = 0; at < list.length; at += POSTING_BYTES) {
    setBit(bits, (list[at] ?? 0) | ((list[at + 1] ?? 0) << 8));
  }
}

function newImpacts(): Uint8Array {
  return new Uint8Array(BLOCK_SIZE);
}

function keepBest(impacts: Uint8Array, list: Buffer): void {
  for (let at = 0; at < list.length; at += POSTING_BYTES) {
    const offset = (list[at] ?? 0) | ((list[at + 1] ?? 0) << 8);
    const impact = list[at + 2] ?? 0;
    if (impact > (impacts[offset] ?? 0)) impacts[offset] = impact;
  }
}

function getOrMake<Key, Value>(map: Map<Key, Value>, key: Key, make: () => Value): Value {
  let value = map.get(key);
  if (value === undefined) {
    value = make();
    map.set(key, value);
  }
  return value;
}
