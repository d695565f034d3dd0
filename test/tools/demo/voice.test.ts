import { describe, expect, test } from 'vitest';
import { Rng } from '../../../src/tools/demo/rng.ts';
import { SUBJECTS } from '../../../src/tools/demo/subject.ts';
import { Voice } from '../../../src/tools/demo/voice.ts';

const [subject] = SUBJECTS;
const rng = new Rng(5);
const voice = new Voice(rng, subject!);

/** What a template says in each of 300 decisions. */
function say(text: string): string[] {
  return Array.from({ length: 300 }, (_, index) => {
    rng.reseed(5, 0, index);
    voice.begin(SUBJECTS[index % SUBJECTS.length]!, 'stj', 6000);
    return voice.saying(text);
  });
}

describe('a sentence', () => {
  test.each([
    ['a noun of one class', '{prova}|{prova}|{prova}'],
    ['a verb', '{I decide}|{I decide}|{I decide}'],
    ['a topic', '{T}|{T}'],
    ['a statute', '{L}|{L}'],
    ['a person', '{F}|{F}|{F}'],
    ['a place', '{U}|{U}'],
    ['a disease', '{doenca}|{doenca}'],
  ])('does not repeat %s', (_, text) => {
    for (const sentence of say(text)) {
      const said = sentence.toLowerCase().split('|');
      expect(new Set(said).size).toBe(said.length);
    }
  });

  test('puts the verb in the plural with a plural subject', () => {
    for (const sentence of say('{prova} {V mostra} que')) {
      expect(/^(?:os|as) /iu.test(sentence)).toBe(/[ae]m que$/u.test(sentence));
    }
  });

  test('ends in one full stop, also after an abbreviation', () => {
    for (const sentence of say('Recurso de {E}.')) expect(sentence).not.toMatch(/\.\.$/u);
  });

  test('has one of its possible wordings', () => {
    expect(new Set(say('{alega/sustenta} que'))).toEqual(new Set(['Alega que', 'Sustenta que']));
  });

  test('cites a statute in force, if the subject has one', () => {
    const pregao = SUBJECTS.find(({ name }) => name === 'licitacao');
    for (let turn = 0; turn < 200; turn += 1) {
      voice.begin(pregao!, 'stj', 1000);
      expect(voice.saying('{L}')).not.toContain('14.133/2021');
    }
  });
});
