import { withPoints } from '../../contract/case-numbers.ts';
import { at, lettered, readSections } from './lists.ts';
import type { Rng } from './rng.ts';

/** The source of a slot's words. */
export interface Source<T> {
  /** @param subject the index of the decision's subject. */
  readonly draw: (rng: Rng, subject: number) => T;
  /** True if every decision keeps some of its words to repeat. */
  readonly isKept?: boolean;
}

type Draw = (rng: Rng) => string;

/** A text split at the `{slots}`: one more part than slots. */
export interface Template<Slot> {
  readonly parts: readonly string[];
  readonly slots: readonly Slot[];
}

/** Splits a text at the slots; a slot is given by its mark. @throws for an unknown slot, which is a bug of the word lists. */
export function cut<Slot>(text: string, slotOf: (mark: string) => Slot | undefined): Template<Slot> {
  const slots = Array.from(text.matchAll(/\{(.*?)\}/gu), ([, mark = '']) => {
    const slot = slotOf(mark);
    if (slot === undefined) throw new Error(`unknown slot {${mark}} in: ${text}`);
    return slot;
  });
  return { parts: text.split(/\{.*?\}/u), slots };
}

/** Members of a list with about the same frequency (the shift of Zipf-Mandelbrot). */
const COMMON_SHIFT = 400;
/** Number of members that a subject prefers, and the distance between the first ones of two subjects. */
const FAVOURITES = 7;
const FAVOURITES_STEP = 11;

/** A list whose first members are the most frequent. A subject has favourites, so that its words cluster. */
export function ranked<T>(members: readonly T[]): (rng: Rng, subject?: number) => T {
  return (rng, subject) =>
    subject !== undefined && rng.chance(0.25)
      ? at(members, (subject * FAVOURITES_STEP + rng.zipf(FAVOURITES, 2)) % members.length)
      : at(members, rng.zipf(members.length, COMMON_SHIFT));
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

type WordParts = readonly string[];

/** An infinite list of coined words from starts, middles and ends. @param familiar the number of words before the rare ones. */
function coinage(starts: WordParts, middles: WordParts, ends: WordParts, familiar: number): Draw {
  const size = starts.length * middles.length * ends.length;
  // A stride coprime to the size visits every combination once, in a mixed order.
  let stride = Math.floor(size * 0.618);
  while (divisor(stride, size) !== 1) stride += 1;
  const coin = (rank: number): string => {
    const place = ((rank % size) * stride) % size;
    const rest = Math.floor(place / starts.length);
    // After the last combination words get another syllable, so the list is infinite.
    let word = at(starts, place % starts.length) + at(middles, rest % middles.length);
    for (let extra = Math.floor(rank / size); extra > 0; extra = Math.floor(extra / middles.length))
      word += at(middles, extra % middles.length);
    return word + at(ends, Math.floor(rest / middles.length));
  };
  return (rng) => {
    const unit = rng.unit();
    const isRare = rng.chance(RARE);
    const place = isRare ? 1 + RARE_SHIFT * ((1 - unit) ** (-1 / TAIL) - 1) : unit ** FLATNESS;
    return coin(Math.floor(familiar * place));
  };
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

const coinages = new Map(
  readSections('names').map((section) => {
    const [slot = '', familiar] = section.heading.split(' ');
    const parts = (letter: string) => lettered(section, letter, ' ');
    return [slot, coinage(parts('s'), parts('m'), parts('e'), Number(familiar))] as const;
  }),
);

/** A word list, whose members may have slots of other lists. */
function wordList(lines: readonly string[], isKept: boolean): Source<string> {
  const texts = lines.join('\n').split(/\|\n?/u);
  // Made at the first draw, after all lists have been read.
  let member: ((rng: Rng) => Template<Draw>) | undefined;
  const draw: Draw = (rng) => {
    const { parts, slots } = (member ??= ranked(texts.map((text) => cut(text, drawOf))))(rng);
    return parts.reduce((said, part, index) => said + part + (slots[index]?.(rng) ?? ''), '');
  };
  return { draw, isKept };
}

/** The word lists by their slots. */
export const WORD_LISTS: ReadonlyMap<string, Source<string>> = new Map(
  ['manner', 'world'].flatMap((file) =>
    readSections(file).map(({ heading, lines }) => [heading, wordList(lines, file === 'world')] as const),
  ),
);

/**
 * How to draw a slot's text: a choice of wordings `{a/b}`, a number `{1-9}` or `{1-1.000}`, hexadecimal digits
 * `{hex7}`, a coined word or a member of a word list; undefined for any other mark.
 */
export function drawOf(mark: string): Draw | undefined {
  if (mark.includes('/')) {
    const wordings = mark.split('/');
    return (rng) => rng.pick(wordings);
  }
  const [, low, high] = /^([\d.]+)-([\d.]+)$/u.exec(mark) ?? [];
  if (low !== undefined && high !== undefined) return numberBetween(low, high);
  const [, digits] = /^hex(\d+)$/u.exec(mark) ?? [];
  if (digits !== undefined) return (rng) => hexadecimal(rng, Number(digits));
  const list = WORD_LISTS.get(mark);
  return coinages.get(mark) ?? (list && ((rng) => list.draw(rng, 0)));
}

/** If a limit has thousands points, so has the number. */
function numberBetween(low: string, high: string): Draw {
  const [from = 0, to = 0] = [low, high].map((limit) => Number(limit.replaceAll('.', '')));
  const hasPoints = high.includes('.');
  return (rng) => {
    const text = String(rng.between(from, to));
    return hasPoints ? withPoints(text) : text;
  };
}

function hexadecimal(rng: Rng, digits: number): string {
  let text = '';
  while (text.length < digits) text += rng.bits().toString(16).padStart(8, '0');
  return text.slice(0, digits);
}
