import { INDEXED_FIELDS } from '../index/format/bm25f.ts';
import type { Positional, QueryTerm, Tree } from '../engine/messages.ts';

const ALL_COLUMNS = 2 ** INDEXED_FIELDS.length - 1;

/** A query tree in FTS5 syntax, with words as the bases read them. `readExpression` reads the same tree from it. */
export function readingOf(tree: Tree): string {
  switch (tree.kind) {
    case 'nothing':
      return '""';
    case 'term':
      return phraseText([tree]);
    case 'positional':
      return positionalText(tree);
    case 'not':
      return `${grouped(tree.of, ['and', 'or'])} NOT ${grouped(tree.without, ['and', 'or', 'not'])}`;
    case 'and':
      return tree.parts.map((part) => grouped(part, ['and', 'or'])).join(' AND ');
    case 'or':
      return tree.parts.map((part) => grouped(part, ['or'])).join(' OR ');
  }
}

/** In parentheses if precedence would otherwise change the meaning. */
function grouped(tree: Tree, kinds: readonly Tree['kind'][]): string {
  return kinds.includes(tree.kind) ? `(${readingOf(tree)})` : readingOf(tree);
}

function positionalText({ phrases, distance, columns, first }: Positional): string {
  const names = INDEXED_FIELDS.filter((_, at) => (columns & (1 << at)) !== 0);
  const [name = '', ...others] = names;
  const column =
    columns === ALL_COLUMNS ? '' : others.length === 0 ? `${name} : ` : `{${names.join(' ')}} : `;
  // With quotes it is FTS5 syntax also alone: `^` and columns by themselves are not.
  const isQuoted = first || column !== '';
  const texts = phrases.map((phrase) => phraseText(phrase, isQuoted)).join(' ');
  return column + (distance === null ? `${first ? '^' : ''}${texts}` : `NEAR(${texts}, ${distance})`);
}

/** A prefix ends a string, so a prefix within a phrase splits it. */
function phraseText(phrase: readonly QueryTerm[], isQuoted = false): string {
  const parts: string[][] = [[]];
  for (const [at, { token, prefix }] of phrase.entries()) {
    parts.at(-1)?.push(token);
    if (prefix && at < phrase.length - 1) parts.push([]);
  }
  const strings = parts.map((words) =>
    words.length === 1 && !isQuoted ? words.join() : `"${words.join(' ')}"`,
  );
  return strings.join('* + ') + (phrase.at(-1)?.prefix === true ? '*' : '');
}
