import fc from 'fast-check';
import { Check } from 'typebox/value';
import { expect, test } from 'vitest';
import { isStored, isWhole } from '../../src/search/stored-coverage.ts';
import { BaseCoberturaSchema } from '../../src/contract/cobertura.ts';

const WHOLE = {
  base: 'tst',
  calculado: true,
  total: 7,
  periodo_do_julgamento: { de: '2020-02-29', ate: null },
  periodo_da_publicacao: { de: null, ate: '2024-12-31' },
  tipos: ['acordao', 'sumula'],
  calculado_em: '2026-03-10T12:00:00.123Z',
};
/** Values that are right for one field or another, nearly right, or wrong. */
const DAYS = [null, '2019-02-29', '2020-2-9'].map((de) => ({ de, ate: null }));
const MOMENTS = ['10', '10T12:00:00Z', '10T25:00:00Z', '10T12:00:00-03:00', '10 12:00:00'].map(
  (rest) => `2026-03-${rest}`,
);
const PLAIN = [
  undefined,
  null,
  true,
  false,
  0,
  -1,
  1.5,
  '7',
  '',
  'stf',
  'xyz',
  [],
  ['acordao'],
  ['nada'],
  [7],
  {},
];
const ODD = [...PLAIN, ...DAYS, { de: null }, { ...DAYS[0], mais: 1 }, ...MOMENTS, '2026-02-30T12:00:00Z'];

test('a stored report is used only if it is valid by the contract’s schema and was calculated', () => {
  expect(isWhole(WHOLE)).toBe(true);
  const names = [...Object.keys(WHOLE), 'outro'];
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...names), fc.constantFrom(...ODD), { maxKeys: 3 }), (odd) => {
      const stored: unknown = JSON.parse(JSON.stringify({ ...WHOLE, ...odd }));
      const isCalculated =
        Check(BaseCoberturaSchema, stored) &&
        stored.calculado &&
        stored.total !== undefined &&
        stored.calculado_em !== undefined;
      expect(isWhole(stored)).toBe(isCalculated);
    }),
    { numRuns: 2_000 },
  );
});

test.each([null, [], 7, {}, { versao: 2, bases: [] }, { versao: 1 }, { versao: 1, bases: {} }])(
  'a file with %j has no reports',
  (stored) => {
    expect(isStored(stored)).toBe(false);
  },
);
