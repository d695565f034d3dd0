import { DomHandler, Parser, type ParserOptions } from 'htmlparser2';
import { BeyondBounds, Bounds, RECORD_CHARACTERS_MAX } from '../bounds.ts';
import { Damaged } from '../damaged.ts';
import { describePage } from '../describe.ts';
import { decoded } from '../encoding.ts';
import { StrayMarks } from '../stray-marks.ts';
import { NOT_RETAINED, toItem, type FoundRecord, type Mapped, type Source } from './format.ts';
import { SECRECY_SIGN, isSecrecyName, saysSecret } from '../secrecy.ts';
import { elementsIn, textUnder, type ChildNode } from './html-nodes.ts';

export type Attributes = Readonly<Record<string, string>>;

/** How to find the results in a page. */
export interface PageShape {
  /** True for the first element of a result. */
  readonly beginsCard: (name: string, attributes: Attributes) => boolean;
  /** True if a result is exactly that element; false if it continues to the next such element. */
  readonly isOneElement: boolean;
  /** Matches a page of the same search without results. */
  readonly saysNothingFound: RegExp;
}

export interface Card {
  /** The nodes of the result, in page order. */
  readonly nodes: readonly ChildNode[];
  /** Counted from 1. */
  readonly number: number;
}

/** How much of a page without results is kept to describe it, in characters. */
const OUTSIDE_CHARACTERS = 500_000;

/** Reads the results of pages. @throws Damaged as `readCards` does. */
export async function* readPages(
  source: Source,
  shape: PageShape,
  map: (nodes: readonly ChildNode[]) => Mapped,
): AsyncGenerator<FoundRecord> {
  for await (const { nodes, number } of readCards(source, shape)) {
    yield {
      place: `result ${number}`,
      item: (last) => toItem(() => map(nodes), last, NOT_RETAINED),
      sealedBy: () => sealedIn(nodes),
    };
  }
}

/** The label of a result, `Segredo de justiça:`, whose value says that the case is under secrecy. */
function sealedIn(nodes: readonly ChildNode[]): string | null {
  for (const element of elementsIn(nodes, ({ children }) => hasSign(children))) {
    const label = textUnder([element], LABEL_CHARACTERS).trim();
    if (!isSecrecyName(label)) continue;
    const around = element.parent?.children ?? nodes;
    const values = around
      .slice(around.indexOf(element) + 1)
      .map((node) => textUnder([node], LABEL_CHARACTERS));
    if (saysSecret(values.find((text) => text.trim() !== ''))) return label;
  }
  return null;
}

const LABEL_CHARACTERS = 200;

function hasSign(children: readonly ChildNode[]): boolean {
  return children.some((child) => 'data' in child && SECRECY_SIGN.test(child.data));
}

/**
 * The results on a page or on several consecutive pages. Only one result is in memory at a time.
 * @throws Damaged if the page is cut, or is not a page of the search.
 */
export async function* readCards(source: Source, shape: PageShape): AsyncGenerator<Card> {
  const cutter = new CardCutter(shape);
  const parser = new Parser(cutter, OPTIONS);
  const marks = new StrayMarks();
  let outside = '';
  let number = 0;
  const cut = (read: () => void): Card[] => {
    try {
      read();
    } catch (error) {
      const place = after(number + cutter.waiting);
      throw error instanceof BeyondBounds ? new Damaged(error.message, place) : error;
    }
    return cutter.take().map((nodes) => ({ nodes, number: (number += 1) }));
  };
  for await (const chunk of decoded(source.open(), source.encoding)) {
    if (outside === '' && /^\s*[^\s<]/u.test(chunk)) {
      throw new Damaged(`not an HTML page: it begins with ${JSON.stringify(chunk.trimStart().slice(0, 40))}`);
    }
    if (number === 0 && outside.length < OUTSIDE_CHARACTERS) outside += chunk;
    cutter.size += chunk.length;
    yield* cut(() => parser.write(marks.write(chunk)));
    if (cutter.size > RECORD_CHARACTERS_MAX) throw new Damaged('a result without an end', after(number));
  }
  if (outside.trim() === '') return;
  yield* cut(() => parser.end(marks.end()));
  if (!cutter.isWhole) throw new Damaged('cut: the page ends too early', after(number));
  if (number === 0 && !shape.saysNothingFound.test(outside)) {
    throw new Damaged(`not a page of results, but ${describePage(outside)}`);
  }
}

const OPTIONS: ParserOptions = { decodeEntities: true };

function after(number: number): string {
  return number === 0 ? 'before the first result' : `after result ${number}`;
}

/** Builds the tree of a single result at a time from the parser's events and drops everything outside. */
class CardCutter {
  /** Characters read since the last complete result. */
  size = 0;
  readonly #shape: PageShape;
  #done: (readonly ChildNode[])[] = [];
  #card: DomHandler | null = null;
  #depth = 0;
  /** The parser gives each entity apart; a text that grows by millions of pieces takes many times its size. */
  #text: string[] = [];
  /** Covers the whole page, because the parser holds all open elements. */
  readonly #bounds = new Bounds();
  #hasPage = false;
  #isPageOpen = false;
  #isCardCut = false;

  constructor(shape: PageShape) {
    this.#shape = shape;
  }

  /** Complete results that are not taken yet. */
  get waiting(): number {
    return this.#done.length;
  }

  /** Removes and returns the complete results. */
  take(): (readonly ChildNode[])[] {
    const done = this.#done;
    this.#done = [];
    if (done.length > 0) this.size = 0;
    return done;
  }

  /** True if every page has its end tag; for a fragment without `<html>`, if the last result has its end tag. */
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
    this.#endText();
    if (this.#shape.beginsCard(name, attributes)) {
      this.#finish();
      this.#card = new DomHandler();
    }
    if (this.#card === null) return;
    this.#card.onopentag(name, attributes);
    this.#depth += 1;
  }

  ontext(text: string): void {
    if (this.#card !== null) this.#text.push(text);
  }

  onclosetag(name: string, isImplied: boolean): void {
    this.#bounds.leave();
    if (name === 'html' && !isImplied) this.#isPageOpen = false;
    if (this.#card === null) return;
    this.#endText();
    if (this.#depth === 0) {
      // The end tag of an outer element. The result may continue after it, but not after the page.
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

  #endText(): void {
    if (this.#text.length > 0) this.#card?.ontext(this.#text.join(''));
    this.#text = [];
  }

  #finish(): void {
    this.#endText();
    if (this.#card !== null) this.#done.push(this.#card.root.children);
    this.#card = null;
    this.#depth = 0;
    this.#bounds.nextRecord();
  }
}
