import { createHmac } from 'node:crypto';
import { readFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import { issueKey } from '../../src/keys/store.ts';
import { served, servedInTest } from '../support/served.ts';
import { startService, type Body, type Service } from '../support/service.ts';
import { acordao, acordaos, BUSCA, untilStatus } from './checks.ts';
import { preparedFolder, startIn } from './folder.ts';
import { fetchChecked } from '../support/documented.ts';

type Parameters = Record<string, string>;
/** A bound on every walk: a cursor that never ends becomes a failing test. */
const PAGES_MAX = 200;

/** All pages of a search, from the first to the one with a null cursor. */
async function walk(
  service: Service,
  parameters: Parameters,
  between?: (page: number) => void,
): Promise<Body[]> {
  const pages: Body[] = [];
  let cursor: string | null = null;
  do {
    const { status, body } = await service.busca(cursor === null ? parameters : { ...parameters, cursor });
    expect(status).toBe(200);
    pages.push(body);
    cursor = body.proximo_cursor;
    between?.(pages.length);
  } while (cursor !== null && pages.length < PAGES_MAX);
  expect(cursor).toBeNull();
  return pages;
}
const joined = (pages: readonly Body[]) => pages.flatMap(({ itens }) => itens.map(({ id }) => id));

/** Texts of unlike lengths, so that relevance has ties and differences. */
const varied = (count: number, word = 'dano') =>
  Array.from({ length: count }, (_, at) =>
    acordao(`${`${word} `.repeat(1 + (at % 3))}${'outra palavra '.repeat(at % 5)}número ${at}`),
  );

describe('pages joined together', () => {
  const service = served({
    tst: [...varied(3), ...varied(3, 'culpa'), ...varied(3, 'multa')],
    stf: varied(17),
    stj: [...varied(40), ...varied(40, 'culpa'), ...varied(40, 'multa')],
  });

  it.each(['relevancia', 'recentes'])('by %s repeat and skip nothing with any limite', async (ordem) => {
    const whole = joined(await walk(service, { q: 'dano', ordem, limite: '50' }));
    expect(whole).toHaveLength(60);
    expect(new Set(whole).size).toBe(60);
    for (const limite of ['1', '2', '7', '20', '49']) {
      const pages = await walk(service, { q: 'dano', ordem, limite });
      expect(joined(pages)).toEqual(whole);
      const orders = pages.flatMap(({ por_base }) => por_base.map(({ ordem_aplicada }) => ordem_aplicada));
      expect(new Set(orders)).toEqual(new Set([ordem]));
      expect(pages.slice(0, -1).every(({ itens }) => itens.length === Number(limite))).toBe(true);
    }
  });

  it.each([
    ['relevancia', 'culpa'],
    ['relevancia', 'multa OR palavra'],
    ['recentes', 'multa'],
  ])('by %s stay the same while decisions are loaded between pages: %s', async (ordem, q) => {
    const word = q.split(' ')[0] ?? '';
    const whole = joined(await walk(service, { q, ordem, limite: '50' }));
    const pages = await walk(service, { q, ordem, limite: '7' }, (page) => {
      // Decisions with high and low scores, with either word, in a base with more pages and in others.
      service.load('stj', [
        acordao(`${word} ${word} ${word} novo ${page}`),
        acordao(`${word} ${'e mais um tanto de texto '.repeat(60)} ${page}`),
        ...acordaos(9, `palavra ${page}`),
      ]);
      service.load('tst', [acordao(`${word} novo ${page}`)]);
      service.load('tjmg', [acordao(`${word} novo ${page}`)]);
    });
    expect(pages.length).toBeGreaterThan(5);
    expect(joined(pages)).toEqual(whole);
  });

  it.each(['relevancia', 'recentes'])(
    'by %s keep a replaced decision’s place, omit it if it no longer matches, and never go back for one that now does',
    async (ordem) => {
      // More mentions come earlier in both orders: all texts have one length, and are loaded last first.
      const decision = (mentions: number, fields: Record<string, string> = {}) =>
        acordao(`${ordem} `.repeat(mentions) + 'resto '.repeat(20 - mentions), {
          chave: `${ordem}-${mentions}`,
          data_julgamento: '2020-01-01',
          ...fields,
        });
      const early = { data_julgamento: '2010-01-01' };
      const later = [2, 3, 4, 5, 6, 7, 8, 9].map((mentions) => decision(mentions));
      service.load('tjmg', [decision(1, early), ...later, decision(10, early)]);
      const search = { q: ordem, ordem, tribunal: 'tjmg', data_de: '2015-01-01' };
      const whole = joined(await walk(service, search));
      const pages = await walk(service, { ...search, limite: '3' }, (page) => {
        if (page > 1) return;
        const rewritten = { ementa: `${ordem} uma só vez, num texto curto` };
        service.load('tjmg', [decision(8, rewritten), decision(5, rewritten), decision(4, early)]);
        service.load('tjmg', [decision(1), decision(10)]);
      });
      const numbers = joined(pages).map((id) => whole.indexOf(id));
      expect(whole).toHaveLength(8);
      // The sixth no longer matches. Of two that now match, the one after the cursor comes, the one before it does not.
      expect(numbers).toEqual([0, 1, 2, 3, 4, 6, 7, -1]);
    },
  );

  it('show decisions loaded meanwhile only in a new search', async () => {
    service.load('trt3', [acordao('recém-incluído')]);
    const { body } = await service.busca({ q: 'recém-incluído', tribunal: 'trt3' });
    expect(body.itens.map(({ id }) => id)).toEqual(['trt3:1']);
  });

  it('end with a null cursor on the page of the last item', async () => {
    expect(await walk(service, { q: 'dano', tribunal: 'stj', limite: '20' })).toHaveLength(2);
    expect(await walk(service, { q: 'dano', tribunal: 'tst', limite: '3' })).toHaveLength(1);
  });

  it('are one page with a null cursor if nothing matches', async () => {
    const { body } = await service.busca({ q: 'inexistente' });
    expect(body).toMatchObject({ itens: [], bases_sem_resposta: [], proximo_cursor: null });
    expect(body.por_base).toHaveLength(6);
  });

  it('keep the filters and the courts of the search', async () => {
    service.load('eproc', acordaos(12, 'filtrada', { tribunal: 'trf6', data_julgamento: '2020-01-01' }));
    service.load('eproc', acordaos(12, 'filtrada', { tribunal: 'tnu', data_julgamento: '2020-01-01' }));
    service.load('eproc', acordaos(12, 'filtrada', { tribunal: 'tnu', data_julgamento: '2021-01-01' }));
    const filters = { q: 'filtrada', tribunal: 'tnu', data_ate: '2020-12-31', limite: '5' };
    const ids = joined(await walk(service, filters));
    expect(ids.toSorted()).toEqual(Array.from({ length: 12 }, (_, at) => `eproc:${at + 13}`).toSorted());
  });
});

/** What our own cursor holds, as text, and a cursor with such a content. */
const contentOf = (cursor: string) => Buffer.from(cursor, 'base64url').subarray(16).toString();
function sealed(content: string, secret: Buffer): string {
  const body = Buffer.from(content);
  const mac = createHmac('sha256', secret).update(body).digest().subarray(0, 16);
  return Buffer.concat([mac, body]).toString('base64url');
}

/** Variants of a content: each number changed, and each end cut or extended. */
function nonsenseOf(content: string): string[] {
  const odd = '-1 1.5 4294967296 9007199254740991 9007199254740992 1e300 1e999 null "1" []'.split(' ');
  const numbers = [...content.matchAll(/(?<![\w."-])[\d.]+(?![\w"-])/g)];
  expect(numbers.length).toBeGreaterThan(3);
  const changed = numbers.flatMap(({ 0: { length }, index }) =>
    odd.map((value) => content.slice(0, index) + value + content.slice(index + length)),
  );
  return [...changed, content.slice(0, -1), content.slice(1), `${content}x`, 'nonsense', '{}', 'null', '\0'];
}

describe('a cursor', () => {
  const service = served({ stj: varied(10), tst: varied(10) });
  const search = { q: 'dano', tribunal: 'stj,tst', limite: '2' };
  let cursor: string;
  beforeAll(async () => {
    cursor = (await service.busca(search)).body.proximo_cursor ?? '';
  });

  const expectRefused = async (parameters: Parameters) => {
    const { status, body } = await service.busca(parameters);
    expect([status, body.codigo]).toEqual([400, 'PARAMETRO_INVALIDO']);
    expect(body.erro).toContain('cursor');
  };

  it('gives the same page each time', async () => {
    const once = await service.busca({ ...search, cursor });
    const again = await service.busca({ ...search, cursor });
    expect(again.body.itens).toEqual(once.body.itens);
    expect(again.body.proximo_cursor).toBe(once.body.proximo_cursor);
  });

  it('is valid for the same search with an invisible character in q', async () => {
    const { body } = await service.busca({ ...search, q: 'da\u00adno\u200b', cursor });
    expect(body.itens).toEqual((await service.busca({ ...search, cursor })).body.itens);
  });

  it.each<[string, Parameters]>([
    ['q', { q: 'dano outra' }],
    ['tribunal', { tribunal: 'stj' }],
    ['uf', { uf: 'BR', tribunal: 'stj' }],
    ['ramo', { ramo: 'superior' }],
    ['tipo', { tipo: 'acordao' }],
    ['data_de', { data_de: '2020-01-01' }],
    ['data_ate', { data_ate: '2020-01-01' }],
    ['ordem', { ordem: 'recentes' }],
    ['limite', { limite: '3' }],
  ])('is bound to the other parameters: refused with another %s', async (_, other) => {
    await expectRefused({ ...search, ...other, cursor });
  });

  it('is refused by another service', async () => {
    const other = await servedInTest({ stj: varied(10), tst: varied(10) });
    expect((await other.busca({ ...search, cursor })).body.codigo).toBe('PARAMETRO_INVALIDO');
  });

  it.each(['relevancia', 'recentes'])(
    'by %s with any signed content gives a whole page or a refusal',
    async (ordem) => {
      const asked = { ...search, ordem, q: 'dano palavra' };
      const { body } = await service.busca(asked);
      const content = contentOf(body.proximo_cursor ?? '');
      const secret = readFileSync(join(service.dataDir, 'cursor-secret'));
      for (const changed of nonsenseOf(content)) {
        const { status, body: answer } = await service.busca({ ...asked, cursor: sealed(changed, secret) });
        expect([200, 400]).toContain(status);
        // A position beyond all decisions must not use up the window.
        if (status === 200) expect(answer.bases_sem_resposta).toEqual([]);
      }
      // Of another query, or of none: as many frequencies as words, and nothing above the highest number there was.
      const wrong = ['[1],null,0', '[1,1,1],null,0', '[1,10],null,0', '[1,1],1,10'];
      for (const entry of ordem === 'recentes' ? ['[1,1],null,0'] : wrong) {
        const cut = content.replace(/,\[\[.*/, `,[[0,9,${entry},1]]]`);
        const { status } = await service.busca({ ...asked, cursor: sealed(cut, secret) });
        expect([entry, status]).toEqual([entry, 400]);
      }
    },
  );

  it('is valid for any key', async () => {
    const key = issueKey(service.dataDir, 'outra', null, new Date());
    const query = new URLSearchParams({ ...search, cursor }).toString();
    const init = { headers: { authorization: `Bearer ${key}` } };
    const status = await untilStatus(200, () => fetchChecked(`${service.url}${BUSCA}?${query}`, init));
    expect(status).toBe(200);
  });
});

describe('a base that does not answer', () => {
  const decisions = { tst: varied(6), stj: varied(6), stf: varied(6) };
  let service: Service;
  const file = (base: Base) => baseFile(service.dataDir, base);
  /** A base's file is not opened before its first request. */
  const hide = (base: Base) => {
    renameSync(file(base), `${file(base)}.away`);
  };
  const restore = (base: Base) => {
    renameSync(`${file(base)}.away`, file(base));
  };
  beforeEach(async () => {
    service = await startService(decisions);
    return () => service.stop();
  });

  it('is listed in bases_sem_resposta and keeps its por_base entry, without a count; the others answer', async () => {
    hide('stj');
    const { status, body } = await service.busca({ q: 'dano' });
    expect(status).toBe(200);
    // False: the base failed; true is for a window that ran out.
    expect(body.bases_sem_resposta).toEqual([{ base: 'stj', tempo_esgotado: false }]);
    expect(body.por_base.map(({ base }) => base)).toEqual([...BASES]);
    const entry = body.por_base.find(({ base }) => base === 'stj') ?? {};
    expect(Object.keys(entry).toSorted()).toEqual(['base', 'ms', 'ordem_aplicada']);
    expect(new Set(body.itens.map(({ base }) => base))).toEqual(new Set(['tst', 'stf']));
  });

  it('is asked again for the next page, and gives all its items there', async () => {
    hide('stj');
    const pages = await walk(service, { q: 'dano', limite: '4' }, (page) => {
      if (page === 1) restore('stj');
    });
    expect(pages[0]?.bases_sem_resposta).toHaveLength(1);
    expect(pages.slice(1).every((page) => page.bases_sem_resposta.length === 0)).toBe(true);
    const ids = joined(pages);
    expect(ids).toHaveLength(18);
    expect(new Set(ids).size).toBe(18);
  });

  it('is asked again even if it is the only one left', async () => {
    hide('stj');
    const first = await service.busca({ q: 'dano', limite: '50' });
    expect(first.body.itens).toHaveLength(12);
    restore('stj');
    const cursor = first.body.proximo_cursor ?? '';
    const { body } = await service.busca({ q: 'dano', limite: '50', cursor });
    expect(body.por_base.map(({ base }) => base)).toEqual(['stj']);
    expect(body.itens).toHaveLength(6);
    expect(body.proximo_cursor).toBeNull();
  });

  it('ends the pages with a null cursor if no base of a later page answers', async () => {
    hide('stj');
    const pages = await walk(service, { q: 'dano', limite: '50' });
    expect(pages).toHaveLength(2);
    expect(pages[1]).toMatchObject({
      itens: [],
      bases_sem_resposta: [{ base: 'stj' }],
      proximo_cursor: null,
    });
  });

  it('gives a null cursor if no base answers the first page', async () => {
    for (const base of BASES) hide(base);
    const { status, body } = await service.busca({ q: 'dano' });
    expect(status).toBe(200);
    expect(body.bases_sem_resposta).toEqual(BASES.map((base) => ({ base, tempo_esgotado: false })));
    expect(body.por_base).toHaveLength(6);
    expect(body.proximo_cursor).toBeNull();
  });
});

describe('a service on a folder', () => {
  let dataDir: string;
  let key: string;
  const page = async (parameters: Parameters): Promise<Body> => {
    const system = startIn(dataDir);
    const query = new URLSearchParams(parameters).toString();
    const init = { headers: { authorization: `Bearer ${key}` } };
    const body = (await (await fetchChecked(`${system.url}${BUSCA}?${query}`, init)).json()) as Body;
    await system.stop();
    return body;
  };
  beforeEach(() => {
    dataDir = preparedFolder({ stf: varied(10) });
    key = issueKey(dataDir, 'teste', null, new Date());
  });

  it('accepts a cursor from before a restart', async () => {
    const search = { q: 'dano', limite: '5' };
    const first = await page(search);
    const second = await page({ ...search, cursor: first.proximo_cursor ?? '' });
    expect(new Set(joined([first, second])).size).toBe(10);
    expect(second.proximo_cursor).toBeNull();
  });

  it('lists a base whose file is missing at the start as unanswered', async () => {
    rmSync(baseFile(dataDir, 'stj'));
    const body = await page({ q: 'dano' });
    expect(body.bases_sem_resposta).toEqual([{ base: 'stj', tempo_esgotado: false }]);
    expect(body.itens).toHaveLength(10);
  });
});
