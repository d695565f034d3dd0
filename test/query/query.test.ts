import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Q_MIN } from '../../src/contract/vocabulary.ts';
import type { Tree } from '../../src/engine/messages.ts';
import { openSyntaxCheck } from '../../src/query/syntax-check.ts';
import { readQuery } from '../../src/query/query.ts';
import { readExpression } from '../../src/query/expression.ts';

const check = openSyntaxCheck();
const read = (q: string) => readQuery(q, check);
const refusal = (q: string) => {
  const consulta = read(q);
  return 'codigo' in consulta ? consulta : { codigo: 'none', erro: '' };
};
/** What the reader of FTS5's syntax makes of a text; that is held to FTS5 itself where bases are read. */
const asSyntax = (fts5: string) => {
  const { tree, positive } = readExpression(fts5);
  return { tree, terms: positive };
};
const words = (q: string) =>
  readExpression(q).positive.map(({ token, prefix }) => token + (prefix ? '*' : ''));

/** True if each part of a tree has what a base evaluates: words that are not empty, and two parts at least. */
function isSound(tree: Tree): boolean {
  if (tree.kind === 'not') return isSound(tree.of) && isSound(tree.without);
  if (tree.kind === 'and' || tree.kind === 'or') return tree.parts.length > 1 && tree.parts.every(isSound);
  const phrases = tree.kind === 'term' ? [[tree]] : tree.kind === 'positional' ? tree.phrases : [];
  const areWords = phrases.every((phrase) => phrase.length > 0 && phrase.every(({ token }) => token !== ''));
  return areWords && (tree.kind !== 'positional' || phrases.length > 0);
}

test('an invalid expression is refused as a whole', () => {
  const pieces = ['^', '-', '{', '}', '(', ')', '+', '*', ':', ',', ';', '"a"', 'b', 'ementa', 'NEAR', 'OR'];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((found) => found.join(' '));
  fc.assert(
    fc.property(texts, (text) => {
      const isAccepted = text !== '' && check(text) === null;
      if (isAccepted) readExpression(text);
    }),
    { numRuns: 3_000 },
  );
  for (const text of ['- a', '{', 'a ; b', '- { a', ')', '^ {'])
    expect(() => readExpression(text)).toThrow('in part only');
});

describe('loose words', () => {
  test.each([
    ['dano moral', '"dano" "moral"'],
    ['  dano \t moral\n', '"dano" "moral"'],
    ['art. 7º', '"art." "7º"'],
    ['R$ 500', '"R$" "500"'],
    ["d'água", `"d'água"`],
    ['1.234/MG', '"1.234/MG"'],
    ['RR-1000-40', '"RR-1000-40"'],
    ['dano § – moral', '"dano" "moral"'],
    ['moral moral', '"moral"'],
    ['FERNANDO HONORÁRIOS', '"FERNANDO" "HONORÁRIOS"'],
    ['dano and moral or not near', '"dano" "and" "moral" "or" "not" "near"'],
    ['ementa:dano', '"ementa:dano"'],
    ['a+b^c{d}', '"a+b^c{d}"'],
    ['SAND ORE NOTA NEARLY', '"SAND" "ORE" "NOTA" "NEARLY"'],
  ])('%j are literal terms that must all appear', (q, fts5) => {
    expect(read(q)).toMatchObject(asSyntax(fts5));
  });

  test('a text without a word is refused', () => {
    const wordless = '§§|– —|  |...|😀😀|!!|-- ..|""|"" ""|"§"|"§" AND "–"|()|( )|**|* *';
    for (const q of wordless.split('|')) expect(read(q)).toMatchObject({ codigo: 'CONSULTA_INVALIDA' });
  });
});

