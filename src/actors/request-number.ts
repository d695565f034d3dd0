import { LRUCache } from 'lru-cache';

const TEXTS_MAX = 20_000;

/** Numbers are given once: a text that was forgotten gets another one. */
const numbers = new LRUCache<string, number>({ max: TEXTS_MAX });
const known = new WeakMap<object, number>();
let last = 0;

/**
 * A number for what a part of a request says: parts of the same text have the same one. A key made of it is short, where
 * the part has hundreds of characters, and all bases are sent the same part.
 */
export function numberOf(part: object): number {
  let number = known.get(part);
  if (number === undefined) {
    const text = JSON.stringify(part);
    number = numbers.get(text) ?? (last += 1);
    numbers.set(text, number);
    known.set(part, number);
  }
  return number;
}
