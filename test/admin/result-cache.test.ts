import { describe, expect, test } from 'vitest';
import { WAIT } from '../support/patience.ts';
import { served } from '../support/served.ts';
import { adminApi } from './support-api.ts';
import { inEachBase } from '../support/service.ts';
import { acordaos } from '../http/checks.ts';

const service = served(inEachBase(acordaos(3, 'dano')));

async function metric(name: string): Promise<number> {
  const text = await (await fetch(`${service.adminUrl}/metrics`)).text();
  const values = text.split('\n').filter((line) => line.startsWith(`jurisprudencia_${name} `));
  return values.reduce((sum, line) => sum + Number(line.split(' ').at(-1)), 0);
}

describe('a cached answer', () => {
  test('is never given with a cache of 0 bytes, set while the service runs, and memory is allocated as it is used', async () => {
    // An answer without a count, for want of room, is not cached.
    const again = async () => {
      await service.busca({ q: 'dano' });
      return metric('result_cache_hits_total');
    };
    await expect.poll(again, { ...WAIT, interval: 10 }).toBeGreaterThan(0);
    expect(await metric('result_cache_bytes')).toBeGreaterThan(0);
    await adminApi(service)('PUT', 'ajustes/servico/result_cache_mb', { valor: 0 });
    const hits = await metric('result_cache_hits_total');
    for (let times = 0; times < 5; times += 1) expect(await again()).toBe(hits);
    expect(await metric('result_cache_bytes')).toBe(0);
  });
});
