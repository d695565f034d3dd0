import { DomHandler, Parser, type ParserOptions } from 'htmlparser2';
import { Bounds, RECORD_CHARACTERS_MAX } from '../bounds.ts';
import { Damaged, withinBounds } from '../damaged.ts';
import { describePage } from '../describe.ts';
import { decoded } from '../encoding.ts';
import { StrayMarks } from '../stray-marks.ts';
import type { Source } from './format.ts';
import type { ChildNode } from './html-nodes.ts';

export type Attributes = Readonly<Record<string, string>>;

/** How the results of a page are told apart from the rest of it. */
export interface PageShape {
  /** True for the element with which a result begins. */
  readonly beginsCard: (name: string, attributes: Attributes) => boolean;
  /** True where a result is that element alone; else it goes on to where the next one begins. */
  readonly isOneElement: boolean;
  /** What a page of the same search says that has found nothing. */
  readonly saysNothingFound: RegExp;
}

export interface Card {
  /** What the result is made of, in the order of the page. */
  readonly nodes: readonly ChildNode[];
  /** Counted from 1. */
  readonly number: number;
}

/** How much of a page is kept to say what it is, where no result is found in it. */
const OUTSIDE_CHARACTERS = 500_000;

/**
 * The results of a page, or of several that follow each other, each as soon as it is read whole: no more than one of
 * them is in memory.
 * @throws Damaged where the page is cut, or is another one than the search's.
 */
export async function* readCards(source: Source, shape: PageShape): AsyncGenerator<Card> {
  const cutter = new CardCutter(shape);
  const parser = new Parser(cutter, OPTIONS);
  const marks = new StrayMarks();
  let outside = '';
  let number = 0;
  for await (const chunk of decoded(source.open(), source.encoding)) {
    if (outside === '' && /^\s*[^\s<]/u.test(chunk)) {
      throw new Damaged(`not an HTML page: it begins with ${JSON.stringify(chunk.trimStart().slice(0, 40))}`);
    }
    if (number === 0 && outside.length < OUTSIDE_CHARACTERS) outside += chunk;
    cutter.size += chunk.length;
    withinBounds(
      () => parser.write(marks.write(chunk)),
      () => after(number + cutter.waiting),
    );
    for (const nodes of cutter.take()) yield { nodes, number: (number += 1) };
    if (cutter.size > RECORD_CHARACTERS_MAX) throw new Damaged('a result in it has no end', after(number));
  }
  if (outside.trim() === '') return;
  withinBounds(
    () => parser.end(marks.end()),
    () => after(number + cutter.waiting),
  );
  for (const nodes of cutter.take()) yield { nodes, number: (number += 1) };
  if (!cutter.isWhole) throw new Damaged('cut: the page ends too early', after(number));
  if (number === 0 && !shape.saysNothingFound.test(outside)) {
    throw new Damaged(`no page of results, but ${describePage(outside)}`);
  }
}

const OPTIONS: ParserOptions = { decodeEntities: true };

function after(number: number): string {
  return number === 0 ? 'before the first result' : `after result ${number}`;
}

/** Builds the tree of one result at a time from the parser's events, and lets go of all that is around it. */
class CardCutter {
  /** Characters read since the last result was whole. */
  size = 0;
  readonly #shape: PageShape;
  #done: (readonly ChildNode[])[] = [];
  #card: DomHandler | null = null;
  #depth = 0;
  /** Of the page and all that is in it, for the parser keeps what is open. */
  readonly #bounds = new Bounds();
  #hasPage = false;
  #isPageOpen = false;
  #isCardCut = false;

  constructor(shape: PageShape) {
    this.#shape = shape;
  }

  /** How many results are whole and not taken yet. */
  get waiting(): number {
    return this.#done.length;
  }

  /** The results that are whole by now. */
  take(): (readonly ChildNode[])[] {
    const done = this.#done;
    this.#done = [];
    if (done.length > 0) this.size = 0;
    return done;
  }

  /** True where every page has ended by its own tag and, in a piece of a page, the last result has. */
  get isWhole(): boolean {
    return this.#hasPage ? !this.#isPageOpen : !this.#isCardCut;
  }

  onattribute(): void {
    this.#bounds.value();
  }

  onopentag(name: string, attributes: Record<string, string>): void {
    this.#bounds.enter();
    this.#bounds.value();
    if (name === 'html') {
      this.#hasPage = true;
      this.#isPageOpen = true;
    }
    if (this.#shape.beginsCard(name, attributes)) {
      this.#finish();
      this.#card = new DomHandler();
    }
    if (this.#card === null) return;
    this.#card.onopentag(name, attributes);
    this.#depth += 1;
  }

  ontext(text: string): void {
    this.#card?.ontext(text);
  }

  onclosetag(name: string, isImplied: boolean): void {
    this.#bounds.leave();
    if (name === 'html' && !isImplied) this.#isPageOpen = false;
    if (this.#card === null) return;
    if (this.#depth === 0) {
      // The end of what was opened before the result: the result may go on after it, but not after the page.
      if (name === 'html') this.#finish();
      return;
    }
    this.#card.onclosetag();
    this.#depth -= 1;
    if (this.#depth === 0 && this.#shape.isOneElement) {
      if (isImplied) this.#isCardCut = true;
      this.#finish();
    }
  }

  onend(): void {
    this.#finish();
  }

  #finish(): void {
    if (this.#card !== null) this.#done.push(this.#card.root.children);
    this.#card = null;
    this.#depth = 0;
    this.#bounds.nextRecord();
  }
}
