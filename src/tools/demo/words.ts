import { at, readEntries, readSections } from './lists.ts';
import { hold, join, keep, NOTHING, textOf, type Piece } from './pieces.ts';
import { rankTable, type RankTable, type Rng } from './rng.ts';

let places = 0;

/** A place where every decision keeps some words to repeat. */
export function newPlace(): number {
  places += 1;
  return places;
}

/** The source of a slot's words. */
export class Source<T> {
  /** Draws for the subject of that number (subject.ts). `hold` (pieces.ts) says how long the words are valid. */
  readonly draw: (rng: Rng, subject: number) => T;
  /** 0 if decisions keep none. */
  readonly place: number;

  constructor(draw: (rng: Rng, subject: number) => T, place = 0) {
    this.draw = draw;
    this.place = place;
  }
}

/** Draws without a subject's favourites. */
type Draw = (rng: Rng) => Piece;

/** A text split at the `{slots}`. There is one more part than slots. */
export interface Template<Slot> {
  readonly parts: readonly Piece[];
  readonly slots: readonly Slot[];
}

/** Splits a text at the slots; a slot is given by its mark. @throws for an unknown slot, which is a bug of the word lists. */
export function cut<Slot>(text: string, slotOf: (mark: string) => Slot | undefined): Template<Slot> {
  const pieces = text.split(/[{}]/u);
  const slots = pieces
    .filter((_, index) => index % 2 === 1)
    .map((mark) => {
      const slot = slotOf(mark);
      if (slot === undefined) throw new Error(`unknown slot {${mark}} in: ${text}`);
      return slot;
    });
  return { parts: pieces.filter((_, index) => index % 2 === 0).map(keep), slots };
}

/** Members of a list with about the same frequency (the shift of Zipf-Mandelbrot). */
const COMMON_SHIFT = 400;
/** Fraction of draws that a subject prefers, so that its words cluster. */
const FAVOURED = 0.25;
/** Number of preferred members, and the distance between the first ones of two subjects. */
const FAVOURITES = 7;
const FAVOURITES_STEP = 11;
const favouriteRanks = rankTable(FAVOURITES, 2);

/** A list whose first members are the most frequent. */
export class Ranked<T> {
  readonly #members: readonly T[];
  readonly #ranks: RankTable;

  constructor(members: readonly T[]) {
    this.#members = members;
    this.#ranks = rankTable(Math.max(1, members.length), COMMON_SHIFT);
  }

