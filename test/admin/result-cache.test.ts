import { describe, expect, test } from 'vitest';
import { WAIT } from '../support/patience.ts';
import { served, servedInTest } from '../support/served.ts';
import { inEachBase } from '../support/service.ts';
import { acordaos } from '../http/checks.ts';

const service = served(inEachBase(acordaos(3, 'dano')));

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const values = text.split('\n').filter((line) => line.startsWith(`jurisprudencia_${name} `));
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('a cached answer', () => {
  test('is never given with a cache of 0 bytes, and memory is allocated as it is used', async () => {
    // An answer without a count, for want of room, is not cached.
    const again = async () => {
      await service.busca({ q: 'dano' });
      return metric('result_cache_hits_total');
    };
    await expect.poll(again, { ...WAIT, interval: 10 }).toBeGreaterThan(0);
    expect(await metric('result_cache_bytes')).toBeGreaterThan(0);
    const own = await servedInTest({ stj: acordaos(3, 'dano') }, { RESULT_CACHE_MB: '0' });
    for (let times = 0; times < 5; times += 1) await own.busca({ q: 'dano' });
    const text = await (await fetch(`${own.adminUrl}/metrics`)).text();
    expect(text).toMatch(/^jurisprudencia_result_cache_hits_total 0$/mu);
  });
});
