import { at } from './bounds.ts';
import { readSections, section, spaced } from './lists.ts';
import { hold, keep, NOTHING, type Piece } from './pieces.ts';
import type { Rng } from './rng.ts';

/**
 * Most draws are of familiar words, as most of the names in real text come up again and again. The
 * rest have a probability that falls as a power of their rank, with no end to the ranks: so new words
 * keep coming at the pace of Heaps' law (design section 3), with no state from one decision to the next.
 */
const RARE = 0.155;
const TAIL = 1 / 0.55 - 1;
/** Above 1, and the more so, the more usual the first of the familiar words are. */
const FLATNESS = 1.2;
/** How many rare words are about equally rare, in numbers of the familiar ones. */
const RARE_SHIFT = 7;

/** Words kept ready for each coinage; rarer ones are coined anew each time they come up. */
const CACHE_MAX = 32_768;

/**
 * An endless list of coined words. The rank decides the word, so the same rank is the same word in
 * every run; low ranks are drawn far more often.
 */
export class Coinage {
  readonly #starts: readonly string[];
  readonly #middles: readonly string[];
  readonly #ends: readonly string[];
  readonly #familiar: number;
  readonly #size: number;
  readonly #stride: number;
  /** The pieces of the usual words; 0 where not yet coined. */
  readonly #cache = new Int32Array(CACHE_MAX);

  /** `familiar`: how many words there are before the rare ones begin. */
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
    // A stride with no factor in common with the size visits every combination once, well mixed.
    this.#stride = coprime(Math.floor(this.#size * 0.618) + offset, this.#size);
  }

  /** A word, drawn by its frequency; a rare one lasts only as long as `hold` says. */
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

  /** 0 is the most usual. */
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
    // Past the last combination the words grow by a syllable, so the list never ends.
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
export const GIVEN_NAMES = [...GIVEN_NAMES_MEN, ...GIVEN_NAMES_WOMEN];

function coprime(from: number, size: number): number {
  let candidate = from;
  while (divisor(candidate, size) !== 1) candidate += 1;
  return candidate;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}