  /** A member; the subject of that number, if any, has favourites. */
  draw(rng: Rng, subject?: number): T {
    if (subject === undefined || !rng.chance(FAVOURED)) return at(this.#members, rng.rank(this.#ranks));
    const member = subject * FAVOURITES_STEP + rng.rank(favouriteRanks);
    return at(this.#members, member % this.#members.length);
  }
}

/**
 * Most draws give familiar words, because most names in real texts repeat. The rest
 * have a probability that falls as a power of the rank, without a last rank. So new words
 * appear at the rate of Heaps' law, without state between decisions.
 */
const RARE = 0.155;
const TAIL = 1 / 0.55 - 1;
/** Above 1. A greater value makes the first familiar words more frequent. */
const FLATNESS = 1.2;
/** How many rare words are about equally rare, in numbers of the familiar ones. */
const RARE_SHIFT = 7;
/** Cached words per coinage; rarer words are made again for every use. */
const CACHE_MAX = 32_768;

/** The starts, middles and ends of words. */
type WordParts = readonly [readonly string[], readonly string[], readonly string[]];

/** An infinite list of coined words. A rank gives the same word in every run. */
export class Coinage {
  readonly #parts: WordParts;
  readonly #familiar: number;
  readonly #size: number;
  readonly #stride: number;
  readonly #cache = new Int32Array(CACHE_MAX);

  /** @param familiar the number of words before the rare ones. */
  constructor(parts: WordParts, familiar: number) {
    this.#parts = parts;
    this.#familiar = familiar;
    this.#size = parts[0].length * parts[1].length * parts[2].length;
    // A stride coprime to the size visits every combination once, in a mixed order.
    this.#stride = Math.floor(this.#size * 0.618);
    while (divisor(this.#stride, this.#size) !== 1) this.#stride += 1;
  }

  /** A word, drawn by its frequency. */
  draw(rng: Rng): Piece {
    const rank = this.#rank(rng);
    if (rank >= CACHE_MAX) return hold(this.#coin(rank));
    return (this.#cache[rank] ||= keep(this.#coin(rank)));
  }

  /** 0 is the most frequent. */
  #rank(rng: Rng): number {
    const unit = rng.unit();
    if (!rng.chance(RARE)) return Math.floor(this.#familiar * unit ** FLATNESS);
    return Math.floor(this.#familiar * (1 + RARE_SHIFT * ((1 - unit) ** (-1 / TAIL) - 1)));
  }

  #coin(rank: number): string {
    const [starts, middles, ends] = this.#parts;
    const place = ((rank % this.#size) * this.#stride) % this.#size;
    const rest = Math.floor(place / starts.length);
    // After the last combination words get another syllable, so the list is infinite.
    let word = at(starts, place % starts.length) + at(middles, rest % middles.length);
    for (let extra = Math.floor(rank / this.#size); extra > 0; extra = Math.floor(extra / middles.length)) {
      word += at(middles, extra % middles.length);
    }
    return word + at(ends, Math.floor(rest / middles.length));
  }
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

const coinages = new Map(
  readEntries('names').map(({ title, list }) => {
    const [slot = '', familiar] = title.split(' ');
    const parts = [list('s', ' '), list('m', ' '), list('e', ' ')] as const;
    return [slot, new Coinage(parts, Number(familiar))] as const;
  }),
);

/** A word list, whose members may have slots of other lists. */
function wordList(lines: readonly string[], place: number): Source<Piece> {
  const texts = lines.join('\n').split(/\|\n?/u);
  // Made at the first draw, after all lists have been read.
  let members: Ranked<Draw> | undefined;
  return new Source((rng) => {
    members ??= new Ranked(texts.map(memberOf));
    return members.draw(rng)(rng);
  }, place);
}

/** How to draw a member of a word list. */
function memberOf(text: string): Draw {
  const { parts, slots } = cut(text, drawOf);
  const [only, ...others] = slots;
  const constant = at(parts, 0);
  if (only === undefined) return () => constant;
  if (others.length === 0 && parts.every((part) => textOf(part) === '')) return only;
  const pieces = parts.flatMap((part, index) => (index < slots.length ? [part, NOTHING] : [part]));
  return (rng) => {
    for (let index = 0; index < slots.length; index += 1) {
      pieces[2 * index + 1] = slots[index]?.(rng) ?? NOTHING;
    }
    return join(pieces);
  };
}

/** The word lists by their slots. */
export const WORD_LISTS: ReadonlyMap<string, Source<Piece>> = new Map(
  ['manner', 'world'].flatMap((file) =>
    readSections(file).map(
      ({ heading, lines }) => [heading, wordList(lines, file === 'world' ? newPlace() : 0)] as const,
    ),
  ),
);

/**
 * How to draw a slot's text: a choice of wordings `{a/b}`, a number `{1-9}` or `{1-1.000}`, hexadecimal digits
 * `{hex7}`, a coined word or a member of a word list; undefined for any other mark.
 */
export function drawOf(mark: string): Draw | undefined {
  if (mark.includes('/')) {
    const wordings = mark.split('/').map(keep);
    return (rng) => rng.pick(wordings);
  }
  const [, low, high] = /^([\d.]+)-([\d.]+)$/u.exec(mark) ?? [];
  if (low !== undefined && high !== undefined) return numberBetween(low, high);
  const [, digits] = /^hex(\d+)$/u.exec(mark) ?? [];
  if (digits !== undefined) return (rng) => hold(hexadecimal(rng, Number(digits)));
  const coinage = coinages.get(mark);
  if (coinage !== undefined) return (rng) => coinage.draw(rng);
  const list = WORD_LISTS.get(mark);
  return list && ((rng) => list.draw(rng, 0));
}

/** If a limit has thousands points, so has the number. */
function numberBetween(low: string, high: string): Draw {
  const [from = 0, to = 0] = [low, high].map((limit) => Number(limit.replaceAll('.', '')));
  const write = high.includes('.') ? grouped : String;
  return (rng) => hold(write(rng.between(from, to)));
}

function hexadecimal(rng: Rng, digits: number): string {
  let text = '';
  while (text.length < digits) text += rng.bits().toString(16).padStart(8, '0');
  return text.slice(0, digits);
}

/** An integer with points between thousands. */
export function grouped(whole: number): string {
  const digits = String(whole);
  if (digits.length <= 3) return digits;
  return `${grouped(Math.floor(whole / 1000))}.${digits.slice(-3)}`;
}
