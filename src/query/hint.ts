import { courtSigns, INEXACT } from '../contract/court-signs.ts';
import { asFts5 } from '../contract/fts5-query.ts';
import { INDEXED_FIELDS } from '../index/format/bm25f.ts';
import { lex, type Piece } from './fts5-lexer.ts';

/** What is wrong, and how it is written right, if a suggestion can't be made. */
type Rule = readonly [rule: string, example?: string];

const COURT: Rule = [
  'há sinais da busca dos tribunais, que aqui não valem',
  'dano AND moral, NEAR(dano moral, 5), indeniz*',
];
const PROSE: Rule = ['parênteses são sintaxe de busca; o que é texto vai sem eles'];
const NO_COLUMN: Rule = [
  `o que vem antes de : deve ser uma coluna (${INDEXED_FIELDS.join(', ')}); ou ponha o texto entre aspas`,
];
const EXCLUSION: Rule = [
  'o - não exclui palavras; para excluir, use NOT; o que é texto vai entre aspas',
  'dano NOT moral',
];
const NEAR: Rule = [
  'NEAR( ), em maiúsculas, leva só palavras, frases e, depois de uma só vírgula, um número inteiro',
  'NEAR(tutela urgência, 5)',
];
const STAR: Rule = ['o * vem depois do começo de uma palavra; pelo fim dela não há busca', 'indeniz*'];
const PARENTHESIS: Rule = ['os parênteses pedem um operador ao lado', 'dano AND (moral OR material)'];
const MARKS: Rule = ['uma palavra com hífen ou outro sinal vai entre aspas', '"bem-estar"'];
const OPERATORS = new Set(['AND', 'OR', 'NOT']);

/**
 * How to correct a text that FTS5's own parser rejects, in Portuguese: with the whole text as it may have been meant, where that
 * can be told.
 * @param refusal the parser's message, which names a token but not its position.
 * @param isRead whether the service reads a text.
 */
