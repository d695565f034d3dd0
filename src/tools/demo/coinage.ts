import { at } from './bounds.ts';
import { barred, readSections, section, spaced } from './lists.ts';
import { hold, keep, NOTHING, type Piece } from './pieces.ts';
import type { Rng } from './rng.ts';

/**
 * Most draws give familiar words, because most names in real texts repeat. The
 * others have a probability that falls as a power of their rank, without a last rank. So new words
 * appear at the rate of Heaps' law, without state between decisions.
 */
const RARE = 0.155;
const TAIL = 1 / 0.55 - 1;
/** Above 1. A greater value makes the first familiar words more frequent. */
const FLATNESS = 1.2;
/** How many rare words are about equally rare, in numbers of the familiar ones. */
const RARE_SHIFT = 7;

/** Cached words of each coinage; rarer words are made again for each use. */
const CACHE_MAX = 32_768;

/**
 * An infinite list of coined words. The rank determines the word, so a rank gives the same word in
 * every run. Low ranks are much more frequent.
 */
export class Coinage {
  readonly #starts: readonly string[];
  readonly #middles: readonly string[];
  readonly #ends: readonly string[];
  readonly #familiar: number;
  readonly #size: number;
  readonly #stride: number;
  /** The pieces of frequent words; 0 if not coined yet. */
  readonly #cache = new Int32Array(CACHE_MAX);

  /** @param familiar the number of words before the rare ones. */
  constructor(
    starts: readonly string[],
    middles: readonly string[],
    ends: readonly string[],
    { familiar, offset }: { readonly familiar: number; readonly offset: number },
  ) {
    this.#starts = starts;
    this.#middles = middles;
    this.#ends = ends;
    this.#familiar = familiar;
    this.#size = starts.length * middles.length * ends.length;
    // A stride coprime to the size visits every combination once, in a mixed order.
    this.#stride = coprime(Math.floor(this.#size * 0.618) + offset, this.#size);
  }

  /** A word, drawn by its frequency. A rare word is valid only as long as `hold` says. */
  draw(rng: Rng): Piece {
    const rank = this.#rank(rng);
    if (rank >= CACHE_MAX) return hold(this.#coin(rank));
    const known = this.#cache[rank] ?? NOTHING;
    if (known !== NOTHING) return known;
    const coined = keep(this.#coin(rank));
    this.#cache[rank] = coined;
    return coined;
  }

  /** The same, as a string. */
  drawText(rng: Rng): string {
    return this.#coin(this.#rank(rng));
  }

  /** 0 is the most frequent. */
  #rank(rng: Rng): number {
    const unit = rng.unit();
    if (!rng.chance(RARE)) return Math.floor(this.#familiar * unit ** FLATNESS);
    return Math.floor(this.#familiar * (1 + RARE_SHIFT * ((1 - unit) ** (-1 / TAIL) - 1)));
  }

  #coin(rank: number): string {
    const place = ((rank % this.#size) * this.#stride) % this.#size;
    const { length: starts } = this.#starts;
    const { length: middles } = this.#middles;
    const rest = Math.floor(place / starts);
    let word = at(this.#starts, place % starts) + at(this.#middles, rest % middles);
    // After the last combination words get another syllable, so the list is infinite.
    for (let extra = Math.floor(rank / this.#size); extra > 0; extra = Math.floor(extra / middles)) {
      word += at(this.#middles, extra % middles);
    }
    return word + at(this.#ends, Math.floor(rest / middles));
  }
}

const parts = readSections('names');
const roots = (name: string): readonly string[] => spaced(section(parts, name));

function coinage(kind: string, familiar: number, ofKind = kind): Coinage {
  return new Coinage(roots(`${ofKind}_starts`), roots(`${ofKind}_middles`), roots(`${kind}_ends`), {
    familiar,
    offset: 0,
  });
}

export const SURNAMES = coinage('surname', 4500);
export const PLACES = coinage('place', 3000);
export const COMPANIES = coinage('company', 3000);
/** Medicines by their active principle: "ozalurbine". */
export const DRUGS = coinage('drug', 1600);
/** Chemicals that workers handle: "benzofarina". */
export const CHEMICALS = coinage('chemical', 1600);
export const DISEASES = coinage('disease', 1600, 'term');

export const GIVEN_NAMES_MEN = roots('given_names_men');
export const GIVEN_NAMES_WOMEN = roots('given_names_women');
export const STATE_CODES = roots('state_codes');
export const GIVEN_NAMES = [...GIVEN_NAMES_MEN, ...GIVEN_NAMES_WOMEN];

/** The members of a list of data/demo/names.txt. */
export function listed(name: string): readonly string[] {
  return barred(section(parts, name));
}

function coprime(from: number, size: number): number {
  let candidate = from;
  while (divisor(candidate, size) !== 1) candidate += 1;
  return candidate;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
