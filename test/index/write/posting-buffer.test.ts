import { expect, test } from 'vitest';
import { PostingBuffer } from '../../../src/index/write/posting-buffer.ts';

const LAST_BYTE = 1;

test.each([
  ['fewer', [LAST_BYTE]],
  ['more', [LAST_BYTE, LAST_BYTE, LAST_BYTE]],
])('positions of %s words than a decision has are refused, after longer ones too', (_, bytes) => {
  const buffer = new PostingBuffer();
  buffer.add(1, Uint32Array.of(0, 1), Uint8Array.of(5, 6), Uint8Array.of(LAST_BYTE, LAST_BYTE));
  expect([...buffer.take(2).docIds]).toEqual([1, 1]);
  buffer.add(2, Uint32Array.of(0, 1), Uint8Array.of(5, 6), Uint8Array.from(bytes));
  expect(() => buffer.take(2)).toThrow('more or fewer');
});

test('a number beyond the known terms is refused', () => {
  const buffer = new PostingBuffer();
  buffer.add(1, Uint32Array.of(2), Uint8Array.of(5), Uint8Array.of(LAST_BYTE));
  expect(() => buffer.take(1)).toThrow('unknown term');
});
