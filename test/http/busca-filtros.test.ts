import { describe, expect, it } from 'vitest';
import { TIPOS_DA_BASE } from '../../src/contract/catalog.ts';
import { BASES, TIPOS } from '../../src/contract/vocabulary.ts';
import { WAIT } from '../support/patience.ts';
import { served } from '../support/served.ts';
import type { Body } from '../support/service.ts';
import { acordao, acordaos, decisaoPath } from './checks.ts';

const LONGA = `${'palavra longa '.repeat(40)}fim`;

const service = served({
  tst: [
    acordao('filtro', { data_julgamento: '2020-05-10', data_publicacao: '2021-01-01' }),
    ...TIPOS_DA_BASE.tst.map((tipo) => ({ tipo, ementa: 'tipologia' })),
  ],
  stf: [
    acordao('filtro', { data_julgamento: '2020-05-11' }),
    acordao('filtro repetido filtro filtro'),
    { tipo: 'informativo', ementa: 'tipologia' },
  ],
  stj: [
    acordao('filtro', { data_julgamento: '2020-05-12' }),
    acordao('filtro', { data_julgamento: null, data_publicacao: '2020-05-11' }),
    acordao('filtro', { data_julgamento: '2020-02-30', data_publicacao: '31/12/2020' }),
    ...acordaos(999, 'mil'),
  ],
  tjmg: acordaos(1000, 'mil'),
  trt3: acordaos(1001, 'mil'),
  eproc: [
    acordao('filtro regional', { tribunal: 'trf6' }),
    acordao('filtro nacional', { tribunal: 'tnu' }),
    acordao('filtro regional outro', { tribunal: 'trf6' }),
    acordao(`trecho curto\nem duas linhas`, { tribunal: 'tnu' }),
    acordao(`extenso ${LONGA}`, { tribunal: 'tnu' }),
    acordao(`emoji ${'👨‍👩‍👧‍👦'.repeat(60)}`, { tribunal: 'tnu' }),
    { tipo: 'acordao', tribunal: 'tnu', texto: 'segredo do inteiro teor', tese: 'tese visível' },
  ],
});

async function busca(parameters: Record<string, string>): Promise<Body> {
  const { status, body } = await service.busca(parameters);
  expect([status, body.erro]).toEqual([200, undefined]);
  return body;
}
const basesOf = (body: Body) => body.por_base.map(({ base }) => base);
const idsOf = (body: Body) => body.itens.map(({ id }) => id);

describe('the choice of courts', () => {
  it.each<[Record<string, string>, string[]]>([
    [{}, [...BASES]],
    [{ tribunal: 'stj' }, ['stj']],
    [{ tribunal: 'tjmg,tst' }, ['tst', 'tjmg']],
    [{ tribunal: 'trf6' }, ['eproc']],
    [{ tribunal: 'trf6,tnu' }, ['eproc']],
    [{ uf: 'MG' }, ['tjmg', 'trt3', 'eproc']],
    [{ uf: 'BR' }, ['tst', 'stf', 'stj', 'eproc']],
    [{ uf: 'mg,br' }, [...BASES]],
    [{ uf: 'SP,br' }, ['tst', 'stf', 'stj', 'eproc']],
    [{ ramo: 'trabalhista' }, ['tst', 'trt3']],
    [{ ramo: 'estadual' }, ['tjmg']],
    [{ ramo: 'federal' }, ['eproc']],
    [{ ramo: 'superior' }, ['stf', 'stj']],
    [{ ramo: 'trabalhista', uf: 'MG' }, ['trt3']],
    [{ ramo: 'trabalhista,superior', uf: 'BR' }, ['tst', 'stf', 'stj']],
    [{ tribunal: 'tst,trt3,stj', ramo: 'trabalhista', uf: 'BR' }, ['tst']],
  ])('%j queries %j, in the order of the contract', async (choice, bases) => {
    expect(basesOf(await busca({ q: 'filtro', ...choice }))).toEqual(bases);
  });

  it.each<[Record<string, string>, string[]]>([
    [{ tribunal: 'trf6' }, ['eproc:1', 'eproc:3']],
    [{ tribunal: 'tnu' }, ['eproc:2']],
    [{ tribunal: 'trf6,tnu' }, ['eproc:1', 'eproc:2', 'eproc:3']],
    [{ ramo: 'federal' }, ['eproc:1', 'eproc:2', 'eproc:3']],
    [{ ramo: 'federal', uf: 'BR' }, ['eproc:2']],
    [{ ramo: 'federal', uf: 'MG' }, ['eproc:1', 'eproc:3']],
    [{ uf: 'BR' }, ['eproc:2']],
  ])('%j limits eproc to the chosen courts', async (choice, ids) => {
    const body = await busca({ q: 'filtro', ...choice });
    const ofEproc = ({ base }: { base: string }) => base === 'eproc';
    expect(
      idsOf(body)
        .filter((id) => id.startsWith('eproc'))
        .toSorted(),
    ).toEqual(ids);
    expect(body.por_base.filter(ofEproc)).toMatchObject([{ encontrados_ate_1000: ids.length }]);
  });

  it.each([{ tribunal: 'tnu', uf: 'MG' }, { tribunal: 'stj', ramo: 'federal' }, { uf: 'AC' }])(
    '%j leaves no court: an empty 200 with no cursor',
    async (choice) => {
      expect(await busca({ q: 'filtro', ...choice })).toEqual({
        itens: [],
        por_base: [],
        bases_sem_resposta: [],
        proximo_cursor: null,
      });
    },
  );

  it('refuses an invalid query even if no court is left', async () => {
    const { status, body } = await service.busca({ q: '"filtro', tribunal: 'tnu', uf: 'MG' });
    expect([status, body.codigo]).toEqual([400, 'CONSULTA_INVALIDA']);
  });
});

