import { expect, test } from 'vitest';
import { cnjNumber, amount } from '../../../src/tools/demo/numbers.ts';
import { feminine, nounForms, plural } from '../../../src/tools/demo/morphology.ts';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { Rng } from '../../../src/tools/demo/rng.ts';
import { SUBJECTS, subjectMix } from '../../../src/tools/demo/subject.ts';
import { compile } from '../../../src/tools/demo/voice.ts';
import { drawOf, grouped } from '../../../src/tools/demo/words.ts';

test.each([
  ['decisão', 'decisões'],
  ['civil', 'civis'],
  ['útil', 'úteis'],
  ['cabível', 'cabíveis'],
  ['legal', 'legais'],
  ['ordem', 'ordens'],
  ['valor', 'valores'],
  ['ônus', 'ônus'],
])('makes the plural of %s', (singular, many) => {
  expect(plural(singular)).toBe(many);
});

test('makes feminines', () => {
  expect(feminine('público')).toBe('pública');
  expect(feminine('legal')).toBe('legal');
});

test('joins prepositions to the article of a phrase', () => {
  expect(nounForms('a pensão').forms).toEqual([
    'a pensão',
    'da pensão',
    'à pensão',
    'na pensão',
    'pela pensão',
    'pensão',
  ]);
  expect(() => nounForms('pensão')).toThrow(/article/u);
});

test('refuses a template with an unknown slot', () => {
  expect(() => compile('o {Y}')).toThrow(/unknown slot/u);
});

test('has complete subjects, and for each base shares that sum to one', () => {
  for (const { topics, fragments, sentences, laws } of SUBJECTS) {
    expect(Math.min(topics.length - 2, fragments.length, sentences.length, laws.length)).toBeGreaterThan(2);
  }
  expect(SUBJECTS.length).toBeGreaterThan(40);
  for (const base of BASES) expect(subjectMix(base).at(-1)![1]).toBeCloseTo(1);
});

test('makes surnames that seldom repeat', () => {
  const rng = new Rng(3);
  const drawn = Array.from({ length: 5000 }, () => drawOf('sobrenome')!(rng));
  expect(new Set(drawn).size).toBeGreaterThan(1500);
  expect(drawn.every((name) => /^\p{Lu}\p{Ll}{2,}$/u.test(name))).toBe(true);
});

test('computes the check digits of a known case number', () => {
  // A real number, of a case before the labour courts of São Paulo.
  expect(cnjNumber(1_001_481, 2018, [5, 2, 320])).toMatch(/^1001481-82\.2018\.5\.02\.0320$/u);
});

test('writes sums of money and thousands as Brazilians do', () => {
  expect(grouped(1_234_567)).toBe('1.234.567');
  const rng = new Rng(1);
  for (let turn = 0; turn < 100; turn += 1) expect(amount(rng)).toMatch(/^R\$ \d{1,3}(\.\d{3})*,\d{2}$/u);
});
