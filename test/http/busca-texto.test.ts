import { describe, expect, it } from 'vitest';
import { served } from '../support/served.ts';
import type { Body } from '../support/service.ts';
import { acordao, BUSCA, expectErro } from './checks.ts';

/** Decisions by name, so that a test names what must be found. */
const DECISOES = {
  juntos: acordao('dano moral'),
  separados: acordao('dano que não é moral'),
  soDano: acordao('dano material'),
  soMoral: acordao('assédio moral'),
  danificado: acordao('danificado o bem'),
  artigo: acordao('conforme o art. 7º da Constituição, R$ 1.000,00'),
  dagua: acordao("fornecimento d'água, queda-d’água"),
  processo: acordao('sem mais', { processo: 'RR-1000-40.2019.5.03.0001' }),
  cnj: acordao('sem mais', { processo: '5001234-56.2020.4.06.3800' }),
  oab: acordao('advogado OAB 1.234/MG'),
  nome: acordao('recurso de FERNANDO ANDRADE'),
  honorarios: acordao('HONORÁRIOS de NOTÁRIO'),
  acentos: acordao('AÇÃO rescisória e Coação'),
  tese: acordao('sem mais', { tese: 'usucapião especial' }),
  ementa: acordao('usucapião ordinária'),
  dispositivo: acordao('sem mais', { dispositivo: 'deram provimento parcial' }),
  temas: acordao('sem mais', { temas: ['Bem de família', 'Penhora do imóvel'] }),
  texto: { tipo: 'acordao', texto: 'palavra do inteiro xenoglossia teor' },
  textoComEmenta: acordao('com ementa', { texto: 'xenoglossia oculta' }),
  perto: acordao('culpa um dois três vítima'),
  longe: acordao(`culpa ${'entre '.repeat(15)}vítima`),
  logicos: acordao('alfa and beta or gama not delta near épsilon'),
};
type Nome = keyof typeof DECISOES;
const NOMES = Object.keys(DECISOES) as Nome[];

const service = served({ stj: Object.values(DECISOES) });

const url = (q: string) => `${BUSCA}?${new URLSearchParams({ q, tribunal: 'stj', limite: '50' }).toString()}`;

async function found(q: string): Promise<Nome[]> {
  const response = await service.get(url(q));
  const { erro, itens } = (await response.json()) as Body;
  expect(erro).toBeUndefined();
  return itens.map(({ id }) => NOMES[Number(id.split(':')[1]) - 1] ?? 'juntos').toSorted();
}

async function expectFound(q: string, names: readonly Nome[]): Promise<void> {
  expect(await found(q)).toEqual(names.toSorted());
}

describe('loose words', () => {
  it.each<[string, Nome[]]>([
    // All must appear, in any order, as whole words, also in different fields of one decision.
    ['dano moral', ['juntos', 'separados']],
    ['moral dano', ['juntos', 'separados']],
    ['danific', []],
    ['sem usucapião', ['tese']],
    // In the tese, dispositivo, temas and, without an ementa, the full text.
    ['especial', ['tese']],
    ['provimento', ['dispositivo']],
    ['penhora', ['temas']],
    ['xenoglossia', ['texto']],
    ['art. 7º', ['artigo']],
    ['R$ 1.000,00', ['artigo']],
    ['R$', ['artigo']],
    ["d'água", ['dagua']],
    ['d’água', ['dagua']],
    ['1.234/MG', ['oab']],
    ['RR-1000-40', ['processo']],
    ['RR-1000-40.2019.5.03.0001', ['processo']],
    ['5001234-56.2020.4.06.3800', ['cnj']],
    ['queda-d’água', ['dagua']],
    ['FERNANDO', ['nome']],
    ['FERNANDO ANDRADE', ['nome']],
    ['HONORÁRIOS', ['honorarios']],
    ['FERNANDO, ANDRADE.', ['nome']],
    ['HONORÁRIOS, NOTÁRIO;', ['honorarios']],
    ['ANDRADE, ORDEM', []],
    ['NOTÁRIO', ['honorarios']],
    ['alfa and beta', ['logicos']],
    ['beta or gama', ['logicos']],
    ['not delta near', ['logicos']],
    ['And Or Not Near', ['logicos']],
    ['ementa:dano', []],
    ['dano^2', []],
  ])('are literal: %s', async (q, names) => {
    await expectFound(q, names);
  });

  it.each(['-dano', '+dano', '{dano}', 'dano;', '[dano]', 'dano|', '\\dano'])(
    'are literal, marks and all: %s',
    async (q) => {
      await expectFound(q, ['juntos', 'separados', 'soDano']);
    },
  );

  it.each([
    // Without a token they are dropped.
    '§ dano moral',
    'dano – moral',
    'dano moral !',
    '... dano , moral',
    '😀 dano moral',
    // Any white space parts them.
    'dano\tmoral',
    'dano\nmoral',
    'dano\u00a0moral',
    '  dano   moral  ',
    'dano\u3000moral',
  ])('are the same with other punctuation and white space: %j', async (q) => {
    await expectFound(q, ['juntos', 'separados']);
  });

  it.each(['ação', 'acao', 'AÇÃO', 'AcaO', 'Ação'.normalize('NFD'), 'ÀÇÂO'])(
    'are folded in letter case and diacritics: %s finds AÇÃO',
    async (q) => {
      await expectFound(q, ['acentos']);
    },
  );
});

