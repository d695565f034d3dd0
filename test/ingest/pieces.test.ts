import { expect, test } from 'vitest';
import { Pieces } from '../../src/ingest/pieces.ts';

test('pieces of a text are joined in order, many at once, none twice', () => {
  const added: string[] = [];
  const pieces = new Pieces((text) => added.push(text));
  const all = Array.from({ length: 25_000 }, (_, at) => `${at} `);
  for (const piece of all) pieces.push(piece);
  pieces.end();
  pieces.end();
  expect(added.join('')).toBe(all.join(''));
  expect(added).toHaveLength(3);
});
