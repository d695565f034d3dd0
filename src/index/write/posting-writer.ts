import type Database from 'better-sqlite3';
import { EMPTY_LIST, appended, edited } from '../format/posting-list.ts';
import { BLOCK_SIZE, PREFIX_LENGTH_MAX, WORD_BYTES, listKey, listOf } from '../format/schema.ts';
import { Gathered } from './posting-buffer.ts';
import { TextIds } from './term-id-map.ts';
import type { NewTexts, Weights } from './inverter.ts';

/** Above any number of a list in a weigher, and small enough that a list's id fits before it in a number. */
const NUMBERS_MAX = 2 ** 27;

/**
 * Writes the `lexico`, `prefixo` and `impacto` tables. New decisions gather in memory and are appended to their
 * lists by `flush`, once a transaction: a common word's list is then written once and not once a decision.
 */
export class PostingWriter {
  readonly #words: TextIds;
  readonly #prefixes: TextIds;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #gathered = new Gathered();
  /** Of each word's number that of its longest prefix, and of each prefix's that of the next shorter one. */
  #longest: number[] = [];
  #parents: number[] = [];

  constructor(db: Database.Database) {
    this.#words = new TextIds(
      db,
      'SELECT id FROM lexico WHERE termo = ?',
      'INSERT INTO lexico (termo) VALUES (?)',
    );
    this.#prefixes = new TextIds(
      db,
      'SELECT id FROM prefixo WHERE texto = ?',
      'INSERT INTO prefixo (texto, postagens) VALUES (?, 0)',
    );
    this.#sql = prepare(db);
  }

  /** Takes in the texts of the numbers in the weights that follow. */
  learn({ words, prefixes, longest, parents, restarts }: NewTexts & { readonly restarts: boolean }): void {
    if (restarts) {
      // What is gathered goes by the old numbers.
      this.flush();
      this.#longest = [];
      this.#parents = [];
    }
    for (const prefix of longest) this.#longest.push(prefix);
    for (const prefix of parents) this.#parents.push(prefix);
    this.#words.learn(words, restarts);
    this.#prefixes.learn(prefixes, restarts);
  }

  /** Adds a decision whose number is above all others. */
  append(numero: number, weights: Weights): void {
    const block = Math.floor(numero / BLOCK_SIZE);
    if (block !== this.#gathered.block) this.flush();
    this.#gathered.block = block;
    this.#gathered.add(numero % BLOCK_SIZE, weights);
  }

  /** Writes what `append` has gathered; to be called before the transaction commits. */
  flush(): void {
    if (this.#gathered.size === 0) return;
    const { block } = this.#gathered;
    const { numbers, starts, offsets, impacts } = this.#gathered.take();
    const postings = new Uint32Array(this.#parents.length);
    // In the order of the rows: neighbours lie on the same page.
    const keys = numbers.map((number) => this.#listOf(number) * NUMBERS_MAX + number).toSorted();
    for (const key of keys) {
      const number = key % NUMBERS_MAX;
      const list = Math.floor(key / NUMBERS_MAX);
      const added = { offsets, impacts, from: starts[number] ?? 0, to: starts[number + 1] ?? 0 };
      this.#write(list, block, (before) => appended(before, added), this.#isNew(number, list));
      if (!isWord(number)) continue;
      let prefix = this.#longest[number / 2] ?? -1;
      for (; prefix >= 0; prefix = this.#parents[prefix] ?? -1)
        postings[prefix] = (postings[prefix] ?? 0) + added.to - added.from;
    }
    for (const [prefix, count] of postings.entries())
      if (count > 0) this.#sql.addPostings.run(count, this.#prefixes.idOf(prefix));
    this.#words.settle();
  }

  /** A decision's words, with their impacts, as `vetor` and `versao` hold them; they stand in lists already. */
  pack(words: readonly (readonly [string, number])[]): Buffer {
    const packed = Buffer.alloc(words.length * WORD_BYTES);
    let at = 0;
    for (const [word, impact] of words) {
      at = packed.writeUIntLE(this.#sql.idOfWord.get(word) ?? 0, at, WORD_BYTES - 1);
      at = packed.writeUInt8(impact, at);
    }
    return packed;
  }

  /** The same of a decision at hand, whose words may be new. */
  packWeights({ lists, impacts }: Weights): Buffer {
    const packed = Buffer.alloc(lists.length * WORD_BYTES);
    let end = 0;
    for (let at = 0; at < lists.length; at += 1) {
      const number = lists[at] ?? 0;
      if (!isWord(number)) continue;
      end = packed.writeUIntLE(this.#words.idOf(number / 2), end, WORD_BYTES - 1);
      end = packed.writeUInt8(impacts[at] ?? 0, end);
    }
    return packed.subarray(0, end);
  }

  /** Puts a decision's new words in the place of its old ones, given packed; nothing may be gathered. */
  replace(numero: number, old: Buffer, { lists, impacts }: Weights): void {
    const block = Math.floor(numero / BLOCK_SIZE);
    const offset = numero % BLOCK_SIZE;
    const kept = new Map([...lists].map((number, at) => [this.#listOf(number), impacts[at] ?? 0]));
    for (const list of this.#listsOf(old)) if (!kept.has(list)) kept.set(list, 0);
    for (const [list, impact] of kept) {
      this.#write(list, block, (before) => edited(before, offset, impact === 0 ? null : impact));
    }
    const postings = new Map<string, number>();
    for (const word of this.#wordsIn(old)) addToPrefixes(postings, word, -1);
    for (const number of lists)
      if (isWord(number)) addToPrefixes(postings, this.#words.textOf(number / 2), 1);
    for (const [prefix, count] of postings) this.#sql.addPostingsOf.run(count, prefix);
    this.#words.settle();
  }

  /** Forgets what a transaction that was rolled back had told it. */
  reset(): void {
    this.#gathered.clear();
    this.#words.forgetIds();
    this.#prefixes.forgetIds();
  }

  /** @param isNew true where the list is known to have no row yet. */
  #write(list: number, block: number, change: (before: Uint8Array) => Uint8Array, isNew = false): void {
    const key = listKey(list, block);
    const before = isNew ? undefined : this.#sql.readList.get(key);
    this.#sql.writeList.run(key, change(before ?? EMPTY_LIST));
  }

  /** Whether a list was given its id since lists were last written. */
  #isNew(number: number, list: number): boolean {
    return isWord(number) && this.#words.isNew(list);
  }

  #listOf(number: number): number {
    return isWord(number)
      ? listOf('word', this.#words.idOf(number / 2))
      : listOf('prefix', this.#prefixes.idOf((number - 1) / 2));
  }

  /** The words that are packed. */
  #wordsIn(packed: Buffer): string[] {
    const words: string[] = [];
    for (let at = 0; at < packed.length; at += WORD_BYTES) {
      words.push(this.#sql.findWord.get(packed.readUIntLE(at, WORD_BYTES - 1)) ?? '');
    }
    return words;
  }

  /** The lists in which a decision with these words stands. */
  #listsOf(packed: Buffer): Set<number> {
    const lists = new Set<number>();
    for (let at = 0; at < packed.length; at += WORD_BYTES) {
      const id = packed.readUIntLE(at, WORD_BYTES - 1);
      lists.add(listOf('word', id));
      for (const prefix of prefixesOf(this.#sql.findWord.get(id) ?? '')) {
        const prefixId = this.#sql.findPrefix.get(prefix);
        if (prefixId !== undefined) lists.add(listOf('prefix', prefixId));
      }
    }
    return lists;
  }
}

function prepare(db: Database.Database) {
  return {
    readList: db.prepare<[number], Buffer>('SELECT dados FROM impacto WHERE lista = ?').pluck(),
    writeList: db.prepare<[number, Uint8Array]>(
      'INSERT OR REPLACE INTO impacto (lista, dados) VALUES (?, ?)',
    ),
    addPostings: db.prepare<[number, number]>('UPDATE prefixo SET postagens = postagens + ? WHERE id = ?'),
    addPostingsOf: db.prepare<[number, string]>(
      'UPDATE prefixo SET postagens = postagens + ? WHERE texto = ?',
    ),
    findWord: db.prepare<[number], string>('SELECT termo FROM lexico WHERE id = ?').pluck(),
    idOfWord: db.prepare<[string], number>('SELECT id FROM lexico WHERE termo = ?').pluck(),
    findPrefix: db.prepare<[string], number>('SELECT id FROM prefixo WHERE texto = ?').pluck(),
  };
}

function isWord(number: number): boolean {
  return number % 2 === 0;
}

function prefixesOf(word: string): string[] {
  const longest = Math.min(PREFIX_LENGTH_MAX, word.length);
  return Array.from({ length: longest }, (_, at) => word.slice(0, at + 1));
}

function addToPrefixes(postings: Map<string, number>, word: string, count: number): void {
  for (const prefix of prefixesOf(word)) postings.set(prefix, (postings.get(prefix) ?? 0) + count);
}