describe('FTS5 syntax', () => {
  test.each([
    '"dano moral"',
    'dano AND moral',
    'dano OR moral',
    'dano NOT moral',
    'NEAR(dano moral, 5)',
    'indeniz*',
    'ementa : dano AND moral',
    '{ementa tese} : (dano)',
    '- ementa : "dano"',
    '^dano AND moral',
    '"dano" + "moral"',
    '"a""b"',
  ])('%j is read unchanged', (q) => {
    expect(read(q)).toMatchObject(asSyntax(q));
  });

  test.each([
    ['"dano moral', 'aspas', '"dano moral"'],
    ['dano" moral', 'aspas', '"dano" moral'],
    ['banco "dano moral', 'aspas', 'banco "dano moral"'],
    ['(dano', 'parênteses não fecham', 'dano'],
    ['dano AND (moral OR lucro', 'parênteses não fecham', 'dano AND (moral OR lucro)'],
    ['dano)', 'há um ) a mais', 'dano'],
    ['dano) OR (moral', 'há um ) a mais', 'dano OR moral'],
    ['dano (moral OR material)', 'operador ao lado', 'dano AND (moral OR material)'],
    ['(dano OR moral) material', 'operador ao lado', '(dano OR moral) AND material'],
    ['(dano OR moral) NEAR(a b)', 'operador ao lado', '(dano OR moral) AND NEAR(a b, 10)'],
    ['dano AND NOT moral', 'NOT vem sem AND', 'dano NOT moral'],
    ['a () b', 'parênteses vazios', 'a b'],
    ['0528272-74.2019.8.13.0217 (1)', 'entre aspas', '"0528272-74.2019.8.13.0217 (1)"'],
    ['medida protetiva ( à vítima )', 'o que é texto vai sem eles', 'medida protetiva à vítima'],
    [
      'fixo em 10% (dez por cento) do valor',
      'o que é texto vai sem eles',
      'fixo em 10% dez por cento do valor',
    ],
    ['seguro ( - - - morais )', 'o que é texto vai sem eles', 'seguro morais'],
    ['cobrança ou multa (indevida)', 'operador ao lado', 'cobrança "ou" multa indevida'],
    ['dano "moral" x-y', 'hífen', 'dano "moral" "x-y"'],
    ["d'água* OR dano", 'outro sinal', '"d\'água"* OR dano'],
    ['bem-estar* dano', 'hífen', '"bem-estar"* dano'],
    ['tese "guarda-chuva" bem-estar', 'hífen', 'tese "guarda-chuva" "bem-estar"'],
    ['x-a OR ementa:y', 'hífen', '"x-a" OR ementa : "y"'],
    ['{ementa tese} : (bem-estar)', 'hífen', '{ementa tese} : "bem-estar"'],
    ['dano NOT bem-estar moral', 'hífen', 'dano NOT "bem-estar" moral'],
    ['"dano" -moral', 'o - não exclui', '"dano" NOT moral'],
    ['"dano" -moral material', 'o - não exclui', '"dano" NOT moral AND material'],
    ['dano - moral OR x', 'o - não exclui', 'dano moral OR x'],
    ['near(tutela urgência)', 'em maiúsculas', 'NEAR(tutela urgência, 10)'],
    ['NEAR(tutela urgência, -1)', 'um número inteiro', 'NEAR(tutela urgência, 10)'],
    ['NEAR(tutela urgência,)', 'um número inteiro', 'NEAR(tutela urgência, 10)'],
    ['NEAR(tutela, urgência, 5)', 'um número inteiro', 'NEAR(tutela urgência, 5)'],
    ['NEAR(lei, art. 5,3)', 'outro sinal', 'NEAR(lei art 5, 3)'],
    ['near(art. 5)', 'outro sinal', 'NEAR(art 5, 10)'],
    ['NEAR(tutela AND urgência, 5)', 'só palavras, frases', 'NEAR(tutela urgência, 5)'],
    ['NEAR(tutela (urgência))', 'só palavras, frases', 'NEAR(tutela urgência, 10)'],
    ['NEAR(bem-estar dano, 3)', 'hífen', 'NEAR("bem-estar" dano, 3)'],
    ['(art. 5º) OR x', 'outro sinal', '(art 5º) OR x'],
    ['dano e/ou moral AND (x OR y)', 'outro sinal', 'dano "e/ou" moral AND (x OR y)'],
    ['dano AND *moral', 'pelo fim dela não há busca', 'dano AND moral'],
    ['*dano', 'pelo fim dela não há busca', 'dano'],
    ['+dano OR moral', 'complete', 'dano OR moral'],
    ['art. AND 7', 'outro sinal', 'art AND 7'],
  ])('%j is refused (%s), and what was meant is %j', (q, rule, meant) => {
    const { codigo, erro } = refusal(q);
    expect(codigo).toBe('CONSULTA_INVALIDA');
    expect(erro).toContain(rule);
    expect(erro).toMatch(new RegExp(`^q: .*; escreva: ${RegExp.escape(meant)}$`, 'u'));
    expect(read(meant)).toMatchObject({ leitura: expect.any(String) });
  });

  test.each([
    ['dano AND', 'falta um termo ao lado de AND'],
    ['AND', 'falta um termo ao lado de AND'],
    ['NOT dano', 'falta um termo ao lado de NOT'],
    ['OR dano', 'falta um termo ao lado de OR'],
    ['(dano AND) OR moral', 'falta um termo ao lado de AND'],
    ['dano AND OR moral', 'falta um termo ao lado de AND'],
    ['dano OR NOT moral', 'NOT vem sem AND nem OR'],
    ['{ementa relator} : "x"', 'coluna'],
    ['relator:(x) "bem-estar"', 'coluna'],
    ['"relator" : "x"', 'coluna'],
    // Columns of the index or of FTS5 itself that are no column of a search.
    ['texto : (dano)', 'coluna'],
    ['rowid : (dano)', 'coluna'],
    ['fts : (dano)', 'coluna'],
    ['documento:"dano"', 'coluna'],
    ['ementa} : "x"', 'coluna'],
    ['* *id', 'pelo fim dela não há busca'],
    ['relator : (dano)', /(?=.*coluna)(?=.*ementa)(?=.*tese)(?=.*dispositivo)(?=.*temas)(?=.*processo)/u],
    ['dano\0moral', '%00'],
  ])('%j may mean several things: the error gives the rule', (q, rule) => {
    const { codigo, erro } = refusal(q);
    expect(codigo).toBe('CONSULTA_INVALIDA');
    expect(erro).toMatch(typeof rule === 'string' ? new RegExp(RegExp.escape(rule), 'u') : rule);
  });

  test('NEAR without a number is NEAR with 10', () => {
    expect(read('NEAR(dano moral)')).toEqual(read('NEAR(dano moral, 10)'));
    expect(read('NEAR(dano moral)')).not.toEqual(read('NEAR(dano moral, 11)'));
  });

  test('hundreds of parentheses are refused, without a fault', () => {
    expect(read(`${'('.repeat(149)}a${')'.repeat(149)}`)).toMatchObject({ codigo: 'CONSULTA_INVALIDA' });
  });

  test('any text is read or refused, and a text that is read never fails in a base', () => {
    const pieces = 'dano a 1 " ( ) * AND OR NOT NEAR : { } + - ^ , § ementa \0 \u001a ç \ud800 \' \\ ;';
    const piece = fc.constantFrom(...pieces.split(' '), ' ', ' ');
    const typed = fc.oneof(
      fc.array(piece, { maxLength: 40 }).map((found) => found.join('')),
      fc.array(piece, { maxLength: 20 }).map((found) => found.join(' ')),
      fc.string({ unit: 'binary', maxLength: 60 }),
    );
    fc.assert(
      fc.property(typed, (q) => {
        const consulta = read(q);
        if ('codigo' in consulta) {
          expect(consulta.codigo).toBe('CONSULTA_INVALIDA');
          return;
        }
        expect(isSound(consulta.tree)).toBe(true);
        expect(readExpression(consulta.leitura).tree).toEqual(consulta.tree);
        expect(check(consulta.leitura)).toBeNull();
        // Of no column at all: nothing, and no word is left of it.
        if (consulta.leitura === '""') return;
        expect(consulta.leitura.length).toBeGreaterThanOrEqual(Q_MIN);
        expect(read(consulta.leitura)).toEqual({ ...consulta, avisos: expect.any(Array) });
      }),
      { numRuns: 3000 },
    );
  });
});

