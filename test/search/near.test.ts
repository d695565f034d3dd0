import { describe, expect, test } from 'vitest';
import type { NearReply, NearWord } from '../../src/engine/messages.ts';
import { readExpression } from '../../src/query/expression.ts';
import { mergedNear, wordsToLookFor } from '../../src/search/near.ts';

const reply = (near: NearReply['near'], found: NearReply['found'] = null): NearReply => ({
  kind: 'near',
  near,
  found,
  is_whole: true,
  generation: 1,
  docs: 9,
});
const held = (name: string, docs: number) => ({ tokens: name.split(' '), docs });
const word = (name: string, ...forms: string[]): NearWord => ({
  tokens: name.split(' '),
  forms: forms.map((form) => form.split(' ')),
  edits: true,
  anyway: false,
});

describe('near words of several bases', () => {
  test('are merged with their numbers of decisions, other spellings of the word first', () => {
    const terms = mergedNear(
      [word('danos', 'dano')],
      [
        reply([[held('dano', 1), held('danou', 5)]]),
        reply([[held('danou', 2), held('panos', 9), held('anos', 3)]]),
      ],
    );
    expect(terms).toEqual({
      terms: [
        {
          absent: 'danos',
          near: [
            { text: 'dano', docs: 1 },
            { text: 'panos', docs: 9 },
            { text: 'danou', docs: 7 },
          ],
        },
      ],
      isFound: false,
    });
  });

  test('are not given for a word that any of the bases has', () => {
    const terms = mergedNear([word('danos')], [reply([[held('dano', 1)]]), reply([null])]);
    expect(terms).toEqual({ terms: [], isFound: false });
  });

  test('begin with those that the search was tried with', () => {
    const near = [[held('dano', 50)], [held('morar', 9), held('moral', 1)]];
    const tried = reply(near, [['dano'], ['moral']]);
    const { terms, isFound } = mergedNear([word('danoo'), word('moraal')], [reply(near), tried]);
    expect(terms.map((term) => term.near[0]?.text)).toEqual(['dano', 'moral']);
    expect(isFound).toBe(true);
  });

  test('begin with the nearest with which a base found something', () => {
    const [farther, nearer] = [[held('mao', 277)], [held('mae', 100), held('mao', 9)]];
    const { terms } = mergedNear(
      [word('maes', 'mae', 'mao')],
      [reply([farther], [['mao']]), reply([nearer], [['mae']])],
    );
    expect(terms.map((term) => term.near[0]?.text)).toEqual(['mae']);
  });

  test('are not suggested if a base has one of the absent words after all', () => {
    const tried = reply([[held('dano', 50)], [held('moral', 1)]], [['dano'], ['moral']]);
    const other = reply([null, []]);
    expect(mergedNear([word('danoo'), word('moraal')], [tried, other])).toMatchObject({
      terms: [{ absent: 'moraal' }],
      isFound: false,
    });
  });
});

describe('words with near words', () => {
  const { tree, positive } = readExpression('danoo AND "8 078 90" AND zx AND 12345 AND mor*');
  const named = (isEmpty: boolean) =>
    wordsToLookFor(tree, positive, isEmpty).map(({ tokens }) => tokens.join(' '));

  test('are absent ones, and punctuated numbers of a search that found nothing', () => {
    expect(named(true)).toEqual(['danoo', '12345', '8 078 90']);
    expect(named(false)).not.toContain('8 078 90');
  });

  test('are at most five', () => {
    const many = readExpression('aaaa AND bbbb AND cccc AND dddd AND eeee AND ffff');
    expect(wordsToLookFor(many.tree, many.positive, true)).toHaveLength(5);
  });
});
