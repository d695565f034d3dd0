import { COLUMNS } from '../index/format/bm25f.ts';
import type { Passo, Termo } from '../engine/messages.ts';
import { tokens } from '../index/format/tokens.ts';
import { lex, type Piece } from './fts5-lexer.ts';

/** The columns that a part of the query is limited to; null means all. */
type Columns = ReadonlySet<string> | null;

type Node =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'leaf'; readonly step: Passo }
  | { readonly kind: 'e' | 'ou'; readonly parts: readonly Node[] }
  | { readonly kind: 'nao'; readonly of: Node; readonly without: Node };

const NOTHING: Node = { kind: 'nothing' };

export interface Expression {
  readonly programa: Passo[];
  /** The words that a match may hold, each once, in order of appearance; those under NOT are not among them. */
  readonly positive: Termo[];
  /** False when there is no word in it at all. */
  readonly hasWord: boolean;
}

/**
 * Reads an FTS5 expression, which FTS5's own reader has accepted, into the steps by which a base evaluates it
 * (sqlite.org/fts5.html, section 3): from loosest to tightest OR, AND, NOT, and words side by side. A phrase
 * with no word in it is passed over among words side by side, and matches nothing beside an operator.
 */
export function readExpression(fts5: string): Expression {
  const reader = new Reader(lex(fts5));
  return expressionOf(reader.expression(null), reader.hasWord);
}

/** The same for words side by side, each given as its tokens, one at the least: several of them are a phrase. */
export function literalExpression(words: readonly (readonly string[])[]): Expression {
  const parts = words.map(
    (word) => leaf([word.map((texto) => ({ texto, prefixo: false }))], null, {}) ?? NOTHING,
  );
  const [only] = parts;
  return expressionOf(parts.length > 1 ? { kind: 'e', parts } : (only ?? NOTHING), parts.length > 0);
}

function expressionOf(tree: Node, hasWord: boolean): Expression {
  const positive = new Map(
    positives(tree).map((termo) => [termo.prefixo ? `${termo.texto}*` : termo.texto, termo]),
  );
  return { programa: steps(tree), positive: [...positive.values()], hasWord };
}

class Reader {
  readonly #pieces: readonly Piece[];
  #at = 0;
  hasWord = false;

  constructor(pieces: readonly Piece[]) {
    this.#pieces = pieces;
  }

