import type Database from 'better-sqlite3';

/** The ids that a base has given to texts, by the numbers that the weigher has given them. */
export class TextIds {
  readonly #find: Database.Statement<[string], number>;
  readonly #insert: Database.Statement<[string]>;
  #texts: string[] = [];
  /** Ids begin with 1; 0 where the base was not asked yet. */
  #ids = new Uint32Array(1 << 16);
  /** The least of the ids given since `settle`. */
  #newFrom = Infinity;

  constructor(db: Database.Database, findSql: string, insertSql: string) {
    this.#find = db.prepare<[string], number>(findSql).pluck();
    this.#insert = db.prepare<[string]>(insertSql);
  }

  /** Takes in the texts of the next numbers. @param restarts true when these begin with 0 again. */
  learn(texts: readonly string[], restarts: boolean): void {
    if (restarts) {
      this.#texts = [];
      this.forgetIds();
    }
    for (const text of texts) this.#texts.push(text);
    while (this.#texts.length > this.#ids.length) {
      this.#ids = new Uint32Array(this.#ids.buffer.transfer(this.#ids.byteLength * 2));
    }
  }

  textOf(number: number): string {
    const text = this.#texts[number];
    if (text === undefined) throw new Error(`no text for number ${number}`);
    return text;
  }

  /** The id of a text in the base, given to it now where it has none. */
  idOf(number: number): number {
    const known = this.#ids[number] ?? 0;
    if (known !== 0) return known;
    const text = this.textOf(number);
    const id = this.#find.get(text) ?? this.#give(text);
    this.#ids[number] = id;
    return id;
  }

  /** True where the base has had no such id before the last `settle`, for it gives them in rising order. */
  isNew(id: number): boolean {
    return id >= this.#newFrom;
  }

  /** From now on the ids given so far are no longer new. */
  settle(): void {
    this.#newFrom = Infinity;
  }

  /** Ids that were given in a transaction that was rolled back are nobody's. */
  forgetIds(): void {
    this.#ids.fill(0);
    this.settle();
  }

  #give(text: string): number {
    const id = Number(this.#insert.run(text).lastInsertRowid);
    this.#newFrom = Math.min(this.#newFrom, id);
    return id;
  }
}