describe('FTS5 syntax', () => {
  it.each<[string, Nome[]]>([
    ['"dano moral"', ['juntos']],
    ['"dano" "moral"', ['juntos', 'separados']],
    ['dano AND moral', ['juntos', 'separados']],
    ['dano OR moral', ['juntos', 'separados', 'soDano', 'soMoral']],
    ['moral NOT dano', ['soMoral']],
    ['dano NOT (material OR que)', ['juntos']],
    ['dano AND (moral OR material)', ['juntos', 'separados', 'soDano']],
    ['dan*', ['danificado', 'juntos', 'separados', 'soDano']],
    ['"dano mor" *', ['juntos']],
    ['"dano" + "moral"', ['juntos']],
    ['NEAR(culpa vítima)', ['perto']],
    ['NEAR(culpa vítima, 20)', ['longe', 'perto']],
    ['NEAR("culpa" "vítima", 2)', []],
    ['culpa AND vítima', ['longe', 'perto']],
    ['(usucapião)', ['ementa', 'tese']],
    ['tese : (usucapião)', ['tese']],
    ['ementa:"usucapião"', ['ementa']],
    ['{tese ementa} : (usucapião)', ['ementa', 'tese']],
    ['- tese : (usucapião)', ['ementa']],
    ['temas:"bem de família"', ['temas']],
    ['processo : "RR 1000"', ['processo']],
    ['^"dano"', ['juntos', 'separados', 'soDano']],
    ['dispositivo:provimento*', ['dispositivo']],
    ['"d\'água"', ['dagua']],
    ['"art. 7º"', ['artigo']],
    ['alfa AND beta', ['logicos']],
    ['"and" beta', ['logicos']],
    ['(acao)', ['acentos']],
    ['coaç*', ['acentos']],
  ])('is used if the query has its signs: %s', async (q, names) => {
    await expectFound(q, names);
  });

  it.each([
    `${'('.repeat(149)}a${')'.repeat(149)}`,
    'a OR '.repeat(60).slice(0, 299),
    Array.from({ length: 50 }, () => 'a').join(' NOT '),
  ])('with many parentheses or operators gives a result or a refusal, never a 500: %s', async (q) => {
    expect([200, 400]).toContain((await service.get(url(q))).status);
  });

  it('is refused where FTS5 cannot read it, without SQL or a path in the message', async () => {
    for (const q of ['dano AND', 'x : (dano)', '"dano', 'a)', '**']) {
      const erro = await expectErro(await service.get(url(q)), 'CONSULTA_INVALIDA');
      expect(erro).not.toMatch(/select|sqlite|fts5:|\.db|\/tmp/i);
    }
  });
});
