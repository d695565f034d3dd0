import { describe, expect, test } from 'vitest';
import { isWrittenNumber, otherForms } from '../../src/contract/word-forms.ts';

const forms = (...tokens: string[]) => otherForms(tokens).map(({ text }) => text);

describe('other forms of a word', () => {
  test.each([
    ['maes', 'mae'],
    ['leis', 'lei'],
    ['danos', 'dano'],
    ['morais', 'moral'],
    ['acoes', 'acao'],
    ['acao', 'acoes'],
    ['homens', 'homem'],
    ['juiz', 'juizes'],
    ['juizes', 'juiz'],
    ['imoveis', 'imovel'],
    ['facil', 'faceis'],
    ['mulheres', 'mulher'],
    ['mes', 'meses'],
    ['paes', 'pao'],
  ])('of %s include %s', (word, other) => {
    expect(forms(word)).toContain(other);
  });

  test('begin with the one that differs by a final s', () => {
    expect(forms('maes')[0]).toBe('mae');
    expect(forms('leis')[0]).toBe('lei');
  });

  test('of a number are those with and without points, year and state code', () => {
    expect(forms('1500003')).toEqual(['1.500.003']);
    expect(forms('1', '500', '003')).toEqual(['1500003']);
    expect(forms('1', '500', '003', 'sp')).toEqual(['1500003/SP', '1.500.003', '1500003']);
    expect(forms('8', '078', '90')).toEqual(['8078/90', '8.078/1990', '8078/1990', '8.078', '8078']);
    expect(forms('8078')).toEqual(['8.078']);
    expect(forms('1234', '2021')).toEqual(['1.234/2021', '1.234/21', '1234/21', '1.234', '1234']);
  });

  test('of a case number with right check digits are its two spellings', () => {
    expect(forms('00012345620208130024')).toEqual([]);
    const digits = '00012341020208130024';
    const parts = ['0001234', '10', '2020', '8', '13', '0024'];
    expect(forms(digits)).toEqual(['0001234-10.2020.8.13.0024']);
    expect(forms(...parts)).toEqual([digits]);
    expect(forms(...parts.with(1, '11'))).toEqual([]);
    expect(forms('tst', 'rr', ...parts.with(0, '1234'))).toEqual(['0001234-10.2020.8.13.0024', digits]);
  });

  test('of an ordinal or of nº are those with other marks', () => {
    expect(forms('nº')).toEqual(['n.', 'n.º']);
    expect(forms('n')).toEqual(['nº', 'n.º']);
    expect(forms('5º')).toEqual(['5', '5o']);
    expect(forms('1', 'ª')).toEqual(['1', '1ª', '1a']);
  });

  test('of any other word are none', () => {
    for (const tokens of ['0123', 'd agua', 'rr 1000 40', '1 50 3', '12 345 abc'])
      expect(forms(...tokens.split(' '))).toEqual([]);
    expect(isWrittenNumber(['d', 'agua'])).toBe(false);
    expect(isWrittenNumber(['1500003'])).toBe(false);
    expect(isWrittenNumber(['1', '500', '003', 'sp'])).toBe(true);
  });
});
