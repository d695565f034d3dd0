/*
 * The search language that the courts' own pages teach (STJ, STF, TST, TRF, TJMG): which signs of it a text has. Here they are text, or
 * no FTS5 at all. docs/search-syntax.md has the sources.
 */

/** What each kind of sign asks at the courts, and what is written for it here. */
export const COURT_MEANINGS = {
  and: 'as duas têm de aparecer; aqui AND',
  or: 'uma ou outra; aqui OR',
  not: 'exclui o que vem depois; aqui NOT',
  adjacent: 'juntas, nesta ordem; aqui "a b", ou NEAR(a b, 5) em qualquer ordem',
  near: 'próximas, em qualquer ordem; aqui NEAR(a b, 5)',
  paragraph: 'no mesmo parágrafo; aqui o mais parecido é NEAR(a b, 30)',
  field: 'no mesmo campo; aqui se diz em qual: ementa : (dano AND moral)',
  prefix: 'qualquer fim da palavra; aqui *',
  wildcard: 'letras quaisquer; aqui só o fim da palavra fica aberto: *',
  fuzzy: 'palavras parecidas; aqui a palavra vale como está',
  weight: 'peso da palavra na ordem; aqui não há',
  column: 'só no campo; aqui ementa : "x", tese, dispositivo, temas, processo',
  no_column: 'num campo em que aqui não se busca; a palavra vale em todos os textos',
  date: 'data; aqui data_de e data_ate, do julgamento (--desde, --ate)',
} as const;
export type CourtKind = keyof typeof COURT_MEANINGS;

/** For these FTS5 has nothing that asks the same, only something like it. */
export const INEXACT: ReadonlySet<CourtKind> = new Set([
  'paragraph',
  'field',
  'wildcard',
  'fuzzy',
  'weight',
  'no_column',
]);

/** @property isCertain false for what may as well be plain text: `prisão não preventiva`. */
export interface CourtSign {
  readonly text: string;
  readonly kind: CourtKind;
  readonly isCertain: boolean;
}

/** A part of a text. `after`: signs that follow a phrase or a parenthesis without a space, such as `~5` or `.EMEN.`. */
export type Piece =
  | { readonly kind: 'phrase'; readonly text: string; readonly after: string }
  | { readonly kind: 'open' }
  | { readonly kind: 'close'; readonly after: string }
  | { readonly kind: 'columns'; readonly text: string }
  | { readonly kind: 'date'; readonly text: string }
  | { readonly kind: 'word'; readonly text: string };

const PIECE =
  /(?<columns>-?\s?\{\s*(?:(?:ementa|tese|dispositivo|temas|processo)\b\s*)+\}\s*:|(?<![^\s()])-?(?:ementa|tese|dispositivo|temas|processo)\s*:)|(?<date>@\p{L}+\s*(?:[<>]=?|=)?\s*"?[\d/.-]*"?)|"(?<phrase>(?:[^"]|"")*)"|(?<open>\()|(?<close>\))|(?<word>[^\s"()]+)/gu;
const AFTER = /^(?:~\d*(?:\.\d+)?|\^\d+(?:\.\d+)?|\s?\.\p{L}{2,8}\.|\$|\*)+(?=[\s()]|$)/u;

export function piecesOf(text: string): Piece[] {
  const pieces: Piece[] = [];
  const pattern = new RegExp(PIECE);
  for (let found = pattern.exec(text); found !== null; found = pattern.exec(text)) {
    const { columns, date, phrase, open, word } = found.groups ?? {};
    if (columns !== undefined) pieces.push({ kind: 'columns', text: columns });
    else if (date !== undefined) pieces.push({ kind: 'date', text: date });
    else if (open !== undefined) pieces.push({ kind: 'open' });
    else if (word !== undefined) pieces.push({ kind: 'word', text: word });
    else {
      const after = AFTER.exec(text.slice(pattern.lastIndex))?.[0] ?? '';
      pattern.lastIndex += after.length;
      const [, inside = phrase, prefix = ''] = /^(.*\p{L}{3})(\$)$/su.exec(phrase ?? '') ?? [];
      if (inside === undefined) pieces.push({ kind: 'close', after });
      else pieces.push({ kind: 'phrase', text: inside, after: prefix + after });
    }
  }
  return pieces;
}

