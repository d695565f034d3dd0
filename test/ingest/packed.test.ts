import { expect, test } from 'vitest';
import { pack, unpack } from '../../src/ingest/packed.ts';

test.each([
  ['a number', { numbers: [] }],
  ['a text', { strings: [] }],
  ['bytes', { bytes: new Uint8Array(1) }],
  ['a list', { lists: new Uint32Array(1) }],
])('a batch that lost or won %s on its way is refused, and makes no decision', (_, changed) => {
  const packed = pack({
    items: ['not valid JSON'],
    unusedDates: [],
    fullTexts: [],
    texts: { restarts: false, words: [] },
  });
  expect(unpack(packed).items).toEqual(['not valid JSON']);
  expect(() => unpack({ ...packed, ...changed })).toThrow('a bug');
});
