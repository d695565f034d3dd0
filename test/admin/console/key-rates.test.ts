import { expect, test } from 'vitest';
import { KeyRates, useOf } from '../../../src/admin/console/key-rates.ts';
import type { Step } from '../../../src/engine/steps.ts';

test('requests of a key are counted over ten seconds, rejections separately', () => {
  const rates = new KeyRates();
  for (let second = 0; second < 10; second += 1) {
    for (let at = 0; at < 5; at += 1)
      rates.counts.note('a', { respostas: 1, recusas: at === 0 ? 1 : 0, espera_ms: at });
    rates.endSecond();
  }
  expect(rates.of('a')).toEqual({ por_s: 5, recusas_por_s: 1, espera_ms: 2 });
  expect(rates.of('b')).toEqual({ por_s: 0, recusas_por_s: 0, espera_ms: 0 });
  for (let second = 0; second < 5; second += 1) rates.endSecond();
  expect(rates.of('a')).toEqual({ por_s: 2.5, recusas_por_s: 0.5, espera_ms: 2 });
});

test('the wait of a request is that for its turn and the longest in a queue', () => {
  const steps = [3, 8, 5].map((queueMs) => ({ startedAt: 120, queueMs }) as Step);
  expect(useOf({ refusal: null, startedAt: 100, steps })).toEqual({
    respostas: 1,
    recusas: 0,
    espera_ms: 28,
  });
  expect(useOf({ refusal: 'quota', startedAt: 100, steps: [] })).toMatchObject({ recusas: 1, espera_ms: 0 });
});
