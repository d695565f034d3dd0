import type { SearchRequest, QueryTerm, Tree } from '../../engine/messages.ts';
import type { Entry } from '../format/terms.ts';
import type { Connection, Snapshot } from './connection.ts';
import { Lists } from './lists.ts';

/** Measured: microseconds for a block of a list of a prefix, and for a word of one decision. */
const BLOCK_US = 8;
const SINGLE_US = 0.3;

/**
 * What a search takes of a processor, in milliseconds, by the term dictionary alone: no list is read. Only prefixes count,
 * each of which is merged from the lists of its words.
 * @param most the estimate ends here.
 */
export function costMs(
  connection: Connection,
  { tree, ordem }: SearchRequest,
  snapshot: Snapshot,
  most: number,
): number {
  const lists = new Lists(connection, snapshot, ordem === 'recentes' ? 'members' : 'impacts');
  let us = 0;
  for (const term of prefixesOf(tree)) {
    for (const word of lists.of(term).words())
      us += blocksOf(word) * BLOCK_US + (word.single === null ? 0 : SINGLE_US);
    if (us > most * 1_000) break;
  }
  return us / 1_000;
}

function* prefixesOf(tree: Tree): Generator<QueryTerm> {
  switch (tree.kind) {
    case 'nothing':
      return;
    case 'term':
      if (tree.prefix) yield tree;
      return;
    case 'positional':
      for (const term of tree.phrases.flat()) if (term.prefix) yield term;
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

/** Over how many blocks its rows go. */
function blocksOf({ rows }: Entry): number {
  let blocks = 0;
  for (let at = 1; at < rows.length; at += 2) blocks += rows[at] ?? 0;
  return blocks;
}
