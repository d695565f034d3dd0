import type Database from 'better-sqlite3';
import { NO_POSTINGS, appended, edited, openList } from '../base/posting-list.ts';
import { BLOCK_SIZE, PREFIX_LENGTH_MAX, WORD_BYTES, listKey, listOf } from '../base/schema.ts';
import { TextIds } from './text-ids.ts';
import type { NewTexts, Weights } from './weigher.ts';

/**
 * Writes the `lexico`, `prefixo` and `impacto` tables. New decisions gather in memory and are appended to their
 * lists by `flush`, once a transaction: a common word's list is then written once and not once a decision.
 */
export class PostingWriter {
  readonly #words: TextIds;
  readonly #prefixes: TextIds;
  readonly #sql: ReturnType<typeof prepare>;
  #gathered = new Gathered();

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
  learn({ words, prefixes, restarts }: NewTexts & { readonly restarts: boolean }): void {
    // What is gathered goes by the old numbers.
    if (restarts) this.flush();
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
    const gathered = this.#gathered;
    if (gathered.size === 0) return;
    this.#gathered = new Gathered();
    const postings = new Map<string, number>();
    // In the order of the rows: neighbours lie on the same page.
    const groups = gathered.groups((number) => this.#listOf(number)).toSorted((a, b) => a.list - b.list);
    for (const { number, list, offsets, impacts } of groups) {
      this.#write(list, gathered.block, (before) => appended(before, offsets, impacts));
      if (isWord(number)) addToPrefixes(postings, this.#words.textOf(number / 2), offsets.length);
    }
    for (const [prefix, count] of postings) this.#sql.addPostings.run(count, prefix);
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
    for (const [prefix, count] of postings) this.#sql.addPostings.run(count, prefix);
  }

  /** Forgets what a transaction that was rolled back had told it. */
  reset(): void {
    this.#gathered = new Gathered();
    this.#words.forgetIds();
    this.#prefixes.forgetIds();
  }

  #write(list: number, block: number, change: (before: ReturnType<typeof openList>) => Uint8Array): void {
    const key = listKey(list, block);
    const before = this.#sql.readList.get(key);
    this.#sql.writeList.run(key, change(before === undefined ? NO_POSTINGS : openList(before)));
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
    addPostings: db.prepare<[number, string]>('UPDATE prefixo SET postagens = postagens + ? WHERE texto = ?'),
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

/** The postings of one list in one block: a weigher's number, the list's id, and what is new in it. */
interface Group {
  readonly number: number;
  readonly list: number;
  readonly offsets: Uint16Array;
  readonly impacts: Uint8Array;
}

/** The postings of a transaction's new decisions in one block, as they came. */
class Gathered {
  block = 0;
  size = 0;
  #numbers = new Uint32Array(1 << 16);
  #offsets = new Uint16Array(1 << 16);
  #impacts = new Uint8Array(1 << 16);

  add(offset: number, { lists, impacts }: Weights): void {
    const end = this.size + lists.length;
    while (end > this.#numbers.length) this.#grow();
    this.#numbers.set(lists, this.size);
    this.#impacts.set(impacts, this.size);
    this.#offsets.fill(offset, this.size, end);
    this.size = end;
  }

  /** Put together by number, each in the order in which they came (a counting sort). */
  groups(listOfNumber: (number: number) => number): Group[] {
    const numbers = this.#numbers.subarray(0, this.size);
    const { size } = this;
    let most = 0;
    for (let at = 0; at < size; at += 1) most = Math.max(most, numbers[at] ?? 0);
    // Where each number's postings begin; then, as they are put there, where its next one goes.
    const places = new Uint32Array(most + 2);
    for (let at = 0; at < size; at += 1) {
      const next = (numbers[at] ?? 0) + 1;
      places[next] = (places[next] ?? 0) + 1;
    }
    for (let at = 1; at < places.length; at += 1) places[at] = (places[at] ?? 0) + (places[at - 1] ?? 0);
    const starts = places.slice();
    const offsets = new Uint16Array(size);
    const impacts = new Uint8Array(size);
    for (let at = 0; at < size; at += 1) {
      const number = numbers[at] ?? 0;
      const place = places[number] ?? 0;
      offsets[place] = this.#offsets[at] ?? 0;
      impacts[place] = this.#impacts[at] ?? 0;
      places[number] = place + 1;
    }
    const groups: Group[] = [];
    for (let number = 0; number <= most; number += 1) {
      const from = starts[number] ?? 0;
      const to = starts[number + 1] ?? 0;
      if (to === from) continue;
      groups.push({
        number,
        list: listOfNumber(number),
        offsets: offsets.subarray(from, to),
        impacts: impacts.subarray(from, to),
      });
    }
    return groups;
  }

  #grow(): void {
    this.#numbers = new Uint32Array(this.#numbers.buffer.transfer(this.#numbers.byteLength * 2));
    this.#offsets = new Uint16Array(this.#offsets.buffer.transfer(this.#offsets.byteLength * 2));
    this.#impacts = new Uint8Array(this.#impacts.buffer.transfer(this.#impacts.byteLength * 2));
  }
}