  expression(columns: Columns): Node {
    let left = this.#conjunction(columns);
    while (this.#takeOperator('OR')) left = join('ou', left, this.#conjunction(columns));
    return left;
  }

  #conjunction(columns: Columns): Node {
    let left = this.#difference(columns);
    while (this.#takeOperator('AND')) left = join('e', left, this.#difference(columns));
    return left;
  }

  #difference(columns: Columns): Node {
    let left = this.#primary(columns);
    while (this.#takeOperator('NOT')) left = { kind: 'nao', of: left, without: this.#primary(columns) };
    return left;
  }

  /** A part in parentheses, with or without columns before it, or words side by side. */
  #primary(columns: Columns): Node {
    const start = this.#at;
    const own = intersect(columns, this.#columnSet());
    if (this.#takeMark('(')) {
      const inside = this.expression(own);
      this.#takeMark(')');
      return inside;
    }
    this.#at = start;
    const parts: Node[] = [];
    while (this.#isAtWord()) {
      const part = this.#near(intersect(columns, this.#columnSet()));
      if (part !== null) parts.push(part);
    }
    const [only] = parts;
    return parts.length > 1 ? { kind: 'e', parts } : (only ?? NOTHING);
  }

  /** Null when there is no word in it. */
  #near(columns: Columns): Node | null {
    if (this.#text()?.text !== 'NEAR' || this.#markAt(1) !== '(') {
      const isFirst = this.#takeMark('^');
      return leaf([this.#phrase()], columns, { isFirst });
    }
    this.#at += 2;
    const phrases: Phrase[] = [];
    while (this.#text() !== null) phrases.push(this.#phrase());
    const distance = this.#takeMark(',') ? (this.#take()?.text ?? '') : '';
    this.#takeMark(')');
    return leaf(phrases, columns, { distance });
  }

  /** Strings joined by `+` are one phrase; a `*` makes a prefix of the last word there is at its place. */
  #phrase(): Phrase {
    const phrase: Termo[] = [];
    do {
      const text = this.#take()?.text ?? '';
      for (const texto of tokens(text)) phrase.push({ texto, prefixo: false });
      const last = phrase.pop();
      const prefixo = this.#takeMark('*');
      if (last !== undefined) phrase.push({ ...last, prefixo });
    } while (this.#takeMark('+'));
    this.hasWord ||= phrase.length > 0;
    return phrase;
  }

  /** `ementa :`, `{ementa tese} :`, and either with a minus before it, which means all others. */
  #columnSet(): Columns {
    const start = this.#at;
    const isOthers = this.#takeMark('-');
    const names: string[] = [];
    if (this.#takeMark('{')) {
      while (this.#text() !== null) names.push(this.#take()?.text ?? '');
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
    return new Set(COLUMNS.filter((column) => named.has(column) !== isOthers));
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

type Phrase = readonly Termo[];

function isOperator({ text, quoted }: { text: string; quoted: boolean }): boolean {
  return !quoted && (text === 'AND' || text === 'OR' || text === 'NOT');
}

function intersect(one: Columns, other: Columns): Columns {
  if (one === null || other === null) return one ?? other;
  return new Set([...one].filter((column) => other.has(column)));
}

function join(kind: 'e' | 'ou', left: Node, right: Node): Node {
  const parts = left.kind === kind ? left.parts : [left];
  return { kind, parts: [...parts, right] };
}

/** One word anywhere is a word's list; whatever asks where words stand is left to FTS5, as text of its own. */
function leaf(
  phrases: readonly Phrase[],
  columns: Columns,
  { isFirst = false, distance = '' }: { isFirst?: boolean; distance?: string },
): Node | null {
  const kept = phrases.filter((phrase) => phrase.length > 0);
  const termos = kept.flat();
  const [only] = termos;
  if (only === undefined) return null;
  if (columns?.size === 0) return NOTHING;
  if (termos.length === 1 && columns === null && !isFirst) {
    return { kind: 'leaf', step: { passo: 'termo', ...only } };
  }
  const texts = kept.map((phrase) => textOf(phrase)).join(' ');
  const near = kept.length > 1 ? `NEAR(${texts}${distance === '' ? '' : `, ${distance}`})` : texts;
  const where = columns === null ? '' : `{${[...columns].join(' ')}} : `;
  return { kind: 'leaf', step: { passo: 'trecho', fts5: `${where}${isFirst ? '^' : ''}${near}`, termos } };
}

/** A phrase as FTS5 text; a word that is a prefix ends its string. */
function textOf(phrase: Phrase): string {
  const strings: string[] = [];
  let words: string[] = [];
  for (const [at, { texto, prefixo }] of phrase.entries()) {
    words.push(texto);
    if (!prefixo && at < phrase.length - 1) continue;
    strings.push(`"${words.join(' ')}"${prefixo ? ' *' : ''}`);
    words = [];
  }
  return strings.join(' + ');
}

function positives(node: Node): Termo[] {
  switch (node.kind) {
    case 'nothing':
      return [];
    case 'leaf':
      return wordsOf(node.step);
    case 'nao':
      return positives(node.of);
    case 'e':
    case 'ou':
      return node.parts.flatMap((part) => positives(part));
  }
}

function wordsOf(step: Passo): Termo[] {
  if (step.passo === 'termo') return [{ texto: step.texto, prefixo: step.prefixo }];
  return step.passo === 'trecho' ? step.termos : [];
}

/** The tree as steps, each part before what joins it. */
function steps(node: Node): Passo[] {
  switch (node.kind) {
    case 'nothing':
      return [{ passo: 'nada' }];
    case 'leaf':
      return [node.step];
    case 'nao':
      return [...steps(node.of), ...steps(node.without), { passo: 'nao' }];
    case 'e':
    case 'ou':
      return [...node.parts.flatMap((part) => steps(part)), { passo: node.kind, partes: node.parts.length }];
  }
}
