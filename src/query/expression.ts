import { INDEXED_FIELDS } from '../index/format/bm25f.ts';
import type { QueryTerm, Tree } from '../engine/messages.ts';
import { tokens } from '../index/format/tokens.ts';
import { lex, type Piece } from './fts5-lexer.ts';

/** The columns for a part of the query; null means all. */
type Columns = ReadonlySet<string> | null;

const NOTHING: Tree = { kind: 'nothing' };
const ALL_COLUMNS = maskOf(new Set(INDEXED_FIELDS));
/** Words between the phrases of a NEAR without a number. */
const DISTANCE_DEFAULT = 10;
/** More words than any text has. FTS5 has a limit too. */
const DISTANCE_MAX = 2 ** 26;

export interface Expression {
  readonly tree: Tree;
  /** The distinct words outside NOT, in order of appearance. */
  readonly positive: QueryTerm[];
  /** False if the expression has no word. */
  readonly hasWord: boolean;
  /** False if a part has no word. */
  readonly isWhole: boolean;
}

/**
 * Parses an FTS5 expression (sqlite.org/fts5.html, section 3) that FTS5's own parser accepts into the tree that a base
 * evaluates. Precedence, lowest first: OR, AND, NOT, adjacent words. A phrase without a word is ignored among adjacent
 * words, and matches nothing as the operand of an operator.
 */
export function readExpression(fts5: string): Expression {
  const reader = new Reader(lex(fts5));
  const tree = reader.expression(null);
  if (!reader.isAtEnd) readInPart();
  return expressionOf(tree, reader);
}

/** FTS5 accepts syntax that this reader does not know: an error is better than an answer to a part of the query. */
function readInPart(): never {
  throw new Error('the expression was read in part only');
}

/** The same for adjacent words. Each word is a list of at least one token; several tokens are a phrase. */
export function literalExpression(words: readonly (readonly string[])[]): Expression {
  const parts = words.map(
    (word) => leaf([word.map((token) => ({ token, prefix: false }))], null, {}) ?? NOTHING,
  );
  const [only] = parts;
  const tree: Tree = parts.length > 1 ? { kind: 'and', parts } : (only ?? NOTHING);
  return expressionOf(tree, { hasWord: parts.length > 0, isWhole: true });
}

function expressionOf(tree: Tree, { hasWord, isWhole }: Pick<Expression, 'hasWord' | 'isWhole'>): Expression {
  const positive = new Map(
    positives(tree).map((term) => [term.prefix ? `${term.token}*` : term.token, term]),
  );
  return { tree, positive: [...positive.values()], hasWord, isWhole };
}

class Reader {
  readonly #pieces: readonly Piece[];
  #at = 0;
  hasWord = false;
  isWhole = true;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  get isAtEnd(): boolean {
    return this.#at === this.#pieces.length;
  }

