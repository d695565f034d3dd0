import { describe, expect, it } from 'vitest';
import { writeTermHeaders } from '../../src/http/term-headers.ts';
import { issueKey } from '../../src/keys/store.ts';
import { fetchChecked } from '../support/documented.ts';
import { WAIT } from '../support/patience.ts';
import { served } from '../support/served.ts';
import { acordao } from './checks.ts';

const CASE = '0001234-10.2020.8.13.0024';
const service = served({
  stj: [
    acordao('dano moral, mãe e lei', { data_julgamento: '2020-01-02' }),
    acordao('dano material do consumidor no REsp 1500003/SP'),
    acordao(`consumidor e consumidora, processo ${CASE}`),
    acordao('consumidos, Lei 8.078/90'),
    acordao('aplica-se a Súmula n. 331 e o art. 5º'),
    acordao('aplica-se o nº 7 da 1a Turma'),
  ],
  stf: [acordao('dano moral ao consumidor'), acordao('pensão')],
  tst: Array.from({ length: 60 }, (_, at) => acordao(`horas extras ${at}`)),
});

async function near(q: string, others: Record<string, string> = {}) {
  const { status, headers } = await service.busca({ q, tribunal: 'stj,stf', ...others });
  expect(status).toBe(200);
  const avisos = headers.get('jurisprudencia-avisos') ?? '';
  return { near: headers.get('jurisprudencia-termos-proximos'), isFound: avisos.includes('PROXIMOS_ACHAM') };
}

/** Near words are optional: a busy machine may lack the time for them at first. */
const found = (asked: () => ReturnType<typeof near>) => expect.poll(asked, WAIT);

describe('a first page names near words of absent ones', () => {
  it.each([
    ['consumidof', 'consumidof=consumidor:3;consumidos:1'],
    ['consumdior', 'consumdior=consumidor:3'],
    ['xonsumidor', 'xonsumidor=consumidor:3'],
    ['onsumidor', 'onsumidor=consumidor:3'],
    ['Pensãoo', 'pensaoo=pensao:1'],
  ])('one edit away, the most frequent first: %s', async (q, expected) => {
    await found(() => near(q)).toEqual({ near: expected, isFound: true });
  });
  it('in the singular or plural that exists, first', async () => {
    await found(() => near('mães')).toEqual({ near: 'maes=mae:1', isFound: true });
    await found(() => near('leis')).toEqual({ near: 'leis=lei:2', isFound: true });
    await found(() => near('materiais')).toEqual({ near: 'materiais=material:1', isFound: true });
  });
  it.each([
    ['REsp 1.500.003/SP', '1%20500%20003%20sp=1500003%2FSP:1;1500003:1'],
    ['1.500.003', '1%20500%20003=1500003:1'],
    ['8078', '8078=8.078:1'],
    ['8078/90', '8078%2090=8.078%2F90:1;8.078:1'],
    [CASE.replaceAll(/\D/gu, ''), `${CASE.replaceAll(/\D/gu, '')}=${CASE}:1`],
  ])('as another spelling of a number: %s', async (q, expected) => {
    await found(() => near(q)).toEqual({ near: expected, isFound: true });
  });
  it.each([
    ['Súmula nº 331', 'n%C2%BA=n.:1'],
    ['"súmula nº 331"', 'n%C2%BA=n.:1'],
    ['Súmula n.º 331', 'n%20%C2%BA=n.:1;n%C2%BA:1'],
    ['Súmula № 331 nº', 'n%C2%BA=n.:1'],
    ['súmula art. 5°', '5=5%C2%BA:1'],
    ['súmula art. 5o', '5o=5%C2%BA:1'],
    ['1ª turma', '1%C2%AA=1a:1'],
    ['1.ª turma', '1%20%C2%AA=1a:1'],
  ])('as another spelling of an ordinal that the bases have: %s', async (q, expected) => {
    await found(() => near(q)).toEqual({ near: expected, isFound: true });
  });
  it('and no spelling of an ordinal with which nothing is found either', async () => {
    expect((await near('material nº')).near).toBeNull();
  });
  it('and marks when the search finds nothing with them either', async () => {
    await found(() => near('pensãoo material')).toEqual({ near: 'pensaoo=pensao:1', isFound: false });
    await found(() => near('pensãoo', { data_de: '2030-01-01' })).toEqual({
      near: 'pensaoo=pensao:1',
      isFound: false,
    });
  });
  it('with the results of an OR, without a suggested search', async () => {
    await found(() => near('dano OR pensãoo')).toEqual({ near: 'pensaoo=pensao:1', isFound: false });
  });
  it('inside a phrase, and the best for each of several words', async () => {
    await found(() => near('"dano moraal" AND consumidof')).toMatchObject({ isFound: true });
    await found(() => near('"moraal dano"')).toEqual({ near: 'moraal=moral:2', isFound: false });
  });
});

