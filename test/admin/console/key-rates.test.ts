import { expect, test } from 'vitest';
import { KeyRates } from '../../../src/admin/console/key-rates.ts';

test('requests of a key are counted over ten seconds, rejections separately', () => {
  const rates = new KeyRates();
  for (let second = 0; second < 10; second += 1) {
    for (let at = 0; at < 5; at += 1) rates.note('a', at === 0);
    rates.endSecond();
  }
  expect(rates.of('a')).toEqual({ por_s: 5, recusas_por_s: 1 });
  expect(rates.of('b')).toEqual({ por_s: 0, recusas_por_s: 0 });
  for (let second = 0; second < 5; second += 1) rates.endSecond();
  expect(rates.of('a')).toEqual({ por_s: 2.5, recusas_por_s: 0.5 });
});
