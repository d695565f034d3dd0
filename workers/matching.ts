import type { Passo, Termo } from '../src/base/messages.ts';
import { EMPTY, intersect, isEmpty, subtract, unite, type Bits } from './bits.ts';
import type { Connection } from './connection.ts';
import type { Lists, TermList } from './lists.ts';
import { Passage, type Direction } from './passages.ts';

type Node =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'list'; readonly list: TermList; readonly termo: Termo }
  | { readonly kind: 'passage'; readonly passage: Passage }
  | { readonly kind: 'all' | 'any'; readonly parts: readonly Node[] }
  | { readonly kind: 'but'; readonly of: Node; readonly without: Node };

/** Evaluates a query block by block, so that it can stop, and begin, at any block. */
export class Matching {
  readonly #connection: Connection;
  readonly #root: Node;

  /** @param direction in which blocks will be asked for. */
  constructor(connection: Connection, lists: Lists, programa: readonly Passo[], direction: Direction) {
    this.#connection = connection;
    this.#root = build(connection, lists, programa, direction);
  }

  /** The matches in a block, a fresh set or `EMPTY`. @throws BudgetExceeded */
  bits(block: number): Bits {
    this.#connection.budget.check();
    return evaluate(this.#root, block, null);
  }
}

function build(connection: Connection, lists: Lists, programa: readonly Passo[], direction: Direction): Node {
  const stack: Node[] = [];
  const pop = () => stack.pop() ?? { kind: 'nothing' };
  for (const step of programa) {
    switch (step.passo) {
      case 'nada':
        stack.push({ kind: 'nothing' });
        break;
      case 'termo':
        stack.push({ kind: 'list', list: lists.of(step), termo: step });
        break;
      case 'trecho':
        stack.push({ kind: 'passage', passage: new Passage(connection, lists, { ...step, direction }) });
        break;
      case 'nao': {
        const without = pop();
        stack.push({ kind: 'but', of: pop(), without });
        break;
      }
      case 'e':
        stack.push(all(stack.splice(-step.partes)));
        break;
      case 'ou':
        stack.push({ kind: 'any', parts: stack.splice(-step.partes).toSorted((a, b) => cost(a) - cost(b)) });
        break;
    }
  }
  return pop();
}

/** Parts that must all match: passages are asked of FTS5 together with the rarest word beside them. */
function all(parts: readonly Node[]): Node {
  const sorted = parts.toSorted((a, b) => cost(a) - cost(b));
  const rarest = sorted.find((part) => part.kind === 'list' && !part.termo.prefixo);
  if (rarest?.kind === 'list') {
    for (const part of sorted) if (part.kind === 'passage') part.passage.narrow(rarest.termo.texto);
  }
  return { kind: 'all', parts: sorted };
}

/** @param within when given, what is outside it does not matter, and is never in the answer. */
function evaluate(node: Node, block: number, within: Bits | null): Bits {
  switch (node.kind) {
    case 'nothing':
      return EMPTY;
    case 'list':
      return inside(node.list.bits(block), within);
    case 'passage':
      return node.passage.bits(block, within);
    case 'all':
      return evaluateAll(node.parts, block, within);
    case 'any':
      return evaluateAny(node.parts, block, within);
    case 'but': {
      const bits = evaluate(node.of, block, within);
      if (isEmpty(bits)) return EMPTY;
      subtract(bits, evaluate(node.without, block, bits));
      return bits;
    }
  }
}

function evaluateAll(parts: readonly Node[], block: number, within: Bits | null): Bits {
  let left = within;
  for (const part of parts) {
    left = evaluate(part, block, left);
    if (isEmpty(left)) return EMPTY;
  }
  return left ?? EMPTY;
}

function evaluateAny(parts: readonly Node[], block: number, within: Bits | null): Bits {
  let found: Bits = EMPTY;
  for (const part of parts) {
    const bits = evaluate(part, block, within);
    if (found === EMPTY) found = bits;
    else unite(found, bits);
  }
  return found;
}

function inside(bits: Bits, within: Bits | null): Bits {
  if (within !== null && bits !== EMPTY) intersect(bits, within);
  return bits;
}

/** Lists before passages, the short ones first: each part is evaluated inside what the ones before have left. */
function cost(node: Node): number {
  switch (node.kind) {
    case 'nothing':
      return -1;
    case 'list':
      return node.list.postings;
    case 'passage':
      return Number.MAX_SAFE_INTEGER;
    case 'but':
      return cost(node.of) + cost(node.without);
    case 'all':
    case 'any':
      return node.parts.reduce((sum, part) => sum + Math.max(0, cost(part)), 0);
  }
}
