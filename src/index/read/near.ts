import type { NearReply, NearRequest, NearWord, QueryTerm, Tree } from '../../engine/messages.ts';
import { CONTAGEM_MAX } from '../../contract/vocabulary.ts';
import { elementAt } from '../format/element-at.ts';
import { INDEXED_FIELDS } from '../format/bm25f.ts';
import { DamagedBase } from '../format/seal.ts';
import type { TermEntry } from '../format/terms.ts';
import { freeBits } from './bitset.ts';
import { BudgetExceeded } from './budget.ts';
import type { Connection, Snapshot } from './connection.ts';
import { matching } from './evaluate.ts';
import { filterOf, type BlockFilter } from './filters.ts';
import { PostingLists } from './posting-lists.ts';
import { heldNames, oneEditAway } from './near-names.ts';
import { NewestFirst } from './newest.ts';
import { termFilterOf, type TermFilter } from './term-filter.ts';

/**
 * CPU time for a request to find words, and again to count them and to try the search with them, milliseconds. What takes longer
 * is left out, and the page is made anew whenever it is asked for. Of 702 first requests for words of real queries, in bases of
 * 200,000, 237 were cut at 2 ms and one at 12; the CPU of all was the same.
 */
const WORK_MS = 12;
/** CPU time for a request to fill the filter, milliseconds. */
const FILLING_MS = 1;
/** Near words for a word, best first. */
const NEAR_MAX = 5;
/** Words one edit away whose decisions are counted in a block, to choose the frequent ones. */
const ESTIMATED_MAX = 40;
const encoder = new TextEncoder();
const ALL_COLUMNS = 2 ** INDEXED_FIELDS.length - 1;

type Near = NearReply['near'][number];

/** Finds words in a base that are near words it lacks. @throws BudgetExceeded if it cannot begin in time. */
export function near(connection: Connection, request: NearRequest, snapshot: Snapshot): NearReply {
  freeBits();
  const lists = new PostingLists(connection, snapshot, 'members');
  const base = { connection, snapshot, lists, filter: termFilterOf(lists.cache, snapshot.terms) };
  const { deadline } = connection.budget;
  const words = request.words.map((word) => new NearTo(base, word));
  const missing = words.filter((word) => !word.isKept);
  within(connection, deadline, FILLING_MS, () => {
    base.filter.extend(connection);
  });
  const isSearched = within(connection, deadline, WORK_MS, () => {
    for (const word of missing) word.findForms();
    // Every word's likeliest edits come before less likely ones.
    while (missing.filter((word) => word.findEdits()).length > 0);
  });
  let found: NearReply['found'] = null;
  const isCounted = within(connection, deadline, WORK_MS, () => {
    for (const word of missing) {
      word.chooseFrequent();
      if (isSearched) word.keep();
    }
    found = request.tree === null ? null : finding(base, request, request.tree, words);
  });
  const { generation, docs, dataVersion, isMadeUp } = snapshot;
  return {
    kind: 'near',
    near: words.map((word) => word.near),
    found,
    is_whole: isSearched && isCounted,
    generation,
    docs,
    data_version: dataVersion,
    made_up: isMadeUp,
  };
}

/** Runs until the time is used up, or a row is damaged, of which searches tell. @returns true if the run is complete. */
function within(connection: Connection, deadline: number, workMs: number, run: () => void): boolean {
  try {
    connection.budget.start(deadline, workMs);
    run();
    return true;
  } catch (error) {
    if (error instanceof BudgetExceeded || error instanceof DamagedBase) return false;
    throw error;
  }
}

interface Base {
  readonly connection: Connection;
  readonly snapshot: Snapshot;
  readonly lists: PostingLists;
  readonly filter: TermFilter;
}

/** Finds the words near a word, or has them from an earlier search: other searches repeat the same mistakes. */
class NearTo {
  readonly #base: Base;
  readonly #word: NearWord;
  readonly #forms: NonNullable<Near> = [];
  /** By name: doubling a letter gives the same word twice. */
  readonly #edits = new Map<string, TermEntry>();
  readonly #groups: ReturnType<typeof oneEditAway>;
  #frequent: NonNullable<Near> = [];
  /** True until the word is found to be absent. */
  #isHeld = true;
  readonly #key: string;
  readonly #kept: { readonly words: Near } | undefined;

  constructor(base: Base, word: NearWord) {
    this.#base = base;
    this.#word = word;
    this.#key = JSON.stringify(word);
    this.#kept = base.lists.cache.near.get(this.#key);
    this.#groups = oneEditAway(elementAt(word.tokens, 0), base.filter, base.connection.budget);
  }

