import { describe, expect, test } from 'vitest';
import { hasOrdinal, ordinalForms, withPlainOrdinals } from '../../src/contract/ordinals.ts';

describe('ways to write a number or an ordinal', () => {
  test.each([
    ...['nº 3', 'n° 3', 'n. 3', 'n.º 3', '№ 3', 'n.º3'].map(
      (text) => [`Súmula ${text}`, 'Súmula n 3'] as const,
    ),
    ...['art. 5º', 'art. 5°', 'art. 5o', 'art. 5.º'].map((text) => [text, 'art. 5'] as const),
    ...['1ª Turma', '1.ª Turma', '1a Turma'].map((text) => [text, '1 Turma'] as const),
  ])('%j is one: %j', (text, plain) => {
    expect(hasOrdinal(text)).toBe(true);
    expect(withPlainOrdinals(text).replaceAll(/ +/gu, ' ')).toBe(plain);
  });

  test.each(['no art. 5', 'nº', '37°C', '8.078/90', '0001234-10.2020.8.13.0024', 'b12a', 'n 331', '12-A'])(
    '%j is none of them',
    (text) => {
      expect(hasOrdinal(text)).toBe(false);
      expect(withPlainOrdinals(text)).toBe(text);
    },
  );

  test('have each other as words of the index', () => {
    expect(ordinalForms(['5º']).map(({ tokens }) => tokens)).toEqual([['5'], ['5o']]);
    expect(ordinalForms(['5']).map(({ text }) => text)).toEqual(['5º', '5o', '5ª', '5a']);
    expect(ordinalForms(['dano'])).toEqual([]);
  });
});
