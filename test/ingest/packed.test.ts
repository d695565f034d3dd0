import { expect, test } from 'vitest';
import { lastDays } from '../../src/ingest/dates.ts';
import { pack, unpack } from '../../src/ingest/packed.ts';
import { RecordMaker } from '../../src/ingest/record-maker.ts';

const lines = ['{"tipo":"acordao","ementa":"DANO MORAL."}', '{', '{"tipo":"acordao","ementa":"OUTRA."}'];
const batch = new RecordMaker('stj').recordsOf({ lines, cut: [], last: lastDays(new Date()) });

test('a batch comes out of its transfer as it went in', () => {
  // A clone has a plain array in place of a Buffer, as the transfer does.
  expect(unpack(pack(batch))).toEqual(structuredClone(batch));
});

test.each([
  ['bytes', { bytes: new Uint8Array(1) }],
  ['a list', { lists: new Uint32Array(1) }],
])('a batch that lost or won %s on its way is refused, and makes no decision', (_, changed) => {
  expect(() => unpack({ ...pack(batch), ...changed })).toThrow('a bug');
});
