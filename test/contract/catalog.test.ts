import { describe, expect, test } from 'vitest';
import { TIPO_NO_ARQUIVO, TRIBUNAL_NO_ARQUIVO } from '../../src/contract/catalog.ts';

describe('the number in a base file', () => {
  test('for a court and for a type is the code of the first file version', () => {
    expect(TRIBUNAL_NO_ARQUIVO).toMatchObject({ tst: 0, stf: 1, stj: 2, tnu: 3, trf6: 4, trt3: 5, tjmg: 6 });
    expect(TIPO_NO_ARQUIVO).toMatchObject({ acordao: 0, decisao_monocratica: 1, sumula: 5, informativo: 8 });
  });

  test.each([
    ['court', TRIBUNAL_NO_ARQUIVO],
    ['type', TIPO_NO_ARQUIVO],
  ])('is unique for each %s, and fits a bit mask', (_, numbers) => {
    const all = Object.values(numbers);
    expect(new Set(all).size).toBe(all.length);
    for (const number of all) expect(number).toBeLessThan(32);
  });
});
