import { describe, expect, test } from 'vitest';
import { ByteReader, ByteWriter } from '../../../src/index/format/bytes.ts';
import { DamagedBase } from '../../../src/index/format/seal.ts';

function written(value: number): number[] {
  const to = new ByteWriter(1);
  to.varint(value);
  return [...to.result()];
}

describe('a whole number', () => {
  test.each([
    [0, [0]],
    [127, [0x7f]],
    [128, [0x81, 0]],
    [300, [0x82, 0x2c]],
    [16_383, [0xff, 0x7f]],
    [16_384, [0x81, 0x80, 0]],
    [2 ** 32, [0x90, 0x80, 0x80, 0x80, 0]],
    [Number.MAX_SAFE_INTEGER, [0x8f, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f]],
  ])('is stored in the fewest bytes, as FORMAT.md describes: %i', (value, bytes) => {
    expect(written(value)).toEqual(bytes);
    expect(new ByteReader(Uint8Array.from(bytes)).varint()).toBe(value);
  });
});

describe('bytes that are read', () => {
  test('end in DamagedBase when read past their end', () => {
    expect(() => new ByteReader(Uint8Array.of(0x81)).varint()).toThrow(DamagedBase);
    expect(() => new ByteReader(Uint8Array.of(1, 2)).take(3)).toThrow(DamagedBase);
    expect([...new ByteReader(Uint8Array.of(1, 2)).take(2)]).toEqual([1, 2]);
  });
});