it.each(TIPOS)('the type filter finds only %s', async (tipo) => {
  const { itens } = await busca({ q: 'tipologia', tipo });
  expect(itens.map((item) => item['tipo'])).toEqual([tipo]);
});

describe('the date filters', () => {
  it.each<[Record<string, string>, string[]]>([
    [{ data_de: '2020-05-11' }, ['stf:1', 'stj:1']],
    [{ data_ate: '2020-05-11' }, ['stf:1', 'tst:1']],
    [{ data_de: '2020-05-11', data_ate: '2020-05-11' }, ['stf:1']],
    [{ data_de: '2020-05-13' }, []],
    [{ data_de: '0001-01-01', data_ate: '9999-12-31' }, ['stf:1', 'stj:1', 'tst:1']],
    // Of judgment, not of publication.
    [{ data_de: '2021-01-01', data_ate: '2021-01-01' }, []],
    [{ data_de: '2020-01-01', tribunal: 'stj,stf', tipo: 'acordao' }, ['stf:1', 'stj:1']],
  ])('%j keep judgments from first to last day, and no undated ones', async (period, ids) => {
    expect(idsOf(await busca({ q: 'filtro', ...period })).toSorted()).toEqual(ids);
  });

  it('a date that is missing or not in the calendar is null in the item', async () => {
    const { itens } = await busca({ q: 'filtro', tribunal: 'stj', ordem: 'recentes' });
    expect(itens.map((item) => [item['data_julgamento'], item['data_publicacao']])).toEqual([
      [null, null],
      [null, '2020-05-11'],
      ['2020-05-12', null],
    ]);
  });
});

describe('the order', () => {
  it('recentes is by inclusion in the base, newest first, not by judgment date', async () => {
    const body = await busca({ q: 'filtro', tribunal: 'stj', ordem: 'recentes' });
    expect(idsOf(body)).toEqual(['stj:3', 'stj:2', 'stj:1']);
  });

  it('relevancia puts the decision with more of the word first', async () => {
    expect(idsOf(await busca({ q: 'filtro', tribunal: 'stf' }))).toEqual(['stf:2', 'stf:1']);
  });
});

describe('the interleaving', () => {
  it('gives one item from each base in turn, and skips a base that has no more', async () => {
    const { itens } = await busca({ q: 'filtro', ordem: 'recentes' });
    expect(itens.map(({ base }) => base).join(' ')).toBe('tst stf stj eproc stf stj eproc stj eproc');
  });
});