export function hintFor(text: string, refusal: string, isRead: (q: string) => boolean): string {
  const outsideQuotes = text.replaceAll(/"(?:[^"]|"")*"/g, '""');
  const signs = courtSigns(text);
  const isCourt = signs.some((sign) => sign.isCertain);
  const [rule, example] = isCourt ? COURT : ruleFor(text, outsideQuotes, refusal);
  // What stands before a colon and a quote or parenthesis was meant as a column.
  const isFilter = rule === NO_COLUMN[0] && /:\s*["({^]|[{}]/u.test(outsideQuotes);
  const meant = isFilter ? null : asFts5(text);
  if (meant === null || !isRead(meant.q)) return example === undefined ? rule : `${rule}: ${example}`;
  const isPlain =
    !isCourt && /\([^()]*[\p{L}\p{N}]/u.test(outsideQuotes) && !/["()*]|\b(?:AND|OR|NOT)\b/u.test(meant.q);
  const isProse = isPlain && openParentheses(outsideQuotes) === 0;
  const isLike = isCourt && signs.some(({ kind }) => INEXACT.has(kind));
  const parameters = Object.entries(meant.parametros).map(([name, value]) => `, com ${name}=${value}`);
  return `${isProse ? PROSE[0] : rule}; ${isLike ? 'o mais parecido é' : 'escreva'}${parameters.join('')}: ${meant.q}`;
}

function ruleFor(text: string, outsideQuotes: string, refusal: string): Rule {
  if (/unterminated string/.test(refusal) || /(^|[^"])"([^"]|$)/.test(outsideQuotes)) {
    return ['as aspas não fecham; feche-as ou retire-as'];
  }
  const open = openParentheses(outsideQuotes);
  if (open < 0) return ['há um ) a mais; retire-o ou abra-o antes'];
  if (open > 0) return ['os parênteses não fecham; feche-os ou retire-os'];
  if (/\(\s*\)/.test(outsideQuotes)) return ['há parênteses vazios; retire-os'];
  if (/too large|too many|stack overflow|depth/i.test(refusal)) {
    return ['tem operadores ou parênteses demais; simplifique-a'];
  }
  const pieces = lex(text);
  const column = /no such column: (.*)/su.exec(refusal)?.[1];
  if (column !== undefined) return ruleForColumn(pieces, outsideQuotes, column);
  if (isNearWrong(pieces)) return NEAR;
  const near = /near "(.*)"/su.exec(refusal)?.[1] ?? '';
  if (near === '*') return STAR;
  if (/^[:{}]$/u.test(near)) return NO_COLUMN;
  const isInside = /[\p{L}\p{N}][+^-]/u.test(outsideQuotes) && /^[+^-]$/u.test(near);
  if (isInside || /^[^\p{L}\p{N}()+^-]$/u.test(near)) return MARKS;
  return ruleForOperator(pieces) ?? (hasLooseParenthesis(pieces) ? PARENTHESIS : unread(near));
}

function unread(near: string): Rule {
  const place = near === '' || near.length > 40 ? '' : ` perto de ${near}`;
  return [`não se lê como sintaxe FTS5${place}; complete o operador ou ponha entre aspas o que é texto`];
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

/** FTS5 reads the text after a hyphen as the name of an excluded column. */
function ruleForColumn(pieces: readonly Piece[], outsideQuotes: string, column: string): Rule {
  let isInBraces = false;
  for (const [at, piece] of pieces.entries()) {
    if (isMark(piece, '{') || isMark(piece, '}')) isInBraces = isMark(piece, '{');
    const isNamed = piece.kind === 'text' && piece.text === column;
    if (isNamed && (isInBraces || isMark(pieces[at + 1], ':'))) return NO_COLUMN;
  }
  const words = outsideQuotes.match(/[^\s"(){}:+^*]+/gu) ?? [];
  const word = words.find((one) => one.includes(`-${column}`));
  return word === undefined || word.startsWith('-') ? EXCLUSION : MARKS;
}

const isMark = (piece: Piece | undefined, mark: string) => piece?.kind === 'mark' && piece.mark === mark;
const isWord = (piece: Piece | undefined, text: string) =>
  piece?.kind === 'text' && !piece.quoted && piece.text === text;
const isOperator = (piece: Piece | undefined) =>
  piece?.kind === 'text' && !piece.quoted && OPERATORS.has(piece.text);

/** NEAR( ) takes words and phrases, then optionally a comma and a number. */
function isNearWrong(pieces: readonly Piece[]): boolean {
  return pieces.some((piece, at) => {
    if (piece.kind !== 'text' || piece.quoted || !/^near$/iu.test(piece.text) || !isMark(pieces[at + 1], '('))
      return false;
    const after = pieces.slice(at + 2);
    const end = after.findIndex((one) => isMark(one, ')'));
    const body = after.slice(0, end);
    const comma = body.findIndex((one) => isMark(one, ','));
    const [number, ...more] = comma < 0 ? [] : body.slice(comma + 1);
    const isNumber =
      number?.kind === 'text' && !number.quoted && /^\d+$/u.test(number.text) && more.length === 0;
    const hasSyntax = body.some((one) => isOperator(one) || isMark(one, '(') || isMark(one, ':'));
    return piece.text !== 'NEAR' || hasSyntax || (comma >= 0 && !isNumber);
  });
}

function ruleForOperator(pieces: readonly Piece[]): Rule | null {
  for (const [at, piece] of pieces.entries()) {
    if (!isOperator(piece) || piece.kind !== 'text') continue;
    const [before, after] = [pieces[at - 1], pieces[at + 1]];
    if (isWord(piece, 'NOT') && (isWord(before, 'AND') || isWord(before, 'OR'))) {
      return ['NOT vem sem AND nem OR antes dele', 'dano NOT moral'];
    }
    const isFirst = before === undefined || isMark(before, '(');
    const isLast = after === undefined || isMark(after, ')');
    if (isFirst || isLast || (isOperator(after) && !isWord(after, 'NOT'))) {
      const { text } = piece;
      return [
        `falta um termo ao lado de ${text}; para buscar a palavra, ponha-a entre aspas`,
        `dano ${text} moral`,
      ];
    }
  }
  return null;
}

/** A parenthesis beside a word needs an operator; adjacent words do not. */
function hasLooseParenthesis(pieces: readonly Piece[]): boolean {
  return pieces.some((piece, at) => {
    const before = pieces[at - 1];
    const endsATerm = (before?.kind === 'text' && !isOperator(before)) || isMark(before, '*');
    if (isMark(piece, '(')) return isMark(before, ')') || (endsATerm && !isWord(before, 'NEAR'));
    return isMark(before, ')') && ((piece.kind === 'text' && !isOperator(piece)) || isMark(piece, '{'));
  });
}