  /** Null if the base has the word itself, as far as is known, and that matters. */
  get near(): Near {
    if (this.#kept !== undefined) return this.#kept.words;
    return this.#isHeld ? null : [...this.#forms, ...this.#frequent].slice(0, NEAR_MAX);
  }

  get isKept(): boolean {
    return this.#kept !== undefined;
  }

  /** To be called when all is found. */
  keep(): void {
    this.#base.lists.cache.near.set(this.#key, { words: this.near });
  }

  findForms(): void {
    const { tokens, forms, anyway } = this.#word;
    this.#isHeld = !anyway && this.#count(tokens) > 0;
    if (this.#isHeld) return;
    for (const form of forms) {
      const docs = this.#count(form);
      if (docs > 0) this.#forms.push({ tokens: form, docs });
    }
  }

  /** Finds words of the next group. @returns false if there is none. */
  findEdits(): boolean {
    if (this.#isHeld || !this.#word.edits || this.#word.tokens.length > 1) return false;
    const { value: names } = this.#groups.next();
    if (names === undefined) return false;
    const { connection, filter } = this.#base;
    for (const [name, entry] of heldNames(connection, filter.terms, names)) this.#edits.set(name, entry);
    return true;
  }

  /** Chooses the most frequent of the words one edit away, and counts their decisions. */
  chooseFrequent(): void {
    for (const { tokens } of this.#forms) this.#edits.delete(tokens.join(' '));
    const estimated = [...this.#edits]
      .toSorted(([, a], [, b]) => blocksOf(b) - blocksOf(a))
      .slice(0, ESTIMATED_MAX)
      .map(([name, entry]) => ({ name, docs: this.#estimate(name, entry) }));
    for (const { name } of estimated.toSorted((a, b) => b.docs - a.docs).slice(0, NEAR_MAX)) {
      const docs = this.#count([name]);
      if (docs > 0) this.#frequent.push({ tokens: [name], docs });
    }
  }

  /** Estimates the number of decisions from the first block that has any. */
  #estimate(name: string, entry: TermEntry): number {
    if (entry.kind === 'single') return 1;
    const { lists, connection } = this.#base;
    connection.budget.check();
    lists.cache.facts.set(name, { entry, impacts: null });
    const [first] = entry.rows;
    if (first === undefined) return 0;
    return lists.of({ token: name, prefix: false }).count(first) * blocksOf(entry);
  }

  /** The number of decisions with the word, or with the phrase of its parts, counted to 1,000. */
  #count(tokens: readonly string[]): number {
    if (!tokens.every((token) => this.#base.filter.mayHave(encoder.encode(token)))) return 0;
    return Math.min(newest(this.#base, leafOf(tokens), null).count(), CONTAGEM_MAX);
  }
}

function blocksOf(entry: TermEntry): number {
  return entry.kind === 'single'
    ? 1
    : entry.rows.reduce((sum, value, at) => (at % 2 === 1 ? sum + value : sum), 0);
}

function newest({ connection, lists, snapshot }: Base, tree: Tree, filter: BlockFilter | null): NewestFirst {
  const foundIn = matching(connection, lists, tree, filter);
  return new NewestFirst(foundIn, snapshot.docs + 1, connection.budget);
}

/** The near words with which the search finds a decision: each word's best, or next best. */
function finding(base: Base, { words, filter }: NearRequest, tree: Tree, sought: readonly NearTo[]) {
  const keep = filterOf(base.connection, filter, base.snapshot);
  for (let best = 0; best < NEAR_MAX; best += 1) {
    if (sought.every(({ near: found }) => (found?.length ?? 0) <= best)) return null;
    const chosen = sought.map(({ near: found }) => (found?.[best] ?? found?.at(-1))?.tokens ?? null);
    const swaps = new Map(words.map(({ tokens }, at) => [tokens.join(' '), chosen[at] ?? tokens]));
    if (newest(base, swapped(tree, swaps), keep).take(1).length > 0) return chosen;
  }
  return null;
}

/** Replaces words in a tree. @param swaps by a word's tokens, joined by spaces. */
function swapped(tree: Tree, swaps: ReadonlyMap<string, readonly string[]>): Tree {
  switch (tree.kind) {
    case 'nothing':
      return tree;
    case 'term': {
      const swap = tree.prefix ? undefined : swaps.get(tree.token);
      return swap === undefined ? tree : leafOf(swap);
    }
    case 'positional':
      return { ...tree, phrases: tree.phrases.map((phrase) => swappedPhrase(phrase, swaps)) };
    case 'not':
      return { ...tree, of: swapped(tree.of, swaps), without: swapped(tree.without, swaps) };
    case 'and':
    case 'or':
      return { ...tree, parts: tree.parts.map((part) => swapped(part, swaps)) };
  }
}

function swappedPhrase(phrase: QueryTerm[], swaps: ReadonlyMap<string, readonly string[]>): QueryTerm[] {
  const whole = phrase.some(({ prefix }) => prefix)
    ? undefined
    : swaps.get(phrase.map(({ token }) => token).join(' '));
  if (whole !== undefined) return termsOf(whole);
  return phrase.flatMap((term) => {
    const swap = term.prefix ? undefined : swaps.get(term.token);
    return swap === undefined ? [term] : termsOf(swap);
  });
}

function leafOf(tokens: readonly string[]): Tree {
  const [only, ...others] = termsOf(tokens);
  if (only !== undefined && others.length === 0) return { kind: 'term', ...only };
  const phrases = [termsOf(tokens)];
  return { kind: 'positional', phrases, distance: null, columns: ALL_COLUMNS, first: false };
}

function termsOf(tokens: readonly string[]): QueryTerm[] {
  return tokens.map((token) => ({ token, prefix: false }));
}
