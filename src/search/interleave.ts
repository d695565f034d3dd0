import { bug } from '../bug.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';

/** How many items a base can still give on this page. */
export type Available = ReadonlyMap<Base, number>;

export interface Interleaving {
  /** The base of each item, in page order. */
  readonly turns: readonly Base[];
  /** The base whose turn is next, when the page is full. */
  readonly vez: Base;
}

/**
 * Takes an item from each base in turn, starting with `vez`, in the contract's order of bases; an exhausted base is skipped.
 * Because the turn is the only state, joined pages equal a single long page.
 */
export function interleave(available: Available, vez: Base, limite: number): Interleaving {
  const left = new Map(available);
  const turns: Base[] = [];
  let at = BASES.indexOf(vez);
  let passed = 0;
  while (turns.length < limite && passed < BASES.length) {
    const base = baseAt(at);
    const items = left.get(base) ?? 0;
    if (items > 0) {
      turns.push(base);
      left.set(base, items - 1);
      passed = 0;
    } else {
      passed += 1;
    }
    at += 1;
  }
  return { turns, vez: baseAt(at) };
}

function baseAt(at: number): Base {
  return BASES[at % BASES.length] ?? bug(`no base at ${at}`);
}
