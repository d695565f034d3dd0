import { describe, expect, test } from 'vitest';
import { courtSigns } from '../../src/contract/court-signs.ts';
import { asFts5 } from '../../src/contract/fts5-query.ts';

const certain = (q: string) => courtSigns(q).flatMap(({ kind, isCertain }) => (isCertain ? [kind] : []));

describe('the signs of the courts’ search language', () => {
  test.each([
    ['dano adj5 moral', ['adjacent'], 'NEAR(dano moral, 5)'],
    ['dano ADJ moral', ['adjacent'], '"dano moral"'],
    ['dano adj moral adj coletivo', ['adjacent', 'adjacent'], '"dano moral coletivo"'],
    ['indeniz$ adj moral', ['prefix', 'adjacent'], 'indeniz* + moral'],
    ['dano adj moral prox4 banco', ['adjacent', 'near'], 'NEAR("dano moral" banco, 4)'],
    ['dano adj3 moral adj2 coletivo', ['adjacent', 'adjacent'], 'NEAR(dano moral coletivo, 6)'],
    ['(dano ou danos) adj2 moral', ['adjacent'], '(NEAR(dano moral, 2) OR NEAR(danos moral, 2))'],
    ['dano prox10 moral', ['near'], 'NEAR(dano moral, 10)'],
    ['dano PROX moral', ['near'], 'NEAR(dano moral, 1)'],
    ['dano near/5 moral', ['near'], 'NEAR(dano moral, 5)'],
    ['dano NEAR moral', ['near'], 'NEAR(dano moral, 10)'],
    ['"a b"~5', ['near'], 'NEAR(a b, 5)'],
    ['menor COM abandono', ['paragraph'], 'NEAR(menor abandono, 30)'],
    ['dano MESMO moral', ['field'], 'ementa : (dano AND moral)'],
    ['dano E moral', ['and'], 'dano AND moral'],
    ['dano OU moral', ['or'], 'dano OR moral'],
    ['a || b && c', ['or', 'and'], 'a OR b AND c'],
    ['"dano moral" e (banco ou financeira)', ['and'], '"dano moral" AND (banco OR financeira)'],
    ['(a não b) ou (c não d)', ['not', 'or', 'not'], '(a NOT b) OR (c NOT d)'],
    ['(extradição não china)', ['not'], '(extradição NOT china)'],
    ['dano Não moral', ['not'], 'dano NOT moral'],
    ['prisão nao preventiva', ['not'], 'prisão NOT preventiva'],
    ['dano e (moral ou material)', ['and'], 'dano AND (moral OR material)'],
    ['(dano ou moral) e material', ['and'], '(dano OR moral) AND material'],
    ['(dano e moral) não banco', ['not'], '(dano AND moral) NOT banco'],
    ['dano mesmo (moral ou material)', ['field'], 'ementa : (dano AND (moral OR material))'],
    ['x !(a ou b)', ['not'], 'x NOT (a OR b)'],
    ['dano prox 5 moral', ['near'], 'NEAR(dano moral, 5)'],
    ['dano NÃO moral banco', ['not'], 'dano NOT moral AND banco'],
    ['dano !moral', ['not'], 'dano NOT moral'],
    ['dano E NÃO moral', ['not'], 'dano NOT moral'],
    ['lei$', ['prefix'], 'lei*'],
    ['"dano moral$"', ['prefix'], '"dano moral"*'],
    ['"dano mora$"~3', ['near', 'prefix'], 'NEAR(dano mora*, 3)'],
    ['indeniz$3', ['wildcard'], 'indeniz*'],
    ['$indeniz$', ['wildcard'], 'indeniz*'],
    ['$proporcional', ['wildcard'], 'proporcional'],
    ['proced?ncia', ['wildcard'], 'proced*'],
    ['dan?', ['wildcard'], 'dan*'],
    ['dan? moral', ['wildcard'], 'dan* moral'],
    ['dano~ moral~1', ['fuzzy', 'fuzzy'], 'dano moral'],
    ['dano^2 moral', ['weight'], 'dano moral'],
    ['penhora.EMEN.', ['column'], 'ementa : "penhora"'],
    ['penhora.EMEN. E bem.EMEN.', ['column', 'and', 'column'], 'ementa : "penhora" AND ementa : "bem"'],
    ['"dano moral".emen. e banco', ['column'], 'ementa : "dano moral" AND banco'],
    ['(dano e moral).EMEN.', ['column'], 'ementa : (dano AND moral)'],
    ['1234567.NUM.', ['column'], 'processo : "1234567"'],
    ['202202853462.reg.', ['column'], 'processo : "202202853462"'],
    ['repetitivos.nota.', ['no_column'], 'repetitivos'],
    ['"nancy andrighi" .MIN.', ['no_column'], '"nancy andrighi"'],
    ['andrighi.MIN. dano', ['no_column'], 'andrighi dano'],
  ])('in %j are %j, and its FTS5 is %s', (q, kinds, fts5) => {
    expect(certain(q)).toEqual(kinds);
    expect(asFts5(q)).toEqual({ q: fts5, parametros: {} });
  });

  test.each([
    ['penhora E @DTDE>=20200101', { data_de: '2020-01-01' }],
    ['@DTDE >= "20200101" E @DTDE <= 20201231 E penhora', { data_de: '2020-01-01', data_ate: '2020-12-31' }],
    ['penhora @dtde>20191231', { data_de: '2020-01-01' }],
    ['penhora @DTDE<01/01/2021', { data_ate: '2020-12-31' }],
    ['penhora @DTDE=2020-02-29', { data_de: '2020-02-29', data_ate: '2020-02-29' }],
    ['20200229.DTDE. penhora', { data_de: '2020-02-29', data_ate: '2020-02-29' }],
  ])('in %j that limit the date of judgment become the parameters %j', (q, parametros) => {
    expect(certain(q).length).toBeGreaterThan(0);
    expect(asFts5(q)).toEqual({ q: 'penhora', parametros });
  });

  test.each([
    '@DTDE>=20200101',
    'a @DTPB>=20200101',
    'a @DTDE>=20200230',
    '(a mesmo b) adj5 c',
    '!(a ou b)',
    'NÃO dano $moral',
    'a (NÃO b) E c',
  ])('in %j have no equivalent in FTS5', (q) => {
    expect(asFts5(q)).toBeNull();
  });

  test.each([
    'prisão não preventiva',
    'direitos e humanos',
    'menor com abandono',
    'o mesmo fato',
    'vicio nao configurado no aparelho',
    'exceção de contrato nao cumprido',
    'honorários (dez por cento) e custas',
    'nota promissória',
    'R$ 500',
    '"R$ 500" e dano',
    '"R$"',
    'NCZ$500 ou R$500',
    'NCz$ 1.000 e US$ 3',
    'AG.REG. NO RECURSO EXTRAORDINÁRIO COM AGRAVO',
    'OFENSA AOS ARTS. 489 E 1.022 DO CPC',
    'DANO MORAL. NÃO CONFIGURADO. RECURSO NÃO PROVIDO',
    'Dano Moral Não Configurado',
    'Dano moral. Não configurado.',
    'rel. min. fulano',
    'dano AND moral NOT banco',
    'NEAR(dano moral, 5)',
    '"dano adj5 moral"',
    'habilitação categoria E',
    'fulano@tribunal.jus.br',
    'REsp 1.500.003/SP',
  ])('are never certain in %j', (q) => {
    expect(certain(q)).toEqual([]);
  });

  test.each(['cabe dano moral?', 'cabe dano moral? Como provar'])(
    'are not even suspected in the question %j',
    (q) => {
      expect(courtSigns(q)).toEqual([]);
    },
  );

  test('include words that may be operators, which are read as such only on request', () => {
    expect(courtSigns('prisão não preventiva')).toEqual([{ text: 'não', kind: 'not', isCertain: false }]);
    expect(asFts5('prisão não preventiva', true)?.q).toBe('prisão NOT preventiva');
    expect(asFts5('droga ou entorpecente', true)?.q).toBe('droga OR entorpecente');
    expect(asFts5('menor com abandono', true)?.q).toBe('NEAR(menor abandono, 30)');
    expect(asFts5('não cumprido', true)?.q).toBe('"não" cumprido');
  });
});
