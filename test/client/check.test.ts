import { expect, it } from 'vitest';
import {
  Jurisprudencia,
  JurisprudenciaError,
  type Busca,
  type Checked,
  type Resumo,
} from '../../src/client/client.ts';
import { EXEMPLOS } from '../../src/openapi/examples.ts';

const DOCUMENT = EXEMPLOS.decisao.acordao.value;
const PAGE = EXEMPLOS.busca.pagina.value;

function item(id: string, base: Resumo['base'], processo: string, more: Partial<Resumo> = {}): Resumo {
  const own = { id, base, fonte: base.toUpperCase(), processo, classe: { sigla: null, descricao: null } };
  const bare = { relator: 'FULANA DE TAL', data_julgamento: '2019-03-01', data_publicacao: '2019-03-07' };
  return { ...PAGE.itens[0]!, ...own, tipo: 'acordao', ...bare, ...more };
}

interface Answers extends Partial<Pick<Busca, 'itens' | 'bases_sem_resposta' | 'proximo_cursor'>> {
  readonly record?: object | number;
}

/** Checks a text by a service that gives these answers, with what was sent to it. */
async function check(text: string, { record, ...page }: Answers) {
  const sent: URL[] = [];
  const api = new Jurisprudencia({
    url: 'http://servico.test',
    retries: 3,
    fetch: async (url) => {
      sent.push(new URL(url));
      if (url.includes('/busca'))
        return Response.json({ ...PAGE, itens: [], bases_sem_resposta: [], proximo_cursor: null, ...page });
      if (typeof record !== 'number') return Response.json({ ...DOCUMENT, ...record });
      return Response.json(
        { erro: 'não', codigo: record === 504 ? 'TEMPO_ESGOTADO' : 'DECISAO_NAO_ENCONTRADA' },
        { status: record },
      );
    },
  });
  const all = await Array.fromAsync(api.conferir(text));
  return { all, first: all[0] as Checked, sent };
}

const TST = item('tst:1', 'tst', 'RR - 1000-40.2015.5.02.0001');

it('sends only numbers of a text, each in one spelling', async () => {
  const { sent } = await check(
    'Segredo de Fulano: REsp 1.234.567/SP; HC 12/RJ; RR-1000-40.2015.5.02.0001.',
    {},
  );
  expect(sent.map(({ searchParams }) => searchParams.get('q'))).toEqual([
    'processo : ("1234567")',
    'processo : (("12") AND "hc")',
    'processo : ("0001000-40.2015.5.02.0001")',
  ]);
});

it('confirms a number in another spelling, and asks once for the same number', async () => {
  const text = '00010004020155020001, e de novo TST-RR-1000-40.2015.5.02.0001, Rel. Min. Fulana, j. 1/3/2019';
  const { all, sent } = await check(text, { itens: [TST] });
  expect(all.map(({ veredito, ids }) => [veredito, ids])).toEqual([
    ['confere', ['tst:1']],
    ['confere', ['tst:1']],
  ]);
  expect(sent).toHaveLength(1);
});

it.each([
  ['RR-1000-40.2015.5.02.0001, j. 1/3/2018', 'data (julgamento): na citação 2018-03-01; na base 2019-03-01'],
  [
    'RR-1000-40.2015.5.02.0001, DEJT 8.3.2019',
    'data (publicação): na citação 2019-03-08; na base 2019-03-07',
  ],
  ['AIRR-1000-40.2015.5.02.0001', 'classe: na citação AIRR; na base RR'],
  [
    'Agravo de Instrumento nº 1000-40.2015.5.02.0001 - SP',
    'classe: na citação Agravo de Instrumento; na base RR',
  ],
  ['STJ, RR 1000-40.2015.5.02.0001', 'tribunal: na citação STJ; na base TST'],
])('shows the cited and the stored value where %s differs', async (text, line) => {
  const { first } = await check(text, { itens: [TST] });
  expect(first).toMatchObject({ veredito: 'diverge', ids: ['tst:1'], avisos: [line] });
});

it('reads a record only where the cited judge may be its writer', async () => {
  const writer = { relator: 'FULANA DE TAL', redator: 'BELTRANO DE SOUZA' };
  const cited = (name: string) => `RR-1000-40.2015.5.02.0001, Rel. Min. ${name}`;
  const confirmed = await check(cited('Beltrano de Souza'), { itens: [TST], record: writer });
  expect(confirmed.first).toMatchObject({
    veredito: 'confere',
    avisos: ['redator do acórdão: BELTRANO DE SOUZA; relator: FULANA DE TAL'],
  });
  expect(confirmed.sent).toHaveLength(2);
  const other = await check(cited('Sicrana'), { itens: [TST], record: writer });
  expect(other.first).toMatchObject({
    veredito: 'diverge',
    avisos: ['relator: na citação Sicrana; na base FULANA DE TAL'],
  });
  expect((await check(cited('Sicrana'), { itens: [TST], record: 504 })).first.veredito).toBe(
    'base sem resposta',
  );
  expect((await check(`${cited('Sicrana')}, j. 2/2/2002`, { itens: [TST] })).sent).toHaveLength(1);
});

it('confirms no other case with the same number if a judge or a date differs', async () => {
  const itens = [item('stj:1', 'stj', 'REsp 1234567 / SP')];
  expect((await check('HC 1.234.567', { itens })).first.veredito).toBe('não está nesta base');
  expect((await check('HC 1.234.567, Rel. Min. Fulana', { itens })).first.veredito).toBe('diverge');
  expect((await check('AgInt no REsp 1.234.567', { itens })).first.veredito).toBe('diverge');
  expect((await check('REsp 1.234.567/RJ', { itens })).first.avisos).toEqual([
    'UF: na citação RJ; na base SP',
  ]);
});