describe('the positive words of an FTS5 query', () => {
  test.each([
    ['dano AND moral', ['dano', 'moral']],
    ['"Dano Moral" OR indeniz*', ['dano', 'moral', 'indeniz*']],
    ['"dano mor" *', ['dano', 'mor*']],
    ['dano NOT moral', ['dano']],
    ['dano NOT moral material', ['dano']],
    ['dano NOT moral AND material', ['dano', 'material']],
    ['dano NOT moral OR material', ['dano', 'material']],
    ['dano NOT (moral OR material) AND lucro', ['dano', 'lucro']],
    ['dano NOT moral NOT material', ['dano']],
    ['(a NOT (b NOT c)) OR d', ['a', 'd']],
    ['NEAR(dano moral, 5) OR NEAR AND x', ['dano', 'moral', 'near', 'x']],
    ['ementa : dano AND {tese temas} : moral', ['dano', 'moral']],
    ['- ementa : dano AND x', ['dano', 'x']],
    ['"AND" "OR"', ['and', 'or']],
    ['"a" + "b c" *', ['a', 'b', 'c*']],
    ['ação AND acao', ['acao']],
  ])('in %j are %j', (q, expected) => {
    expect(check(q)).toBeNull();
    expect(words(q)).toEqual(expected);
  });
});
