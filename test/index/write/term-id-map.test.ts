import { expect, test } from 'vitest';
import { TermIdMap, inOrder } from '../../../src/index/write/term-id-map.ts';

test('term numbers of a load restart with the record maker’s terms, or without them', () => {
  const terms = new TermIdMap();
  const indexed = { ementa: 'velha ação', tese: '', dispositivo: '', temas: '', processo: '' };
  const textsOf = (lists: readonly number[]) =>
    Array.from(terms.numbersOf(Uint32Array.from(lists)), (number) => terms.term(number));
  terms.addTerms({ words: ['dano', 'moral'] });
  terms.inverter.invert(indexed);
  terms.addTerms({ words: ['velha', 'nova'] });
  terms.set(0, 7, 3);
  // A word of a stored decision and of the maker is one.
  expect(terms.inverter.size).toBe(5);
  expect(textsOf([0, 1, 2, 3])).toEqual(['dano', 'moral', 'velha', 'nova']);
  expect([terms.idOf(0), terms.isIn(0, 3), terms.isIn(0, 2)]).toEqual([7, true, false]);

  terms.restart(false);
  expect(terms.inverter.size).toBe(4);
  expect(textsOf([3, 2, 1, 0])).toEqual(['nova', 'velha', 'moral', 'dano']);
  expect([terms.idOf(0), terms.isIn(0, 3)]).toEqual([0, false]);

  terms.restart(true);
  terms.addTerms({ words: ['outra'] });
  expect(terms.inverter.size).toBe(1);
  expect(textsOf([0])).toEqual(['outra']);
});

test('a word that the record maker did not send is refused, and not taken for another', () => {
  const terms = new TermIdMap();
  terms.addTerms({ words: ['dano', 'moral'] });
  expect(() => terms.numbersOf(Uint32Array.of(0, 2))).toThrow('did not send');
  terms.restart(true);
  terms.addTerms({ words: ['outra'] });
  expect(() => terms.numbersOf(Uint32Array.of(1))).toThrow('did not send');
  expect(() => terms.term(1)).toThrow('without a text');
});

test('terms are ordered by their bytes', () => {
  const texts = ['\u{1d49c}', 'ﬁm', 'a', 'ab', ''];
  const order = inOrder([0, 1, 2, 3, 4], (at) => texts[at] ?? '');
  expect(order.map(({ number }) => number)).toEqual([4, 2, 3, 1, 0]);
});
