import { beforeEach, describe, expect, test } from 'vitest';
import { BASES, ORDENS } from '../../src/contract/vocabulary.ts';
import { WAIT } from '../support/patience.ts';
import { servedInTest } from '../support/served.ts';
import { startService, type Body, type Service } from '../support/service.ts';
import { acordao, acordaos, decisaoPath } from '../http/checks.ts';
import { VERSION_FRESH_MS } from '../../src/engine/base-watch.ts';

const EACH = 9;
const OFTEN = { ...WAIT, interval: 10 };

let service: Service;
beforeEach(async () => {
  const lines = acordaos(EACH, 'dano');
  const inCourt = acordaos(EACH, 'dano', { tribunal: 'tnu' });
  service = await startService({ ...Object.fromEntries(BASES.map((base) => [base, lines])), eproc: inCourt });
  return () => service.stop();
});

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const values = text.split('\n').filter((line) => line.startsWith(`jurisprudencia_${name} `));
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

/** As `service.load`, and then as long as a reply of the base from before may still count. */
async function loadAndSettle(...load: Parameters<Service['load']>): Promise<void> {
  service.load(...load);
  const committedAt = performance.now();
  await expect.poll(() => performance.now() - committedAt, OFTEN).toBeGreaterThan(VERSION_FRESH_MS);
}

const cacheHits = () => metric('result_cache_hits_total');

/** Asks the same until the answer comes from the cache: one without a count, for want of room, is not in it. */
async function untilCached(parameters: Record<string, string>): Promise<Body> {
  let last: Body | undefined;
  await expect
    .poll(async () => {
      const before = await cacheHits();
      last = (await service.busca(parameters)).body;
      return (await cacheHits()) - before;
    }, OFTEN)
    .toBe(1);
  return last!;
}

const withoutTimes = (body: Body) => ({ ...body, por_base: body.por_base.map((one) => ({ ...one, ms: 0 })) });

describe('an answer given again', () => {
  test.each(ORDENS)('is the one that the bases gave, by %s, with its count and its cursor', async (ordem) => {
    const first = (await service.busca({ q: 'dano', ordem })).body;
    const again = await untilCached({ q: 'dano', ordem });
    // A first answer may lack a count that had no time; one that is kept does not.
    const counts = { encontrados_ate_1000: EACH, ha_mais_de_1000: false };
    const counted = first.por_base.map((one) => ({ ...one, ...counts }));
    expect(withoutTimes(again)).toEqual(withoutTimes({ ...first, por_base: counted }));
    const cursor = first.proximo_cursor!;
    const second = (await service.busca({ q: 'dano', ordem, cursor })).body;
    expect(withoutTimes(await untilCached({ q: 'dano', ordem, cursor }))).toEqual(withoutTimes(second));
    expect(second.por_base[0]).not.toHaveProperty('encontrados_ate_1000');
  });

  test('costs its unit of the quota like any other', async () => {
    await untilCached({ q: 'dano' });
    const left = async () => {
      const { headers } = await service.busca({ q: 'dano' });
      return Number(/r=(\d+)/u.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    expect((await left()) - (await left())).toBe(1);
  });

  test('is not given once a load has been committed for a tenth of a second: the new decision is there, each time', async () => {
    for (let load = 1; load <= 20; load += 1) {
      await service.busca({ q: 'dano', ordem: 'recentes', limite: '6' });
      await loadAndSettle('stj', [acordao(`dano recém-julgado ${load}`)]);
      const { body } = await service.busca({ q: 'dano', ordem: 'recentes', limite: '6' });
      const newest = body.itens.find(({ base }) => base === 'stj');
      expect(newest?.['trecho_da_ementa']).toBe(`dano recém-julgado ${load}`);
      const counted = body.por_base.find(({ base }) => base === 'stj')?.encontrados_ate_1000;
      expect(counted).toBe(EACH + load);
    }
  });

  test('is not given of a decision that was replaced', async () => {
    const line = (tese: string) => acordao('tutela', { chave: 'a', tese });
    service.load('stf', [line('primeira')]);
    const id = `stf:${EACH + 1}`;
    const read = async () => (await (await service.get(decisaoPath(id))).json()) as { tese: string };
    for (const tese of ['segunda', 'terceira', 'quarta']) {
      await untilCached({ q: 'dano' });
      await read();
      await loadAndSettle('stf', [line(tese)]);
      expect((await read()).tese).toBe(tese);
    }
  });

  test('is none where no memory is given to answers, and memory is taken as it is asked for', async () => {
    expect(await metric('result_cache_bytes')).toBe(0);
    await untilCached({ q: 'dano' });
    expect(await metric('result_cache_bytes')).toBeGreaterThan(0);
    const own = await servedInTest({ stj: acordaos(3, 'dano') }, { RESULT_CACHE_MB: '0' });
    for (let again = 0; again < 5; again += 1) await own.busca({ q: 'dano' });
    await untilCached({ q: 'dano' });
    const text = await (await fetch(`${own.adminUrl}/metrics`)).text();
    expect(text).toMatch(/^jurisprudencia_result_cache_hits_total 0$/mu);
  });
});