/** The courts' fields by the column that has the same; '' if none has. */
const FIELDS_OF = {
  ementa: 'emen ementa emnt',
  tese: 'tese',
  dispositivo: 'deci',
  temas: 'tema',
  processo: 'num reg proc',
  '': 'clas data dcla dtde dtpb font inde indx min nota org orga raco ref refs rel rela revi suce uf veja',
};
export const COURT_FIELDS: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(FIELDS_OF).flatMap(([column, names]) => names.split(' ').map((name) => [name, column])),
);
const FIELD = /^(.+)\.(\p{L}{2,6})\.$/u;
const CURRENCY = /^(?:R|US|AU?|C|HK|CR|CZ|NCZ)\$/iu;

/** A word with a field after it, `penhora.EMEN.`; null for another. Numbers have other fields than words: `AG.REG.` is a class. */
export function fieldOf(word: string): { readonly word: string; readonly column: string } | null {
  const [, base = '', name = ''] = FIELD.exec(word) ?? [];
  const column = COURT_FIELDS[name.toLowerCase()];
  if (column === undefined) return null;
  const isNumber = /^[\d./-]+$/u.test(base);
  const letters = column === '' ? /\p{L}{4}/u : /\p{L}{2}/u;
  const fits = column === 'processo' || /^dt/iu.test(name) ? isNumber : letters.test(base);
  return fits || /^[A-Z]{2}\.UF\.$/u.test(word) ? { word: base, column } : null;
}

const WORD_KINDS: readonly (readonly [CourtKind, RegExp])[] = [
  ['and', /^(?:e|&&)$/iu],
  ['or', /^(?:ou|\|\|)$/iu],
  ['not', /^(?:n[ãa]o$|!\p{L})/iu],
  ['adjacent', /^adj\/?\d*$/iu],
  ['near', /^(?:prox\/?\d*|near\/?\d+)$|^NEAR$/iu],
  ['paragraph', /^com$/iu],
  ['field', /^mesmo$/iu],
  ['prefix', /^\p{L}{3,}\$$/u],
  [
    'wildcard',
    /^[$?]+\p{L}[\p{L}\d$?]{2,}$|^\p{L}[\p{L}\d$?]*[$?]+\p{L}[\p{L}\d$?]*$|^\p{L}{3,}(?:\?+|\$\d+)$/u,
  ],
  ['fuzzy', /^\p{L}{3,}~\d*(?:\.\d+)?$/u],
  ['weight', /^\p{L}{3,}\^\d+(?:\.\d+)?$/u],
];

/** What a word would be at the courts; null for a word. */
export function kindOf(word: string): CourtKind | null {
  const field = fieldOf(word);
  if (field !== null) return field.column === '' ? 'no_column' : 'column';
  if (CURRENCY.test(word) || word === 'near') return null;
  return WORD_KINDS.find(([, pattern]) => pattern.test(word))?.[0] ?? null;
}

/** The signs of the courts' search language in a text, in order. */
export function courtSigns(q: string): CourtSign[] {
  const pieces = piecesOf(q);
  return pieces.flatMap((piece, at): CourtSign[] => {
    if (piece.kind === 'date') return [{ text: piece.text.trim(), kind: 'date', isCertain: true }];
    if (piece.kind === 'phrase' || piece.kind === 'close') return signsAfter(piece.after);
    const isNegated = piece.kind === 'word' && piece.text === '!' && pieces[at + 1]?.kind === 'open';
    if (isNegated) return [{ text: '!', kind: 'not', isCertain: true }];
    const kind = piece.kind === 'word' ? kindOf(piece.text) : null;
    if (piece.kind !== 'word' || kind === null) return [];
    const { text } = piece;
    // FTS5's own.
    if (text === 'NEAR' && pieces[at + 1]?.kind === 'open') return [];
    if (!OPERATORS.has(kind)) return endsSentence(text, pieces, at) ? [] : [{ text, kind, isCertain: true }];
    if (/^(?:&&|\|\||!.*)$/u.test(text)) return [{ text, kind, isCertain: true }];
    return isBetween(pieces, at)
      ? [{ text, kind, isCertain: isCertainOperator(text, kind, pieces, at) }]
      : [];
  });
}