it('is ambiguous between decisions that fit alike, and takes one that a cited judge or date fits', async () => {
  const itens = [TST, item('tst:2', 'tst', 'RR - 1000-40.2015.5.02.0001', { data_julgamento: '2020-01-02' })];
  const { first } = await check('RR-1000-40.2015.5.02.0001', { itens });
  expect(first).toMatchObject({ veredito: 'ambígua', ids: ['tst:1', 'tst:2'] });
  const dated = await check('RR-1000-40.2015.5.02.0001, j. 2/1/2020', { itens });
  expect(dated.first).toMatchObject({ veredito: 'confere', ids: ['tst:2'] });
});

it('never reports as absent what a base did not answer, and sends no second request', async () => {
  const bases_sem_resposta = [{ base: 'stj' as const, tempo_esgotado: true }];
  const { first, sent } = await check('REsp 1.234.567/SP', { bases_sem_resposta });
  expect(first).toMatchObject({ veredito: 'base sem resposta', avisos: ['sem resposta: stj'] });
  expect(sent).toHaveLength(1);
  // The STJ has no case of the TST.
  expect((await check('RR-1000-40.2015.5.02.0001', { bases_sem_resposta })).first.veredito).toBe(
    'não está nesta base',
  );
  expect((await check('HC 123', { proximo_cursor: 'mais' })).first.veredito).toBe('ambígua');
});

it('reports for an absent number whether its check digits are wrong', async () => {
  expect((await check('processo 0001000-41.2015.5.02.0001', {})).first.avisos).toEqual([
    'o dígito verificador não confere: veja se o número foi bem copiado',
  ]);
  expect((await check('processo 3456789-71.2012.8.13.0024', {})).first.avisos).toEqual([]);
});

it('confirms a case by the TJMG or STJ number in its record', async () => {
  const tjmg = item('tjmg:1', 'tjmg', '3456789-71.2012.8.13.0024 (1)');
  const record = { extras: { numero_tjmg: '1.0024.12.345678-9/001' } };
  const { first, sent } = await check('Apelação Cível 1.0024.12.345678-9/001', { itens: [tjmg], record });
  expect(sent[0]?.searchParams.get('q')).toContain('"3456789-71.2012.8.13.0024"');
  expect(first.veredito).toBe('confere');
  const other = await check('1.0024.12.345678-9/002', { itens: [tjmg], record });
  expect(other.first.veredito).not.toBe('confere');
  const stj = item('stj:1', 'stj', 'REsp 1234567 / SP');
  const registro = { extras: { numero_registro: '202202853462' } };
  expect((await check('2022/0285346-2', { itens: [stj], record: registro })).first.veredito).toBe('confere');
});

it('never reports as absent a decision found by a number that its record does not show', async () => {
  const stj = item('stj:1', 'stj', 'REsp 1234567 / SP');
  const record = { extras: {} };
  for (const text of ['2022/0285346-2', '0001000-41.2015.5.02.0001', '1.0024.12.345678-9/001'])
    expect((await check(text, { itens: [stj], record })).first).toMatchObject({
      veredito: 'ambígua',
      ids: ['stj:1'],
      avisos: ['o registro não mostra este número; pode ser outro recurso do mesmo processo'],
    });
  expect((await check('Súmula 331 do TST', { itens: [stj], record })).first.veredito).toBe(
    'não está nesta base',
  );
});

it('distinguishes súmulas from súmulas vinculantes, and orientações by their body', async () => {
  const binding = item('stf:1', 'stf', 'Súmula Vinculante 10', { tipo: 'sumula' });
  expect((await check('Súmula 10 do STF', { itens: [binding] })).first.veredito).toBe('não está nesta base');
  expect((await check('Súmula Vinculante 10', { itens: [binding] })).first.veredito).toBe('confere');
  const oj = item('tst:1', 'tst', 'Orientação Jurisprudencial 382 (SDI-1)', {
    tipo: 'orientacao_jurisprudencial',
  });
  expect((await check('OJ 382 da SBDI-I do TST', { itens: [oj] })).first.veredito).toBe('confere');
  expect((await check('OJ 382 da SDI-2', { itens: [oj] })).first.veredito).toBe('diverge');
});

it.each(['REsp n. 1.2O4.567/SP', 'Súmula nº 3 desta Corte'])(
  'does not read %s, and sends nothing',
  async (text) => {
    const { first, sent } = await check(text, {});
    expect([first.veredito, sent.length]).toEqual(['não lida', 0]);
  },
);

it('throws a fault that ends the check, after the verdicts before it', async () => {
  const api = new Jurisprudencia({
    url: 'http://servico.test',
    fetch: async (url) =>
      url.includes('222')
        ? Response.json({ erro: 'a cota acabou', codigo: 'COTA_ESGOTADA' }, { status: 429 })
        : Response.json({ ...PAGE, itens: [], bases_sem_resposta: [] }),
  });
  const seen: string[] = [];
  const ended = (async () => {
    for await (const { texto } of api.conferir('HC 111.111 e HC 222.222 e HC 333.333')) seen.push(texto);
  })();
  await expect(ended).rejects.toBeInstanceOf(JurisprudenciaError);
  expect(seen).toEqual(['HC 111.111']);
});
