import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { asFts5 } from '../../src/contract/fts5-query.ts';
import { openSyntaxCheck } from '../../src/query/syntax-check.ts';
import { readQuery } from '../../src/query/query.ts';
import { REAL_BASES, corpusLines, hasCorpora, realQueries } from '../support/corpora.ts';

const check = openSyntaxCheck();
const read = (q: string) => readQuery(q, check);
const avisosOf = (q: string): readonly string[] => {
  const consulta = read(q);
  return 'codigo' in consulta ? [consulta.codigo] : consulta.avisos;
};
/** The whole query that a refusal shows; null if it shows a rule alone. */
const meantBy = (erro: string) =>
  /; (?:escreva|o mais parecido é)(?:, com [\w=-]+)*: (.+)$/su.exec(erro)?.[1] ?? null;

const WORDS =
  'dano moral a b e ou não nao NÃO E COM MESMO com mesmo adj adj5 prox3 near/5 NEAR near AND OR NOT $ab$ abc$ $abc ab?de abcd~1 pena.EMEN. 123.NUM. @DTDE>=20200101 @DTPB=2020 ab* *ab a*b -c - bem-estar art. 5º § + ^ || && !dano ~ ^2 x:y : { } relator: ementa: ° , ; “ ” d\'água " "a_b" "c"~5 ( ) ( ) ).EMEN. NEAR( ,5 \u0301 \u200b 0528272-74.2019.8.13.0217 (1)'.split(
    ' ',
  );
const PIECES = [...WORDS, 'ementa :', '{ementa tese} :', '-ementa :'];
const typed = fc
  .tuple(
    fc.array(fc.constantFrom(...PIECES), { minLength: 1, maxLength: 9 }),
    fc.constantFrom(' ', ' ', ' ', ''),
  )
  .map(([words, space]) => words.join(space));

describe('the query that a refusal suggests', () => {
  test('is a valid search without the sign that it replaces', () => {
    let shown = 0;
    fc.assert(
      fc.property(typed, (q) => {
        const consulta = read(q);
        const meant = 'codigo' in consulta ? meantBy(consulta.erro) : null;
        if (meant === null) return;
        shown += 1;
        const left = avisosOf(meant).filter((aviso) => aviso !== 'ORDINAL_LITERAL');
        expect({ q, meant, left }).toEqual({ q, meant, left: [] });
      }),
      { numRuns: 6_000 },
    );
    expect(shown).toBeGreaterThan(6_000 / 10);
  });

  test('for a text in the courts’ language is never itself invalid, whatever else the text has', () => {
    fc.assert(
      fc.property(typed, (q) => {
        const meant = asFts5(q, true)?.q;
        if (meant !== undefined)
          expect({ q, meant, avisos: avisosOf(meant) }).not.toMatchObject({ avisos: ['CONSULTA_INVALIDA'] });
      }),
      { numRuns: 6_000, examples: [['{ } : dano'], ['-{x tese} : dano$']] },
    );
  });

  test('for a valid search is the same search', () => {
    const valid =
      'dano AND (moral OR material) | NEAR(dano moral, 5) | "dano moral" | ementa : "x" OR indeniz* | a NOT b';
    for (const q of valid.split(' | ')) expect(asFts5(q)?.q).toBe(q);
  });

  test('is FTS5 for a text in the courts’ language that leaves a parenthesis open too', () => {
    for (const q of ['(dano não moral', '(dano E moral'])
      expect(read(q), q).toMatchObject({
        erro: expect.stringMatching(/escreva: \(?dano (?:NOT|AND) moral/u),
      });
  });

  test('is marked as approximate where FTS5 has no equivalent', () => {
    const erroOf = (q: string) => (read(q) as { erro: string }).erro;
    expect(erroOf('($indeniz$)')).toContain('o mais parecido é: indeniz*');
    expect(erroOf('(penhora) E @DTDE>=20200101')).toContain('; escreva, com data_de=2020-01-01: penhora');
  });
});

describe.skipIf(!hasCorpora())('no false alarm', () => {
  const counts = (texts: readonly string[]) =>
    Object.fromEntries(
      Map.groupBy(texts.flatMap(avisosOf), (aviso) => aviso)
        .entries()
        .map(([code, all]) => [code, all.length]),
    );

  test('is given for the queries of real users', () => {
    const { OPERADOR_DE_TRIBUNAL, ORDINAL_LITERAL } = counts(realQueries());
    expect([OPERADOR_DE_TRIBUNAL, ORDINAL_LITERAL]).toEqual([undefined, 1]);
  });

  test('is given for the beginnings of real ementas', () => {
    const beginnings = REAL_BASES.flatMap(corpusLines).flatMap((line) => {
      const { ementa } = JSON.parse(line) as { ementa: string | null };
      return [40, 80, 150, 290].map((length) => (ementa ?? '').trim().slice(0, length));
    });
    expect(beginnings.length).toBeGreaterThan(1_000);
    expect(counts(beginnings)['OPERADOR_DE_TRIBUNAL']).toBeUndefined();
  });
});