const OPERATORS: ReadonlySet<CourtKind> = new Set([
  'and',
  'or',
  'not',
  'adjacent',
  'near',
  'paragraph',
  'field',
]);

function signsAfter(after: string): CourtSign[] {
  const name = /\.(\p{L}+)\./u.exec(after)?.[1]?.toLowerCase() ?? '';
  const kinds: readonly (readonly [CourtKind, boolean])[] = [
    [/~\d/u.test(after) ? 'near' : 'fuzzy', after.includes('~')],
    ['weight', after.includes('^')],
    ['prefix', after.includes('$')],
    [COURT_FIELDS[name] === '' ? 'no_column' : 'column', name in COURT_FIELDS],
  ];
  return kinds.flatMap(([kind, isThere]) => (isThere ? [{ text: after, kind, isCertain: true }] : []));
}

/** True for a `?` that is no wildcard: `cabe dano moral?` */
function endsSentence(text: string, pieces: readonly Piece[], at: number): boolean {
  const next = pieces[at + 1];
  const goesOn = next?.kind === 'word' && /^\p{Ll}/u.test(next.text);
  return /^\p{L}+\?+$/u.test(text) && pieces.length > 1 && !goesOn;
}

/** True between two operands of one sentence. */
function isBetween(pieces: readonly Piece[], at: number): boolean {
  const [before, after] = [pieces[at - 1], pieces[at + 1]];
  if (before?.kind === 'word' && /[.,;:!?]$/u.test(before.text) && fieldOf(before.text) === null)
    return false;
  return before !== undefined && before.kind !== 'open' && after !== undefined && after.kind !== 'close';
}

const UPPER_CASE = /^\P{Ll}*\p{Lu}{2}\P{Ll}*$/u;

/**
 * `e`, `ou`, `não`, `com`, `mesmo` are words of the language too. They are operators for sure in capitals among words that are not,
 * and between phrases or groups.
 */
function isCertainOperator(text: string, kind: CourtKind, pieces: readonly Piece[], at: number): boolean {
  if (kind === 'adjacent' || kind === 'near') return true;
  const [before, after] = [pieces[at - 1], pieces[at + 1]];
  const isGroup = (piece: Piece | undefined) => piece !== undefined && piece.kind !== 'word';
  // A text in capitals has no operators that capitals tell.
  const isCapitals =
    pieces.filter((piece) => piece.kind === 'word' && UPPER_CASE.test(piece.text)).length > 2;
  if (isGroup(before) && isGroup(after) && !isCapitals) return true;
  const isBeside = before?.kind === 'close' || after?.kind === 'open';
  if (isBeside && !isCapitals && hasOperatorInside(pieces)) return true;
  const neighbours = [before, after].map((piece) => (piece?.kind === 'word' ? piece.text : 'a'));
  const isLower =
    neighbours.every((word) => !UPPER_CASE.test(word)) && neighbours.some((word) => /\p{Ll}/u.test(word));
  const isPlain = isLower && neighbours.every((word) => /^\p{Ll}/u.test(word));
  if (text === text.toUpperCase()) return kind === 'and' || kind === 'not' ? isLower : isPlain;
  if (kind !== 'not') return false;
  if (text.startsWith('N')) return isPlain;
  const isUnaccented = text === 'nao' && pieces.length === 3;
  const isEnclosed = pieces[0]?.kind === 'open' && pieces.at(-1)?.kind === 'close';
  return isPlain && (isUnaccented || isEnclosed);
}

/** True for `(moral ou material)`, which prose seldom has. */
function hasOperatorInside(pieces: readonly Piece[]): boolean {
  let depth = 0;
  return pieces.some((piece, at) => {
    if (piece.kind === 'open') depth += 1;
    if (piece.kind === 'close') depth -= 1;
    const isOperator = piece.kind === 'word' && /^(?:e|ou|n[ãa]o|mesmo)$/iu.test(piece.text);
    return depth > 0 && isOperator && isBetween(pieces, at);
  });
}
