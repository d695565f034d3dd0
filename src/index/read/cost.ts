import type { SearchRequest, Tree } from '../../engine/messages.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { Connection, Snapshot } from './connection.ts';

/**
 * Milliseconds for a row of the term dictionary, whose words a prefix stands for, some 170 of them. By relevance their lists
 * are merged in every block, by recency those of the newest ones: measured, 0.3 to 1.3 times as much in bases of 1 and 16
 * blocks; a search by recency that finds little takes more.
 */
const MS_PER_ROW = {
  relevancia: (blocks: number) => 0.4 + 0.09 * blocks,
  recentes: (blocks: number) => 0.1 + 0.25 / blocks,
};
/** In a phrase or in NEAR the positions of these words are read too. */
const POSITIONAL = 3;
const ROWS_MAX = 2_000;
const ROWS_SQL = `SELECT count(*) FROM (SELECT 1 FROM terms WHERE first_term > ? AND first_term < ? LIMIT ${ROWS_MAX})`;
const encoder = new TextEncoder();
/** No byte of a name in UTF-8 is as high. */
const ABOVE_ALL = 0xff;

/**
 * What a search takes of a processor, in milliseconds, by the index over the term dictionary: neither words nor lists are
 * read. Only prefixes count, each of which is merged from the lists of its words: what other searches take depends on how
 * long lists are, which the dictionary does not tell.
 */
export function costMs(
  { value }: Connection,
  { tree, ordem }: SearchRequest,
  { lastDocId }: Snapshot,
): number {
  const msPerRow = MS_PER_ROW[ordem](Math.ceil((lastDocId + 1) / BLOCK_SIZE));
  const seen = new Set<string>();
  let ms = 0;
  for (const { token, factor } of prefixesOf(tree)) {
    if (seen.has(token)) continue;
    seen.add(token);
    const from = encoder.encode(token);
    const rows = value<number>(ROWS_SQL).get(from, Uint8Array.of(...from, ABOVE_ALL)) ?? 0;
    ms += rows * msPerRow * factor;
  }
  return ms;
}

function* prefixesOf(tree: Tree): Generator<{ readonly token: string; readonly factor: number }> {
  switch (tree.kind) {
    case 'nothing':
      return;
    case 'term':
      if (tree.prefix) yield { token: tree.token, factor: 1 };
      return;
    case 'positional':
      for (const { token, prefix } of tree.phrases.flat()) if (prefix) yield { token, factor: POSITIONAL };
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