  expression(columns: Columns): Tree {
    let left = this.#conjunction(columns);
    while (this.#takeOperator('OR')) left = join('or', left, this.#conjunction(columns));
    return left;
  }

  #conjunction(columns: Columns): Tree {
    let left = this.#difference(columns);
    while (this.#takeOperator('AND')) left = join('and', left, this.#difference(columns));
    return left;
  }

  #difference(columns: Columns): Tree {
    let left = this.#primary(columns);
    while (this.#takeOperator('NOT')) left = { kind: 'not', of: left, without: this.#primary(columns) };
    return left;
  }

  /** A part in parentheses, optionally with columns before it, or adjacent words. */
  #primary(columns: Columns): Tree {
    const start = this.#at;
    const own = intersect(columns, this.#columnSet());
    if (this.#takeMark('(')) {
      const inside = this.expression(own);
      this.#takeMark(')');
      return inside;
    }
    this.#at = start;
    const parts: Tree[] = [];
    while (this.#isAtWord()) {
      const part = this.#near(intersect(columns, this.#columnSet()));
      if (part !== null) parts.push(part);
    }
    const [only] = parts;
    return parts.length > 1 ? { kind: 'and', parts } : (only ?? NOTHING);
  }

  /** Null if it has no word. */
  #near(columns: Columns): Tree | null {
    if (this.#text()?.text !== 'NEAR' || this.#markAt(1) !== '(') {
      const isFirst = this.#takeMark('^');
      return leaf([this.#phrase()], columns, { isFirst });
    }
    this.#at += 2;
    const phrases: Phrase[] = [];
    while (this.#text() !== null) phrases.push(this.#phrase());
    const distance = this.#takeMark(',') ? Number(this.#takeText()) : DISTANCE_DEFAULT;
    this.#takeMark(')');
    return leaf(phrases, columns, { distance });
  }

  /** Strings joined by `+` are one phrase. A `*` makes the last word before it a prefix. */
  #phrase(): Phrase {
    const phrase: QueryTerm[] = [];
    do {
      for (const token of tokens(this.#takeText())) phrase.push({ token, prefix: false });
      const last = phrase.pop();
      const prefix = this.#takeMark('*');
      if (last !== undefined) phrase.push({ ...last, prefix });
    } while (this.#takeMark('+'));
    this.hasWord ||= phrase.length > 0;
    this.isWhole &&= phrase.length > 0;
    return phrase;
  }

  /** `ementa :` or `{ementa tese} :`. A minus before it means all other columns. */
  #columnSet(): Columns {
    const start = this.#at;
    const isOthers = this.#takeMark('-');
    const names: string[] = [];
    if (this.#takeMark('{')) {
      while (this.#text() !== null) names.push(this.#takeText());
      this.#takeMark('}');
    } else {
      const name = this.#take();
      if (name !== null) names.push(name.text);
    }
    if (names.length === 0 || !this.#takeMark(':')) {
      this.#at = start;
      return null;
    }
    const named = new Set(names.map((name) => name.toLowerCase()));
    return new Set(INDEXED_FIELDS.filter((column) => named.has(column) !== isOthers));
  }

  #isAtWord(): boolean {
    const text = this.#text();
    if (text !== null) return !isOperator(text);
    const mark = this.#markAt(0);
    return mark === '^' || mark === '{' || mark === '-';
  }

  #text(): Extract<Piece, { kind: 'text' }> | null {
    const piece = this.#pieces[this.#at];
    return piece?.kind === 'text' ? piece : null;
  }

  #take(): Extract<Piece, { kind: 'text' }> | null {
    const piece = this.#text();
    if (piece !== null) this.#at += 1;
    return piece;
  }

  #takeText(): string {
    return this.#take()?.text ?? readInPart();
  }

  #takeOperator(operator: string): boolean {
    const piece = this.#text();
    if (piece === null || piece.quoted || piece.text !== operator) return false;
    this.#at += 1;
    return true;
  }

  #takeMark(mark: string): boolean {
    if (this.#markAt(0) !== mark) return false;
    this.#at += 1;
    return true;
  }

  #markAt(ahead: number): string | null {
    const piece = this.#pieces[this.#at + ahead];
    return piece?.kind === 'mark' ? piece.mark : null;
  }
}

type Phrase = QueryTerm[];

function isOperator({ text, quoted }: { text: string; quoted: boolean }): boolean {
  return !quoted && (text === 'AND' || text === 'OR' || text === 'NOT');
}

function intersect(one: Columns, other: Columns): Columns {
  if (one === null || other === null) return one ?? other;
  return new Set([...one].filter((column) => other.has(column)));
}

function join(kind: 'and' | 'or', left: Tree, right: Tree): Tree {
  const parts = left.kind === kind ? left.parts : [left];
  return { kind, parts: [...parts, right] };
}

/** A single word in any column is a term; everything else needs positions. */
function leaf(
  phrases: readonly Phrase[],
  columns: Columns,
  { isFirst = false, distance = DISTANCE_DEFAULT }: { isFirst?: boolean; distance?: number },
): Tree | null {
  const withWords = phrases.filter((phrase) => phrase.length > 0);
  const [only, ...others] = withWords.flat();
  if (only === undefined) return null;
  if (columns?.size === 0) return NOTHING;
  if (others.length === 0 && columns === null && !isFirst) return { kind: 'term', ...only };
  return {
    kind: 'positional',
    phrases: withWords,
    distance: withWords.length > 1 ? Math.min(distance, DISTANCE_MAX) : null,
    columns: columns === null ? ALL_COLUMNS : maskOf(columns),
    first: isFirst,
  };
}

function maskOf(columns: ReadonlySet<string>): number {
  return INDEXED_FIELDS.reduce((mask, column, at) => (columns.has(column) ? mask | (1 << at) : mask), 0);
}

function positives(node: Tree): QueryTerm[] {
  switch (node.kind) {
    case 'nothing':
      return [];
    case 'term':
      return [{ token: node.token, prefix: node.prefix }];
    case 'positional':
      return node.phrases.flat();
    case 'not':
      return positives(node.of);
    case 'and':
    case 'or':
      return node.parts.flatMap((part) => positives(part));
  }
}

/** The number of nodes of a tree, plus its positional words. */
export function sizeOf(tree: Tree): number {
  switch (tree.kind) {
    case 'nothing':
    case 'term':
      return 1;
    case 'positional':
      return 1 + tree.phrases.flat().length;
    case 'not':
      return 1 + sizeOf(tree.of) + sizeOf(tree.without);
    case 'and':
    case 'or':
      return tree.parts.reduce((size, part) => size + sizeOf(part), 1);
  }
}
