import { expect, test } from 'vitest';
import { SeenKeys } from '../../src/ingest/seen-keys.ts';

test('a key is new once, however many have come between', () => {
  const seen = new SeenKeys();
  const keys = Array.from({ length: 300_000 }, (_, at) => `key ${at}`);
  expect(keys.every((key) => seen.add(key))).toBe(true);
  expect(keys.some((key) => seen.add(key))).toBe(false);
  expect(seen.add('another')).toBe(true);
});