describe('the counts', () => {
  const LIMIAR: [string, number, boolean][] = [
    ['stj', 999, false],
    ['tjmg', 1000, false],
    ['trt3', 1000, true],
  ];
  for (const ordem of ['relevancia', 'recentes']) {
    it.each(LIMIAR)(`by ${ordem}, %s has count %i and ha_mais_de_1000 %s`, async (tribunal, count, more) => {
      const { por_base } = await busca({ q: 'mil', tribunal, ordem });
      expect(por_base).toMatchObject([{ encontrados_ate_1000: count, ha_mais_de_1000: more }]);
    });
  }

  it('are zero, not absent, for a base without matches', async () => {
    const { por_base } = await busca({ q: 'mil', tribunal: 'tst' });
    expect(por_base).toMatchObject([{ encontrados_ate_1000: 0, ha_mais_de_1000: false }]);
  });

  it('appear only on the first page', async () => {
    const parameters = { q: 'mil', tribunal: 'stj,tjmg' };
    const first = await busca(parameters);
    const second = await busca({ ...parameters, cursor: first.proximo_cursor ?? '' });
    expect(second.por_base).toHaveLength(2);
    for (const entry of second.por_base) {
      expect(Object.keys(entry).toSorted()).toEqual(['base', 'ms', 'ordem_aplicada']);
    }
  });
});

describe('the item', () => {
  const item = async (q: string) => (await busca({ q, tribunal: 'tnu' })).itens[0];

  it('has the fields of Resumo and no other', async () => {
    expect(Object.keys((await item('trecho')) ?? {})).toEqual(
      'id base fonte tipo processo classe orgao_julgador relator data_julgamento data_publicacao ementa_status trecho_da_ementa'.split(
        ' ',
      ),
    );
  });

  it('gives a short ementa whole, its line breaks kept', async () => {
    expect(await item('trecho')).toHaveProperty('trecho_da_ementa', 'trecho curto\nem duas linhas');
  });

  it('cuts a long ementa after a word, at about 400 characters', async () => {
    const excerpt = String((await item('extenso'))?.['trecho_da_ementa']);
    expect(`extenso ${LONGA}`.startsWith(`${excerpt} `)).toBe(true);
    expect(excerpt.length).toBeGreaterThan(330);
    expect(excerpt.length).toBeLessThanOrEqual(400);
  });

  it('never cuts inside a grapheme', async () => {
    const excerpt = String((await item('emoji'))?.['trecho_da_ementa']);
    expect(excerpt.startsWith('emoji ')).toBe(true);
    expect(excerpt.slice(6).replaceAll('👨‍👩‍👧‍👦', '')).toBe('');
  });

  it('has a null excerpt without an ementa, never one of other text', async () => {
    expect(await item('segredo')).toMatchObject({ trecho_da_ementa: null, ementa_status: 'ausente' });
  });
});

describe('the headers', () => {
  it('name each base queried once in Server-Timing', async () => {
    // A query of this test only: an answer from the cache has the time 0.
    const { headers, body } = await service.busca({ q: 'filtro OR cronometro', uf: 'MG,BR' });
    const entries = (headers.get('server-timing') ?? '').split(', ');
    expect(entries.map((entry) => entry.split(';')[0])).toEqual(basesOf(body));
    for (const entry of entries)
      expect(entry).toMatch(/^\w+;dur=\d+(?:\.\d{1,2})?;desc="relevancia";cache=\w+$/u);
    const times = entries.map((entry) => Number(/dur=([\d.]+)/u.exec(entry)?.[1]));
    // Measured times: that all are whole numbers by chance is very unlikely.
    expect(times.some((ms) => !Number.isInteger(ms))).toBe(true);
    expect(body.por_base.map(({ ms }) => ms)).toEqual(body.por_base.map(({ ms }) => Math.round(ms)));
  });

  it('show for each base, and for a record, whether the answer came from the cache', async () => {
    const cacheOf = ({ headers }: { headers: Headers }) =>
      [...(headers.get('server-timing') ?? '').matchAll(/cache=(\w+)/gu)].map(([, word]) => word);
    const query = { q: 'filtro', tribunal: 'tst,stj', limite: '7' };
    const first = await service.busca(query);
    expect(cacheOf(first)).toEqual(['miss', 'miss']);
    // A busy base that does not confirm its data version in time is searched instead.
    await expect.poll(async () => cacheOf(await service.busca(query)), WAIT).toEqual(['hit', 'hit']);
    const read = async () => cacheOf(await service.get(decisaoPath(String(first.body.itens[0]?.['id']))));
    expect(await read()).toEqual(['miss']);
    await expect.poll(read, WAIT).toEqual(['hit']);
  });
});
