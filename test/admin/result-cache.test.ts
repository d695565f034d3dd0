import { describe, expect, test } from 'vitest';
import { WAIT } from '../support/patience.ts';
import { served, servedInTest } from '../support/served.ts';
import { inEachBase } from '../support/service.ts';
import { acordaos } from '../http/checks.ts';

const OFTEN = { ...WAIT, interval: 10 };

const service = served(inEachBase(acordaos(3, 'dano')));

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const values = text.split('\n').filter((line) => line.startsWith(`jurisprudencia_${name} `));
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

const cacheHits = () => metric('result_cache_hits_total');

/** Asks the same until the answer comes from the cache: one without a count, for want of room, is not in it. */
async function untilCached(): Promise<void> {
  await expect
    .poll(async () => {
      const before = await cacheHits();
      await service.busca({ q: 'dano' });
      return (await cacheHits()) - before;
    }, OFTEN)
    .toBe(1);
}

describe('a cached answer', () => {
  test('costs one unit of the quota', async () => {
    await untilCached();
    const left = async () => {
      const { headers } = await service.busca({ q: 'dano' });
      return Number(/r=(\d+)/u.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    expect((await left()) - (await left())).toBe(1);
  });

  test('is never given with a cache of 0 bytes, and memory is allocated as it is used', async () => {
    await untilCached();
    expect(await metric('result_cache_bytes')).toBeGreaterThan(0);
    const own = await servedInTest({ stj: acordaos(3, 'dano') }, { RESULT_CACHE_MB: '0' });
    for (let again = 0; again < 5; again += 1) await own.busca({ q: 'dano' });
    await untilCached();
    const text = await (await fetch(`${own.adminUrl}/metrics`)).text();
    expect(text).toMatch(/^jurisprudencia_result_cache_hits_total 0$/mu);
  });
});
