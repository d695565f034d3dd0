import { courtSigns, INEXACT } from '../contract/court-signs.ts';
import { asFts5, isOfCourts } from '../contract/fts5-query.ts';
import { INDEXED_FIELDS } from '../index/format/bm25f.ts';

/** What is wrong, and an example, for where the text itself can't be written right. */
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
const MARKS: Rule = ['uma palavra com hífen ou outro sinal vai entre aspas', '"bem-estar"'];
const UNREAD: Rule = ['não se lê como sintaxe FTS5; complete o operador ou ponha entre aspas o que é texto'];

/** The first that fits a text, without what is in quotes, and the token at which FTS5's parser stopped. */
const RULES: readonly (readonly [text: RegExp, near: RegExp, rule: Rule])[] = [
  [/"/u, /^unterminated/u, ['as aspas não fecham; feche-as ou retire-as']],
  [/\(\s*\)/u, /^/u, ['há parênteses vazios; retire-os']],
  [/^/u, /^too deep$/u, ['tem operadores ou parênteses demais; simplifique-a']],
  [/^/u, /^\*$/u, ['o * vem depois do começo de uma palavra; pelo fim dela não há busca', 'indeniz*']],
  [/^/u, /^[:{}]$/u, NO_COLUMN],
  [/^/u, /^[^\p{L}\p{N}()+^,-]$/u, MARKS],
  [/[\p{L}\p{N}][+^-]/u, /^[+^-]$/u, MARKS],
  [
    /\b(?:near|Near) ?\(|\bNEAR ?\([^()]*(?:\(|\b(?:AND|OR|NOT)\b|,(?! ?\d+ ?\)))/u,
    /^/u,
    [
      'NEAR( ), em maiúsculas, leva só palavras, frases e, depois de uma só vírgula, um número inteiro',
      'NEAR(tutela urgência, 5)',
    ],
  ],
  [/\b(?:AND|OR) NOT\b/u, /^/u, ['NOT vem sem AND nem OR antes dele', 'dano NOT moral']],
  ...['AND', 'OR', 'NOT'].map(
    (operator) =>
      [
        new RegExp(`(?:^|\\() ?${operator}\\b|\\b${operator} ?(?:$|\\)|(?:AND|OR)\\b)`, 'u'),
        /^/u,
        [
          `falta um termo ao lado de ${operator}; a palavra "${operator.toLowerCase()}" se busca entre aspas`,
          `dano ${operator} moral`,
        ],
      ] as const,
  ),
  [/[()]/u, /^/u, ['os parênteses pedem um operador ao lado', 'dano AND (moral OR material)']],
];

/**
 * How to correct a text that FTS5's own parser rejects, in Portuguese: with the whole text as it may have been meant, where that
 * can be told.
 * @param text with single spaces.
 * @param refusal the parser's message, which names a token but not its position.
 * @param isRead whether the service reads a text.
 */
export function hintFor(text: string, refusal: string, isRead: (q: string) => boolean): string {
  const outsideQuotes = text.replaceAll(/"(?:[^"]|"")*"/gu, "''");
  const signs = courtSigns(text);
  const isCourt = isOfCourts(text);
  const found = isCourt ? COURT : ruleFor(outsideQuotes, refusal);
  // What stands before a colon and a quote or parenthesis was meant as a column.
  const isFilter = found === NO_COLUMN && /:\s*['({^]|[{}]/u.test(outsideQuotes);
  const meant = isFilter ? null : asFts5(text);
  const [rule, example] = found;
  if (meant === null || !isRead(meant.q)) return example === undefined ? rule : `${rule}: ${example}`;
  const isPlain = !isCourt && !/["()*]|\b(?:AND|OR|NOT)\b/u.test(meant.q);
  const isProse =
    isPlain && /\([^()]*[\p{L}\p{N}]/u.test(outsideQuotes) && openParentheses(outsideQuotes) === 0;
  const isLike = isCourt && signs.some(({ kind }) => INEXACT.has(kind));
  const parameters = Object.entries(meant.parametros).map(([name, value]) => `, com ${name}=${value}`);
  return `${isProse ? PROSE[0] : rule}; ${isLike ? 'o mais parecido é' : 'escreva'}${parameters.join('')}: ${meant.q}`;
}

function ruleFor(outsideQuotes: string, refusal: string): Rule {
  const open = openParentheses(outsideQuotes);
  if (!outsideQuotes.includes('"') && open !== 0)
    return [
      open < 0
        ? 'há um ) a mais; retire-o ou abra-o antes'
        : 'os parênteses não fecham; feche-os ou retire-os',
    ];
  const column = /no such column: (.*)/su.exec(refusal)?.[1];
  if (column !== undefined && !/\(\s*\)/u.test(outsideQuotes)) return ruleForColumn(outsideQuotes, column);
  const isDeep = /too large|too many|stack overflow|depth/iu.test(refusal);
  const near = isDeep ? 'too deep' : (/near "(.*)"/su.exec(refusal)?.[1] ?? refusal);
  return RULES.find(([inText, atToken]) => inText.test(outsideQuotes) && atToken.test(near))?.[2] ?? UNREAD;
}

/** FTS5 reads the text after a hyphen as the name of an excluded column. */
function ruleForColumn(outsideQuotes: string, column: string): Rule {
  const name = RegExp.escape(column);
  if (new RegExp(`\\{[^}]*${name}|(?<![\\p{L}\\p{N}_-])${name}\\s*:|'' :`, 'u').test(outsideQuotes))
    return NO_COLUMN;
  return new RegExp(`[^\\s(]-${name}`, 'u').test(outsideQuotes) ? MARKS : EXCLUSION;
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
