import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { courtSigns } from '../../src/contract/court-signs.ts';
import { openSyntaxCheck } from '../../src/query/syntax-check.ts';
import { readQuery } from '../../src/query/query.ts';

const check = openSyntaxCheck();
const read = (q: string) => {
  const consulta = readQuery(q, check);
  if ('codigo' in consulta) throw new Error(consulta.erro);
  return consulta;
};

describe('the reading of a query', () => {
  test.each([
    ['Dano  MORAL', 'dano AND moral'],
    ['mães, pensão', 'maes AND pensao'],
    ['dano -moral', 'dano AND moral'],
    ['REsp 1.500.003/SP', 'resp AND "1 500 003 sp"'],
    ['“dano moral”', '"dano moral"'],
    ['dan*o', 'dan* AND o'],
    ['dano OR moral AND lucro', 'dano OR moral AND lucro'],
    ['(dano OR moral) AND lucro', '(dano OR moral) AND lucro'],
    ['a NOT (b NOT c) NOT d', 'a NOT (b NOT c) NOT d'],
    ['a AND (b AND c)', 'a AND (b AND c)'],
    ['C#', '"c"'],
    ['dano AND "§"', 'dano AND ""'],
    ['"dano mor" *', '"dano mor"*'],
    ['"a b" * + c', '"a b"* + c'],
    ['ementa : ^dano AND - ementa : x', 'ementa : ^"dano" AND {tese dispositivo temas processo} : "x"'],
    ['^ "dano"', '^"dano"'],
    ['tese : "dano"', 'tese : "dano"'],
    ['NEAR(tutela "de urgência")', 'NEAR(tutela "de urgencia", 10)'],
  ])('of %j is %s', (q, leitura) => {
    expect(read(q).leitura).toBe(leitura);
  });
});

describe('typographic double quotes', () => {
  test.each(['“”', '„‟', '«»', '»«', '＂＂', '"”'])('%s make a phrase', ([open, close]) => {
    expect(read(`${open}dano moral${close}`)).toEqual({
      ...read('"dano moral"'),
      avisos: ['ASPAS_TIPOGRAFICAS'],
    });
  });

  test('that do not close are refused like plain ones', () => {
    expect(readQuery('“dano moral', check)).toEqual(readQuery('"dano moral', check));
  });

  test('do not include single quotes, which are apostrophes', () => {
    expect(read('d’água ‘dano moral’')).toMatchObject({ leitura: '"d agua" AND dano AND moral', avisos: [] });
  });
});

describe('a warning', () => {
  test.each([
    ['dano -moral', ['HIFEN_NAO_EXCLUI']],
    ['dano —moral', ['HIFEN_NAO_EXCLUI']],
    ['dano --moral', ['HIFEN_NAO_EXCLUI']],
    ['bem-estar pós- dano', []],
    ['dano - moral', ['PARTE_SEM_PALAVRA']],
    ['art. 5º § 1º', ['ORDINAL_LITERAL', 'PARTE_SEM_PALAVRA']],
    ['dano "§" OR moral', ['PARTE_SEM_PALAVRA']],
    ['NEAR(dano "§") moral', ['PARTE_SEM_PALAVRA']],
    ['dan*o', ['ASTERISCO_NO_MEIO']],
    ['dan* moral', []],
    ['"dan*o" moral', []],
    ['not moral', ['OPERADOR_COMO_PALAVRA']],
    ['ou', []],
    ['dano and moral', ['OPERADOR_COMO_PALAVRA']],
    ['dano ou moral', ['OPERADOR_COMO_PALAVRA']],
    ['dano AND moral or lucro', ['OPERADOR_COMO_PALAVRA']],
    ['dano Not moral AND x', ['OPERADOR_COMO_PALAVRA']],
    ['dano "and" OR moral', []],
    ['dano AND moral', []],
    ['dano e moral', []],
    ['dano E moral', ['OPERADOR_DE_TRIBUNAL']],
    ['dano NÃO moral', ['OPERADOR_DE_TRIBUNAL']],
    ['DANO MORAL E MATERIAL NÃO PROVADO', []],
    ['"dano moral" E "lucros cessantes"', ['OPERADOR_DE_TRIBUNAL']],
    ['"dano moral" NÃO banco', ['OPERADOR_DE_TRIBUNAL']],
    ['DANO MORAL E MATERIAL art. 5', []],
    ['RECURSO nº 1.234 E OUTROS', ['ORDINAL_LITERAL']],
    ['habilitação categoria E', []],
    ['NCz$ 1.000', []],
    ['tese :prova', ['CAMPO_SEM_ASPAS']],
    ['EMENTA: APELAÇÃO', []],
    ['dano OR lucro E moral', ['OPERADOR_DE_TRIBUNAL']],
    ['indeniz$ moral', ['OPERADOR_DE_TRIBUNAL']],
    ['multa de R$ 10,00', []],
    ['dano ADJ2 moral', ['OPERADOR_DE_TRIBUNAL']],
    ['dano PROX moral', ['OPERADOR_DE_TRIBUNAL']],
    ['dano NEAR/5 moral', ['OPERADOR_DE_TRIBUNAL']],
    ['tese : prova', ['CAMPO_SEM_ASPAS', 'PARTE_SEM_PALAVRA']],
    ['Ementa: dano', ['CAMPO_SEM_ASPAS']],
    ['tese:prova', ['CAMPO_SEM_ASPAS']],
    ['tese : "prova"', []],
    ['a tese de prova', []],
    ['“dan*o” "-"', ['ASPAS_TIPOGRAFICAS', 'PARTE_SEM_PALAVRA']],
  ])('is given for %j: %j', (q, avisos) => {
    const consulta = readQuery(q, check);
    expect('codigo' in consulta ? consulta.erro : consulta.avisos).toEqual(avisos);
  });

  test('names the courts’ operators wherever a text certainly has one, also in lower case', () => {
    const words = 'dano moral e ou não nao com mesmo adj adj2 prox prox/3 near near5 Nao !dano dan$ a.EMEN.';
    const text = fc.array(fc.constantFrom(...words.split(' ')), { minLength: 1, maxLength: 5 });
    fc.assert(
      fc.property(text, (found) => {
        const q = found.join(' ');
        const isCertain = courtSigns(q).some((sign) => sign.isCertain && sign.text !== 'ou');
        expect(read(q).avisos.includes('OPERADOR_DE_TRIBUNAL')).toBe(isCertain);
      }),
      { numRuns: 2_000 },
    );
    expect(read('dano nao moral').avisos).toEqual(['OPERADOR_DE_TRIBUNAL']);
  });
});
