import type { Passo, Termo } from '../../engine/messages.ts';
import { EMPTY, copyOf, isEmpty, subtract, unite, type Bits } from './bitset.ts';
import type { Connection } from './connection.ts';
import type { Lists } from './lists.ts';
import { Passage, type Direction } from './phrases.ts';
import type { TermList } from './term-list.ts';

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
  readonly #hasPassage: boolean;

  /** @param direction in which blocks will be asked for. */
  constructor(connection: Connection, lists: Lists, programa: readonly Passo[], direction: Direction) {
    this.#connection = connection;
    this.#root = build(connection, lists, programa, direction);
    this.#hasPassage = programa.some(({ passo }) => passo === 'trecho');
  }

  /** True where FTS5 has to be asked. */
  get hasPassage(): boolean {
    return this.#hasPassage;
  }

  /**
   * The matches in a block, a fresh set or `EMPTY`.
   * @param within only these matter; null for all. @throws BudgetExceeded
   */
  bits(block: number, within: Bits | null): Bits {
    this.#connection.budget.check();
    return evaluate(this.#root, block, within);
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
        stack.push({ kind: 'any', parts: stack.splice(-step.partes) });
        break;
    }
  }
  return pop();
}

/** Parts that must all match: passages are asked of FTS5 last, and together with the rarest word beside them. */
function all(parts: readonly Node[]): Node {
  const passages = parts.filter((part) => part.kind === 'passage');
  const words = parts.filter((part) => part.kind === 'list').filter(({ termo }) => !termo.prefixo);
  if (passages.length > 0) {
    const [rarest] = words.toSorted((a, b) => a.list.postings - b.list.postings);
    if (rarest !== undefined) for (const { passage } of passages) passage.narrow(rarest.termo);
  }
  return { kind: 'all', parts: parts.toSorted((a, b) => ORDER[a.kind] - ORDER[b.kind]) };
}

/** What is cheap goes first: each part is evaluated inside what those before it have left. */
const ORDER: Readonly<Record<Node['kind'], number>> = {
  nothing: 0,
  list: 1,
  all: 2,
  any: 3,
  but: 4,
  passage: 5,
};

/** @param within when given, what is outside it does not matter, and is never in the answer. */
function evaluate(node: Node, block: number, within: Bits | null): Bits {
  switch (node.kind) {
    case 'nothing':
      return EMPTY;
    case 'list':
      return evaluateAll([node], block, within);
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
  const lists = parts.filter((part) => part.kind === 'list').map(({ list }) => list);
  // How long a list is costs little to know, and that there is none spares reading the others.
  if (lists.length > 1 && lists.some((list) => list.count(block) === 0)) return EMPTY;
  let left = within;
  for (const list of lists.toSorted((a, b) => a.count(block) - b.count(block))) {
    if (left === null) {
      left = list.bits(block);
      if (left === EMPTY) return EMPTY;
      continue;
    }
    // What was handed in is the caller's, and stays as it is.
    if (left === within) left = copyOf(within);
    if (!list.keep(block, left)) return EMPTY;
  }
  for (const part of parts) {
    if (part.kind === 'list') continue;
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
