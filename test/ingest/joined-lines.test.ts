import { describe, expect, test } from 'vitest';
import { unwrapped } from '../../src/ingest/normalise.ts';

/** Fills a line to about the column. */
const FILL = 'O recurso que se examina trata de matéria já decidida pela Corte';

describe('a wrapped line that begins with a number of the sentence is joined', () => {
  test.each([
    ['da Lei n.', '11.343/2006 e ao art. 386'],
    ['da Lei n.', '8.078/90 não se aplica'],
    ['no REsp n.', '1.500.003/SP, Rel. Min. Fulana'],
    ['julgado em', '20.03.2024 pela Turma'],
    ['julgado em', '20.03.24. A Turma'],
    ['julgado no ano de', '2019. A vítima'],
    ['nem ao', '12-A da lei inventada'],
    ['conforme a Súmula', '83-STJ e outras'],
    ['pelo verbete', '7-STJ, incide'],
    ['citado em', 'II - do voto da relatora'],
    ['art. 5º, inciso', 'II - DO CÓDIGO PENAL'],
    ['ART. 5º, INCISO', 'I - DO CÓDIGO PENAL'],
    ['nos termos da alínea', 'a) do permissivo'],
    ['no art. 105, III,', 'a) e c), da Constituição'],
    ['conforme o art.', '33. A pena'],
    ['à fl.', '12. O réu'],
    ['de que cuida o', 'IV-A da lei'],
    ['pelo réu', '10. Turma do Tribunal'],
    ['do AgRg no AREsp 1.234', '- SP, Rel. Min. Fulana'],
    ['AGRAVO EM RECURSO ESPECIAL', '- AÇÃO DE DISSOLUÇÃO'],
    ['o que se disse', '- e não se provou -'],
    ['da Súmula n.', '7. A pena'],
    ['conforme o', 'v. acórdão recorrido'],
    ['CONFORME O', 'V. ACÓRDÃO RECORRIDO'],
  ])('… %s / %s', (end, begin) => {
    expect(unwrapped(`${FILL} ${end}\n${begin} e o mais.`)).toBe(`${FILL} ${end} ${begin} e o mais.`);
  });

  test('it is joined even if the line before is short', () => {
    expect(unwrapped(`${FILL} e se nega.\nNega-se à luz da Lei n.\n11.343/2006 ao réu.`)).toContain(
      'n. 11.343',
    );
  });
});

describe('a list item keeps its line', () => {
  test.each([
    ['RECURSO NÃO PROVIDO.', ['1. A conduta não se amolda.', '2. Agravo não provido.', '3. Fim.']],
    ['RECURSO NÃO PROVIDO', ['1. A conduta não se amolda', '2. Agravo não provido', '3. Fim.']],
    ['RECURSO NÃO PROVIDO.', ['I – A conduta.', 'II - Agravo não provido.', 'III. Fim.']],
    ['São requisitos:', ['a) a posse;', 'b) o ânimo; e', 'c) o tempo.']],
    ['São requisitos', ['a) a posse,', 'b) o ânimo e', 'c) o tempo.']],
    ['São requisitos:', ['i) a posse;', 'ii) o ânimo;', 'iii) o tempo.']],
    ['São requisitos:', ['(i) a posse;', '(ii) o ânimo.']],
    ['São requisitos:', ['1) a posse;', '2) o ânimo;']],
    ['São requisitos:', ['I - a posse;', 'II - o ânimo;']],
    ['Decide-se.', ['1.1. A conduta.', '1.2. O réu.']],
    ['Decide-se.', ['1- A conduta.', '2- O réu.']],
    ['Decide-se.', ['1-A conduta.', '2-O réu.']],
    ['pela Sexta Turma.', ['11. Agravo não provido.', '12. Fim.']],
    ['Decide-se', ['• A conduta', '- Agravo não provido']],
    ['nos termos da Lei 8.112/1990. 1. A conduta foi provada', ['2. Agravo não provido.']],
  ])('after %s: %j', (end, items) => {
    const text = [`${FILL}. ${end}`, ...items].join('\n');
    expect(unwrapped(text)).toBe(text);
  });
});