/** An answer's headers about near words. */
async function nearFor(key: string, q: string) {
  const query = new URLSearchParams({ q, tribunal: 'stj,stf' }).toString();
  const init = { headers: { authorization: `Bearer ${key}` } };
  const response = await fetchChecked(`${service.url}/v1/jurisprudencia/busca?${query}`, init);
  const headers = [...response.headers].filter(([name]) => name.startsWith('jurisprudencia-'));
  return {
    near: response.headers.get('jurisprudencia-termos-proximos'),
    headers,
    text: await response.text(),
  };
}

describe('two keys that search at the same time, and again from the cache', () => {
  it('get no word of each other', async () => {
    const keys = ['ana', 'bia'].map((name) => issueKey(service.dataDir, name, null, new Date()));
    // Of the same form, so that a cache that leaves a word out of its key gives one the other’s.
    const words = [
      ['consumidof', 'consumidom'],
      ['pensaoo', 'pensaon'],
      ['materiais', 'materialt'],
      ['xilofona', 'xilofone'],
    ] as const;
    const own = (at: number) => words.map((pair) => pair[at] ?? '');
    const queries = (at: number) => [
      ...own(at),
      own(at).join(' OR '),
      ...own(at).map((word) => `dano AND "${word} moral"`),
      ...own(at).map((word) => `dano NOT ${word}`),
    ];
    for (let round = 0; round < 3; round += 1) {
      const asked = [0, 1].flatMap((at) => queries(at).map((q) => ({ at, q })));
      const answers = await Promise.all(asked.map(({ at, q }) => nearFor(keys[at] ?? '', q)));
      for (const [place, { at = 0 } = {}] of asked.entries()) {
        const all = JSON.stringify(answers[place]);
        for (const word of own(1 - at)) expect(all).not.toContain(word);
      }
    }
    await expect
      .poll(async () => (await nearFor(keys[1] ?? '', 'consumidom')).near, WAIT)
      .toBe('consumidom=consumidor:3;consumidos:1');
  });
});

describe('a page names none', () => {
  it.each([
    ['where each word is in some base', 'pensão material'],
    ['for a prefix', 'xilof*'],
    ['for a number one digit away', '1500004'],
    ['for two letters', 'zx'],
    ['where nothing is near', 'xenoglossia'],
    ['for what the search excludes', 'dano NOT consumidof'],
  ])('%s', async (_, q) => {
    expect(await near(q)).toEqual({ near: null, isFound: false });
  });
  it('of bases that were not asked', async () => {
    expect(await near('extrass')).toEqual({ near: null, isFound: false });
    await found(() => near('extrass', { tribunal: 'tst' })).toEqual({
      near: 'extrass=extras:60',
      isFound: true,
    });
  });
  it('after the first page', async () => {
    const search = { q: 'horas OR extrass', tribunal: 'tst', limite: '50' };
    const { body } = await service.busca(search);
    expect((await near(search.q, { ...search, cursor: body.proximo_cursor ?? '' })).near).toBeNull();
  });
});

describe('the header', () => {
  const written = (absent: string) => {
    const headers: Record<string, string> = {};
    const consulta = { leitura: 'x', avisos: [], terms: [] };
    const terms = ['a', 'b', 'c'].map((one) => ({ absent: one + absent, near: [{ text: absent, docs: 9 }] }));
    const page = { absent: [], proximos: { terms, isFound: true } };
    writeTermHeaders({ cursor: null, consulta } as never, page as never, headers);
    return headers;
  };
  it('has as many words as fit, and marks that there are more', () => {
    const cut = written('λόγος'.repeat(6));
    expect(cut['jurisprudencia-termos-proximos']?.length).toBeLessThanOrEqual(800);
    expect(cut['jurisprudencia-termos-proximos']).toMatch(/^a%CE[^,]+:9,b%CE[^,]+:9,%E2%80%A6$/u);
    // With words left out, no suggested search is announced.
    expect(cut).not.toHaveProperty('jurisprudencia-avisos');
    expect(written('x')).toMatchObject({
      'jurisprudencia-termos-proximos': 'ax=x:9,bx=x:9,cx=x:9',
      'jurisprudencia-avisos': 'PROXIMOS_ACHAM',
    });
  });
});
