import { expect, test } from 'vitest';
import { Pieces } from '../../src/ingest/pieces.ts';

test('pieces of a text are added many at once, in their order, and none twice', () => {
  const added: string[] = [];
  const pieces = new Pieces((text) => added.push(text));
  const all = Array.from({ length: 25_000 }, (_, at) => `${at} `);
  for (const piece of all) pieces.push(piece);
  pieces.end();
  pieces.end();
  expect(added.join('')).toBe(all.join(''));
  expect(added).toHaveLength(3);
});
