import { expect, test } from 'vitest';
import { pack, transferred, unpack } from '../../src/ingest/packed.ts';
import { lastDays } from '../../src/ingest/dates.ts';
import { RecordMaker } from '../../src/ingest/record-maker.ts';

const LINES = [
  '{"tipo":"acordao","chave":"a","ementa":"Dano moral. Ação “provida”.","temas":["um","dois"]}',
  'no JSON',
  '{"tipo":"decisao_monocratica","data_julgamento":"01/03/2024","texto":"o inteiro teor da decisão"}',
  '{"tipo":"acordao"}',
];

test('a batch is the same after it was passed from one thread to the other', () => {
  const prepared = new RecordMaker('tst').recordsOf({
    lines: LINES,
    cut: [],
    last: lastDays(new Date('2026-11-22T12:00:00Z')),
  });
  const packed = pack(prepared);
  const came = unpack(structuredClone(packed, { transfer: transferred(packed) }));
  expect(came.texts).toEqual(prepared.texts);
  expect(came.unusedDates).toEqual(['data_julgamento: not written YYYY-MM-DD']);
  expect(came.items).toHaveLength(LINES.length);
  for (const [at, item] of came.items.entries()) expect(plain(item)).toEqual(plain(prepared.items[at]));
});

/** With arrays of numbers for bytes, so that a Buffer equals the same bytes in another kind of array. */
function plain(item: unknown): unknown {
  if (typeof item !== 'object' || item === null) return item;
  return Object.fromEntries(
    Object.entries(item).map(([name, value]: [string, unknown]) => [
      name,
      value instanceof Uint8Array || value instanceof Uint32Array ? Array.from(value) : value,
    ]),
  );
}
