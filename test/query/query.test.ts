import fc from 'fast-check';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import { Q_MIN } from '../../src/contract/vocabulary.ts';
import { SearchRequestSchema } from '../../src/engine/messages.ts';
import { openSyntaxCheck } from '../../src/query/syntax-check.ts';
import { readQuery } from '../../src/query/query.ts';
import { readExpression } from '../../src/query/expression.ts';
import { searchFor } from '../support/requests.ts';
import { runs } from '../support/runs.ts';

const check = openSyntaxCheck();
const read = (q: string) => readQuery(q, check);
/** What the reader of FTS5's syntax makes of a text; that is held to FTS5 itself where bases are read. */
const asSyntax = (fts5: string) => {
  const { tree, positive } = readExpression(fts5);
  return { tree, terms: positive };
};
const words = (q: string) =>
  readExpression(q).positive.map(({ token, prefix }) => token + (prefix ? '*' : ''));

test('an expression that is no FTS5 is read to an end too, and never in part', () => {
  const pieces = ['^', '-', '{', '}', '(', ')', '+', '*', ':', ',', ';', '"a"', 'b', 'ementa', 'NEAR', 'OR'];
  const texts = fc.array(fc.constantFrom(...pieces), { maxLength: 12 }).map((found) => found.join(' '));
  fc.assert(
    fc.property(texts, (text) => {
      const isAccepted = text !== '' && check(text) === null;
      if (isAccepted) readExpression(text);
    }),
    { numRuns: runs(3_000) },
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

  test('a text with no word in it is refused', () => {
    const wordless = [
      '§§',
      '– —',
      '  ',
      '...',
      '😀😀',
      '!!',
      '-- ..',
      '""',
      '"" ""',
      '"§"',
      '"§" AND "–"',
      '()',
      '( )',
    ];
    for (const q of [...wordless, '**', '* *']) {
      expect(read(q)).toMatchObject({ codigo: 'CONSULTA_INVALIDA' });
    }
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
  ])('%j is read as it stands', (q) => {
    expect(read(q)).toMatchObject(asSyntax(q));
  });

  test.each([
    ['"dano', 'aspas'],
    ['dano" moral', 'aspas'],
    ['(dano', 'parênteses não fecham'],
    ['dano)', 'há um ) a mais'],
    ['dano (moral OR material)', 'AND'],
    ['(dano OR moral) material', 'AND'],
    ['dano) OR (moral', 'há um ) a mais'],
    ['dano AND', 'falta um termo ao lado de AND'],
    ['AND', 'falta um termo ao lado de AND'],
    ['NOT dano', 'falta um termo ao lado de NOT'],
    ['OR dano', 'falta um termo ao lado de OR'],
    ['(dano AND) OR moral', 'falta um termo ao lado de AND'],
    ['dano AND OR moral', 'falta um termo ao lado de AND'],
    ['dano AND NOT moral', 'NOT vem sem AND'],
    ['a () b', 'parênteses vazios'],
    ['(dano OR moral) NEAR(a b)', 'escreva AND junto ao parêntese'],
    ['dano "moral" x-y', 'hífen vai entre aspas: "x-y"'],
    ["d'água* OR dano", '"d\'água"*'],
    ['indeniz$ AND moral', 'leva *: indeniz*'],
    ['"dano" NEAR/5 "moral"', 'NEAR(tutela urgência, 5)'],
    ['bem-estar* dano', 'hífen vai entre aspas: "bem-estar"*'],
    ['tese "guarda-chuva" bem-estar', 'hífen vai entre aspas: "bem-estar"'],
    ['REsp-1 OR x', 'hífen vai entre aspas: "REsp-1"'],
    ['x-a OR ementa:y', 'hífen vai entre aspas: "x-a"'],
    ['{ementa tese} : (x-e)', 'hífen vai entre aspas: "x-e"'],
    ['{ementa tese} : (bem-estar)', 'hífen vai entre aspas: "bem-estar"'],
    ['ementa : 0001-22 OR x', 'hífen vai entre aspas: "0001-22"'],
    [`x-${'y'.repeat(50)} OR z`, /hífen vai entre aspas$/],
    ['"dano" -moral', 'escreva NOT: dano NOT moral'],
    ['dano - moral OR x', 'escreva NOT: dano NOT moral'],
    ['{ementa relator} : "x"', 'coluna'],
    ['relator:x "bem-estar"', 'coluna'],
    ['"relator" : x', 'coluna'],
    // Columns of the index or of FTS5 itself that are no column of a search.
    ['texto : (dano)', 'coluna'],
    ['rowid : (dano)', 'coluna'],
    ['fts : (dano)', 'coluna'],
    ['documento:"dano"', 'coluna'],
    ['ementa} : "x"', 'coluna'],
    ['near(tutela urgência)', 'em maiúsculas'],
    ['NEAR(tutela urgência, x)', 'um número inteiro'],
    ['NEAR(tutela urgência, -1)', 'um número inteiro'],
    ['NEAR(tutela urgência,)', 'um número inteiro'],
    ['NEAR(tutela, urgência, 5)', 'um número inteiro'],
    ['NEAR(tutela AND urgência, 5)', 'dentro de NEAR( )'],
    ['NEAR(tutela (urgência))', 'dentro de NEAR( )'],
    ['NEAR(bem-estar dano)', 'entre aspas o que é texto: "bem-estar"'],
    ['(art. 5º) OR x', 'entre aspas o que é texto: "art."'],
    ['dano e/ou moral AND (x OR y)', 'entre aspas o que é texto: "e/ou"'],
    ['dano AND *moral', 'o * vem depois'],
    ['+dano OR moral', 'complete'],
    ['*dano', '*'],
    ['* dano', '*'],
    [' *id', '*'],
    ['relator : (dano)', /(?=.*coluna)(?=.*ementa)(?=.*tese)(?=.*dispositivo)(?=.*temas)(?=.*processo)/u],
    ['art. AND 7', 'aspas'],
    ["d'água OR dano", 'aspas'],
    ['dano\0moral', '%00'],
  ])('%j is refused with its mend', (q, mend) => {
    const refused = read(q);
    expect(refused).toMatchObject({ codigo: 'CONSULTA_INVALIDA' });
    expect((refused as { erro: string }).erro).toMatch(
      typeof mend === 'string' ? new RegExp(RegExp.escape(mend), 'u') : mend,
    );
    expect((refused as { erro: string }).erro).toMatch(/^q: /);
  });

  test('NEAR without a number is NEAR with 10', () => {
    expect(read('NEAR(dano moral)')).toEqual(read('NEAR(dano moral, 10)'));
    expect(read('NEAR(dano moral)')).not.toEqual(read('NEAR(dano moral, 11)'));
  });

  test('hundreds of parentheses are refused and not a fault', () => {
    expect(read(`${'('.repeat(149)}a${')'.repeat(149)}`)).toMatchObject({ codigo: 'CONSULTA_INVALIDA' });
  });

  test('whatever is typed is read or refused, and what is read never fails in a base', () => {
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
        expect(Check(SearchRequestSchema, searchFor(q))).toBe(true);
        expect(readExpression(consulta.leitura).tree).toEqual(consulta.tree);
        expect(check(consulta.leitura)).toBeNull();
        // Of no column at all: nothing, and no word is left of it.
        if (consulta.leitura === '""') return;
        expect(consulta.leitura.length).toBeGreaterThanOrEqual(Q_MIN);
        expect(read(consulta.leitura)).toEqual({ ...consulta, avisos: expect.any(Array) });
      }),
      { numRuns: runs(3000) },
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
  ])('of %j are %j', (q, expected) => {
    expect(check(q)).toBeNull();
    expect(words(q)).toEqual(expected);
  });
});
