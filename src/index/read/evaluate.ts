import type { Tree } from '../../engine/messages.ts';
import { EMPTY, copyOf, hasBit, intersect, intersection, subtract, unite, type Bits } from './bitset.ts';
import type { Connection } from './connection.ts';
import type { BlockFilter } from './filters.ts';
import type { PostingLists } from './posting-lists.ts';
import { PositionalClause, type Verify } from './phrases.ts';
import type { TermList } from './term-list.ts';

/** A query's candidates in a block, a new set or `EMPTY`, and their slower check; null if all match. */
export interface BlockMatches {
  readonly bits: Bits;
  readonly verify: Verify | null;
}

export type MatchesIn = (block: number) => BlockMatches;

const NOTHING: Node = { kind: 'nothing' };
const NO_MATCH: BlockMatches = { bits: EMPTY, verify: null };

type Node =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'list'; readonly list: TermList }
  | { readonly kind: 'positional'; readonly clause: PositionalClause }
  | { readonly kind: 'and' | 'or'; readonly parts: readonly Node[] }
  | { readonly kind: 'not'; readonly of: Node; readonly without: Node };

/** A query's candidates by block, in any order of blocks, without decisions that a filter excludes. @throws BudgetExceeded */
export function matching(
  connection: Connection,
  lists: PostingLists,
  tree: Tree,
  filter: BlockFilter | null,
): MatchesIn {
  const root = build(connection, lists, tree);
  return (block) => {
    connection.budget.check();
    const accepted = root.kind === 'nothing' ? null : (filter?.accepted(block) ?? null);
    if (accepted === EMPTY) return NO_MATCH;
    const found = evaluate(root, block, accepted);
    if (accepted === null && found.bits !== EMPTY) filter?.keep(found.bits, block);
    return found;
  };
}

function build(connection: Connection, lists: PostingLists, tree: Tree): Node {
  switch (tree.kind) {
    case 'nothing':
      return NOTHING;
    case 'term': {
      const list = lists.of({ token: tree.token, prefix: tree.prefix });
      return isLacking(list) ? NOTHING : { kind: 'list', list };
    }
    case 'positional': {
      const clause = new PositionalClause(connection, lists, tree);
      return clause.lists.some(isLacking) ? NOTHING : { kind: 'positional', clause };
    }
    case 'not':
      return {
        kind: 'not',
        of: build(connection, lists, tree.of),
        without: build(connection, lists, tree.without),
      };
    case 'and':
    case 'or': {
      const parts = tree.parts.map((part) => build(connection, lists, part));
      if (tree.kind === 'and' && parts.includes(NOTHING)) return NOTHING;
      return { kind: tree.kind, parts: parts.toSorted((a, b) => ORDER[a.kind] - ORDER[b.kind]) };
    }
  }
}

/** True if the dictionary has no such word. */
function isLacking(list: TermList): boolean {
  return list.words().length === 0;
}

/** Cheap parts come first: each part is evaluated within the result of those before it. */
const ORDER: Readonly<Record<Node['kind'], number>> = {
  nothing: 0,
  list: 1,
  and: 2,
  or: 3,
  not: 4,
  positional: 5,
};

/** @param within if given, the result has only these decisions. */
function evaluate(node: Node, block: number, within: Bits | null): BlockMatches {
  switch (node.kind) {
    case 'nothing':
      return NO_MATCH;
    case 'list':
    case 'positional':
      return evaluateAll([node], block, within);
    case 'and':
      return evaluateAll(node.parts, block, within);
    case 'or':
      return evaluateAny(node.parts, block, within);
    case 'not':
      return evaluateNot(node.of, node.without, block, within);
  }
}

function evaluateAll(parts: readonly Node[], block: number, within: Bits | null): BlockMatches {
  const left = evaluateLists(listsOf(parts), block, within);
  if (left === EMPTY) return NO_MATCH;
  let bits = left;
  const verifies: Verify[] = [];
  for (const part of parts) {
    if (part.kind === 'list' || part.kind === 'positional') continue;
    const found = evaluate(part, block, bits);
    if (found.bits === EMPTY) return NO_MATCH;
    bits = found.bits;
    if (found.verify !== null) verifies.push(found.verify);
  }
  if (bits === null) return NO_MATCH;
  for (const part of parts) if (part.kind === 'positional') verifies.push(part.clause.open(block, bits));
  const [only, ...others] = verifies;
  if (only === undefined) return { bits, verify: null };
  if (others.length === 0) return { bits, verify: only };
  return { bits, verify: (offset) => verifies.every((verify) => verify(offset)) };
}

/** The lists that contain every match of all parts. */
function listsOf(parts: readonly Node[]): readonly TermList[] {
  const lists = parts.flatMap((part) =>
    part.kind === 'list' ? [part.list] : part.kind === 'positional' ? part.clause.lists : [],
  );
  return lists.length > 1 ? [...new Set(lists)] : lists;
}

/** The intersection of all lists, a new set or `EMPTY`; `within` itself, which may be null, if there are no lists. */
function evaluateLists(lists: readonly TermList[], block: number, within: Bits | null): Bits | null {
  if (lists.length === 0) return within;
  const few: Uint16Array[] = [];
  const sets = within === null ? [] : [within];
  // A word's list is cheap to read, a prefix's needs a merge: after an empty list no other is needed.
  for (const list of lists.toSorted((a, b) => Number(a.term.prefix) - Number(b.term.prefix))) {
    const members = list.members(block);
    if (members.length === 0 || members === EMPTY) return EMPTY;
    if (members instanceof Uint16Array) few.push(members);
    else sets.push(members);
  }
  return intersection(
    few.toSorted((a, b) => a.length - b.length),
    sets,
  );
}

function evaluateAny(parts: readonly Node[], block: number, within: Bits | null): BlockMatches {
  // A list alone is cheaper whole, if the union is intersected once.
  const founds = parts
    .map((part) => evaluate(part, block, part.kind === 'list' ? null : within))
    .filter(({ bits }) => bits !== EMPTY);
  const [first, ...others] = founds;
  if (first === undefined) return NO_MATCH;
  const areAll = founds.every(({ verify }) => verify === null);
  const bits = areAll ? first.bits : copyOf(first.bits);
  for (const other of others) unite(bits, other.bits);
  if (within !== null && !intersect(bits, within)) return NO_MATCH;
  if (areAll) return { bits, verify: null };
  const inOrder = founds.toSorted((a, b) => Number(a.verify !== null) - Number(b.verify !== null));
  return { bits, verify: (offset) => inOrder.some((found) => isIn(found, offset)) };
}

function evaluateNot(of: Node, without: Node, block: number, within: Bits | null): BlockMatches {
  const { bits, verify } = evaluate(of, block, within);
  if (bits === EMPTY) return NO_MATCH;
  const excluded = evaluate(without, block, bits);
  if (excluded.bits === EMPTY) return { bits, verify };
  if (excluded.verify === null) {
    subtract(bits, excluded.bits);
    return { bits, verify };
  }
  return {
    bits,
    verify: (offset) => (verify === null || verify(offset)) && !isIn(excluded, offset),
  };
}

function isIn({ bits, verify }: BlockMatches, offset: number): boolean {
  return hasBit(bits, offset) && (verify === null || verify(offset));
}
