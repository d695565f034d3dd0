import { INDEXED_FIELDS } from '../index/format/bm25f.ts';
import { lex, type Piece } from './fts5-lexer.ts';
import { COURT_NEAR, COURT_PREFIX } from './warnings.ts';

/** Longer texts are not repeated in a message. */
const NAMED_CHARACTERS_MAX = 40;
const OPERATORS = new Set(['AND', 'OR', 'NOT']);
/** Marks of FTS5's syntax. Any other mark is text that needs quotes. */
const COLUMN_MARKS = ':{}';
const WORD_MARKS = '+^*-';

/**
 * How to correct a text that FTS5's own parser rejects, in Portuguese.
 * @param refusal the parser's message, which names a token but not its position.
 */
export function hintFor(text: string, refusal: string): string {
  const outsideQuotes = text.replaceAll(/"(?:[^"]|"")*"/g, '""');
  if (/unterminated string/.test(refusal) || /(^|[^"])"([^"]|$)/.test(outsideQuotes)) {
    return 'as aspas não fecham; feche-as ou retire-as';
  }
  const open = openParentheses(outsideQuotes);
  if (open < 0) return 'há um ) a mais; retire-o ou abra-o antes';
  if (open > 0) return 'os parênteses não fecham; feche-os ou retire-os';
  if (/\(\s*\)/.test(outsideQuotes)) return 'há parênteses vazios; retire-os';
  if (/too large|too many|stack overflow|depth/i.test(refusal)) {
    return 'tem operadores ou parênteses demais; simplifique-a';
  }
  const column = /no such column: (.*)/su.exec(refusal)?.[1];
  const pieces = lex(text);
  if (column !== undefined) return mendColumn(pieces, outsideQuotes, column);
  const near = /near "(.*)"/su.exec(refusal)?.[1] ?? '';
  return (
    mendNear(pieces) ??
    mendMark(near, outsideQuotes) ??
    mendOperator(pieces) ??
    mendParenthesis(pieces) ??
    unread(near)
  );
}

function unread(near: string): string {
  const place = near === '' || near.length > NAMED_CHARACTERS_MAX ? '' : ` perto de ${near}`;
  return `não se lê como sintaxe FTS5${place}; complete o operador ou ponha entre aspas o que é texto`;
}

/** How many stay open; negative if one is closed that was not open. */
function openParentheses(outsideQuotes: string): number {
  let depth = 0;
  for (const character of outsideQuotes) {
    if (character === '(') depth += 1;
    else if (character === ')') depth -= 1;
    if (depth < 0) break;
  }
  return depth;
}

const NO_COLUMN = `o que vem antes de : deve ser uma coluna (${INDEXED_FIELDS.join(', ')}); ou ponha o texto entre aspas`;

/** FTS5 reads the text after a hyphen as the name of an excluded column. */
function mendColumn(pieces: readonly Piece[], outsideQuotes: string, column: string): string {
  let isInBraces = false;
  for (const [at, piece] of pieces.entries()) {
    if (isMark(piece, '{') || isMark(piece, '}')) isInBraces = isMark(piece, '{');
    const isNamed = piece.kind === 'text' && piece.text === column;
    if (isNamed && (isInBraces || isMark(pieces[at + 1], ':'))) return NO_COLUMN;
  }
  const word = wordWith(`-${column}`, outsideQuotes);
  if (word === null || word.startsWith('-')) {
    return 'o - não exclui palavras; para excluir, escreva NOT: dano NOT moral; o que é texto vai entre aspas';
  }
  return inQuotes('uma palavra com hífen vai entre aspas', word);
}

function wordWith(part: string, outsideQuotes: string): string | null {
  const words = outsideQuotes.match(/[^\s"(){}:+^*]+\*?/gu) ?? [];
  return words.find((word) => word.includes(part)) ?? null;
}

function inQuotes(rule: string, word: string | null): string {
  if (word === null || word.length > NAMED_CHARACTERS_MAX) return rule;
  return word.endsWith('*') ? `${rule}: "${word.slice(0, -1)}"*` : `${rule}: "${word}"`;
}

const isMark = (piece: Piece | undefined, mark: string) => piece?.kind === 'mark' && piece.mark === mark;
const isWord = (piece: Piece | undefined, text: string) =>
  piece?.kind === 'text' && !piece.quoted && piece.text === text;
const isOperator = (piece: Piece | undefined) =>
  piece?.kind === 'text' && !piece.quoted && OPERATORS.has(piece.text);

/** NEAR( ) takes words and phrases, then optionally a comma and a number. */
function mendNear(pieces: readonly Piece[]): string | null {
  for (const [at, piece] of pieces.entries()) {
    if (!isMark(pieces[at + 1], '(')) continue;
    if (isWord(piece, 'near') || isWord(piece, 'Near'))
      return 'NEAR escreve-se em maiúsculas: NEAR(tutela urgência, 5)';
    if (!isWord(piece, 'NEAR')) continue;
    const after = pieces.slice(at + 2);
    const body = after.slice(
      0,
      after.findIndex((one) => isMark(one, ')')),
    );
    if (body.some((one) => isOperator(one) || isMark(one, '(') || isMark(one, ':'))) {
      return 'dentro de NEAR( ) vão só palavras e frases, sem operadores nem parênteses: NEAR(tutela urgência, 5)';
    }
    const comma = body.findIndex((one) => isMark(one, ','));
    const [number, ...more] = body.slice(comma + 1);
    const isNumber = number?.kind === 'text' && !number.quoted && /^\d+$/u.test(number.text);
    if (comma !== -1 && !(isNumber && more.length === 0)) {
      return 'em NEAR( ) vai uma só vírgula, e depois dela um número inteiro: NEAR(tutela urgência, 5)';
    }
  }
  return null;
}

/** A hint from the mark at which FTS5 stopped, if that is enough. */
function mendMark(near: string, outsideQuotes: string): string | null {
  if (near === '*') return 'o * vem depois do começo da palavra: dano*';
  if ([...near].length !== 1 || /[\p{L}\p{N}()]/u.test(near)) return null;
  if (COLUMN_MARKS.includes(near)) return NO_COLUMN;
  const word = wordWith(near, outsideQuotes);
  // As the courts' own pages have it.
  if (COURT_PREFIX.test(word ?? '')) return 'o começo de uma palavra leva *: indeniz*';
  if (COURT_NEAR.test(word ?? '')) return 'palavras próximas escrevem-se assim: NEAR(tutela urgência, 5)';
  if (WORD_MARKS.includes(near) && (word === null || word.startsWith(near))) return null;
  return inQuotes(`não se lê como sintaxe FTS5 perto de ${near}; ponha entre aspas o que é texto`, word);
}

function mendOperator(pieces: readonly Piece[]): string | null {
  for (const [at, piece] of pieces.entries()) {
    if (!isOperator(piece) || piece.kind !== 'text') continue;
    const [before, after] = [pieces[at - 1], pieces[at + 1]];
    if (isWord(piece, 'NOT') && (isWord(before, 'AND') || isWord(before, 'OR'))) {
      return 'NOT vem sem AND nem OR antes dele: dano NOT moral';
    }
    const isFirst = before === undefined || isMark(before, '(');
    const isLast = after === undefined || isMark(after, ')');
    if (isFirst || isLast || (isOperator(after) && !isWord(after, 'NOT'))) {
      const { text } = piece;
      return `falta um termo ao lado de ${text}: dano ${text} moral; para buscar a palavra, ponha-a entre aspas`;
    }
  }
  return null;
}

/** A parenthesis beside a word needs an operator; adjacent words do not. */
function mendParenthesis(pieces: readonly Piece[]): string | null {
  const isLoose = pieces.some((piece, at) => {
    const before = pieces[at - 1];
    const endsATerm = (before?.kind === 'text' && !isOperator(before)) || isMark(before, '*');
    if (isMark(piece, '(')) return isMark(before, ')') || (endsATerm && !isWord(before, 'NEAR'));
    return isMark(before, ')') && ((piece.kind === 'text' && !isOperator(piece)) || isMark(piece, '{'));
  });
  return isLoose
    ? 'os parênteses pedem um operador ao lado; escreva AND junto ao parêntese: dano AND (moral OR material)'
    : null;
}
