import { Type } from 'typebox';

/** One of these words. */
export const literals = <L extends string>(words: readonly L[]) =>
  Type.Unsafe<L>(Type.Union(words.map((word) => Type.Literal(word))));
