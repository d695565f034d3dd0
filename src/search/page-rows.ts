import type { After, SearchReply } from '../engine/messages.ts';
import type { Failure } from '../engine/outcome.ts';
import type { Base, Ordem } from '../contract/vocabulary.ts';

/** A base's answer for a page, or why there is none. */
export interface BaseAnswer {
  readonly base: Base;
  /** The position before this page; null for a base without an earlier answer. */
  readonly after: After | null;
  readonly ordem_aplicada: Ordem;
  /** True if the first order asked for got no answer in time. */
  readonly isFallback: boolean;
  /** Deadline for everything that the base does, on the clock's `now`. */
  readonly until: number;
  /** With fractions. */
  ms: number;
  result: SearchReply | Failure;
  /** True once rows came from later data than the result. */
  isMixed: boolean;
}

/** Fetches rows by number from an answer's base: all rows, or a failure. */
export type RowReader = (answer: BaseAnswer, docIds: readonly number[]) => Promise<string[] | Failure>;

/**
 * The rows of a page's answers, sent with an answer or fetched later. While a page waits for a slow base, all rows that may be
 * needed in place of the slow base's rows are fetched, because all windows end at about the same time.
 */
export class PageRows {
  readonly #read: RowReader;
  readonly #answers: BaseAnswer[] = [];
  readonly #rows = new Map<Base, string[]>();
  readonly #fetching = new Map<Base, Promise<Failure | null>>();
  #isSlow = false;

  constructor(read: RowReader) {
    this.#read = read;
  }

  add(answer: BaseAnswer): void {
    const { base, result } = answer;
    if (typeof result === 'string') return;
    // A faulty port may send anything. A malformed reply must fail here, in the search, and not later in a timer.
    const { length } = result.doc_ids;
    this.#rows.set(base, [...result.resumos]);
    this.#answers.push(answer);
    if (this.#isSlow) void this.#fetch(answer, length);
  }

  /** Called when the page is slow: every answer, also a later one, then fetches all rows immediately. */
  expectSlowness(): void {
    this.#isSlow = true;
    for (const answer of this.#answers) void this.#fetch(answer, Number.POSITIVE_INFINITY);
  }

  at(base: Base, index: number): string | undefined {
    return this.#rows.get(base)?.[index];
  }

  /** Makes an answer's first `count` rows available; a failure becomes the answer's result. */
  async need(answer: BaseAnswer, count: number): Promise<void> {
    while (typeof answer.result !== 'string' && this.held(answer.base) < count) {
      const failure = await (this.#fetching.get(answer.base) ?? this.#fetch(answer, count));
      // Rows whose early fetch failed are fetched once more, now that the page needs them.
      if (failure !== null && this.held(answer.base) < count) {
        const again = await this.#fetch(answer, count);
        if (again !== null) answer.result = again;
      }
    }
  }

  #fetch(answer: BaseAnswer, count: number): Promise<Failure | null> {
    const { base, result } = answer;
    const under = this.#fetching.get(base);
    if (under !== undefined) return under;
    const missing = typeof result === 'string' ? [] : result.doc_ids.slice(this.held(base), count);
    if (missing.length === 0) return Promise.resolve(null);
    const fetching = this.#append(answer, missing).finally(() => {
      this.#fetching.delete(base);
    });
    // The page may have become slow during this fetch of only some rows.
    const goOn = (failure: Failure | null) => {
      if (this.#isSlow && failure === null) void this.#fetch(answer, Number.POSITIVE_INFINITY);
    };
    fetching.then(goOn, () => undefined);
    this.#fetching.set(base, fetching);
    return fetching;
  }

  async #append(answer: BaseAnswer, docIds: readonly number[]): Promise<Failure | null> {
    const rows = await this.#read(answer, docIds);
    if (typeof rows === 'string') return rows;
    this.#rows.get(answer.base)?.push(...rows);
    return null;
  }

  /** A base's number of available rows. */
  held(base: Base): number {
    return this.#rows.get(base)?.length ?? 0;
  }
}
