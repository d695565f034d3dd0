import { expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { listsIn } from '../../support/index-content.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';

/** In one transaction more words, characters, postings and positions than a load first has room for. */
const DECISIONS = 14;
const WORDS_EACH = 5_000;

test('more words than the first allocation are indexed, with their positions', () => {
  const folder = temporaryFolder();
  const wordOf = (at: number) => `w${at.toString(36)}`;
  const lines = Array.from({ length: DECISIONS }, (_, decision) => {
    const words = Array.from({ length: WORDS_EACH }, (__, at) => wordOf(decision * WORDS_EACH + at));
    return { tipo: 'acordao', ementa: ['comum', ...words, ...words].join(' ') };
  });
  loadLines(folder, 'stj', lines);
  const lists = listsIn(baseFile(folder, 'stj'), 'stj');
  expect(lists.size).toBe(DECISIONS * WORDS_EACH + 1);
  const wrong: string[] = [];
  for (let at = 0; at < DECISIONS * WORDS_EACH; at += 1) {
    const [posting, ...more] = lists.get(wordOf(at)) ?? [];
    const [docId, , ...positions] = posting ?? [];
    const place = 1 + (at % WORDS_EACH);
    const isRight =
      docId === 1 + Math.floor(at / WORDS_EACH) && positions.join() === `${place},${place + WORDS_EACH}`;
    if (!isRight || more.length > 0) wrong.push(wordOf(at));
  }
  expect(wrong).toEqual([]);
  const common = lists.get('comum')?.map(([docId, , place]) => [docId, place]);
  expect(common).toEqual(lines.map((_, at) => [at + 1, 0]));
}, 60_000);
