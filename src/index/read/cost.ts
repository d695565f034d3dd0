import type { SearchRequest, Tree } from '../../engine/messages.ts';
import { missing } from '../format/element-at.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Connection, Snapshot } from './connection.ts';

/**
 * Milliseconds for a row of the term dictionary, some 170 words with a prefix. Their lists are merged in every block by
 * relevance, and in the newest block by recency. Measured in bases of 1 and 16 blocks, before lists were merged in part: 0.3 to
 * 1.3 times that.
 */
const MS_PER_ROW = {
  relevancia: (blocks: number) => 0.4 + 0.09 * blocks,
  recentes: (blocks: number) => 0.1 + 0.25 / blocks,
};
/** In a phrase or in NEAR these words' positions are read too: by recency often of a few decisions only. */
const POSITIONAL = { relevancia: 6, recentes: 3 };
const ROWS_MAX = 2_000;
const ROWS_SQL = `SELECT count(*) FROM (SELECT 1 FROM terms WHERE first_term > ? AND first_term < ? LIMIT ${ROWS_MAX})`;
const encoder = new TextEncoder();
/** No byte of UTF-8 is as high. */
const ABOVE_ALL = 0xff;

/**
 * An estimate of a search's CPU time in milliseconds, from the index over the term dictionary alone. Only prefixes count: the
 * cost of other searches depends on the lengths of lists, which the dictionary does not have.
 */
export function costMs({ value }: Connection, { tree, ordem }: SearchRequest, { docs }: Snapshot): number {
  const msPerRow = MS_PER_ROW[ordem](Math.ceil((docs + 1) / BLOCK_SIZE));
  const seen = new Set<string>();
  let ms = 0;
  for (const { token, isPositional } of prefixesOf(tree)) {
    if (seen.has(token)) continue;
    seen.add(token);
    const from = encoder.encode(token);
    const rows = value<number>(ROWS_SQL).get(from, Uint8Array.of(...from, ABOVE_ALL)) ?? missing();
    // The prefix begins inside one more row.
    ms += (rows + 1) * msPerRow * (isPositional ? POSITIONAL[ordem] : 1);
  }
  return ms;
}

function* prefixesOf(tree: Tree): Generator<{ readonly token: string; readonly isPositional: boolean }> {
  switch (tree.kind) {
    case 'nothing':
      return;
    case 'term':
      if (tree.prefix) yield { token: tree.token, isPositional: false };
      return;
    case 'positional':
      for (const { token, prefix } of tree.phrases.flat()) if (prefix) yield { token, isPositional: true };
      return;
    case 'and':
    case 'or':
      for (const part of tree.parts) yield* prefixesOf(part);
      return;
    case 'not':
      yield* prefixesOf(tree.of);
      yield* prefixesOf(tree.without);
  }
}
