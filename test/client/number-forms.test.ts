import { expect, it } from 'vitest';
import { openSyntaxCheck } from '../../src/index/format/syntax-check.ts';
import { withNumberForms } from '../../src/client/number-forms.ts';
import { readQuery } from '../../src/query/query.ts';

it.each([
  ['ações', 'ação'],
  ['acoes', 'acao'],
  ['cidadãos', 'cidadão'],
  ['homens', 'homem'],
  ['morais', 'moral'],
  ['imóveis', 'imóvel'],
  ['papéis', 'papel'],
  ['difíceis', 'difícil'],
  ['civis', 'civil'],
  ['valores', 'valor'],
  ['juízes', 'juíz'],
  ['bases', 'base'],
  ['dano', 'danos'],
  ['indenização', 'indenizações'],
  ['órgão', 'órgãos'],
  ['homem', 'homens'],
  ['moral', 'morais'],
  ['imóvel', 'imóveis'],
  ['fácil', 'fáceis'],
  ['civil', 'civis'],
  ['valor', 'valores'],
  ['juiz', 'juizes'],
  ['Súmulas', 'súmula'],
])('%s has the other number %s', (word, other) => {
  expect(withNumberForms(word)).toBe(`(${word} OR ${other})`);
});

it.each([
  ['prescrição de ações', '(prescrição OR prescrições) AND de AND (ações OR ação)'],
  ["art. 7º danos d'água", `"art." AND 7º AND (danos OR dano) AND "d'água"`],
  ['– danos § 0001234-56.2020.8.13.0024', '(danos OR dano) AND "0001234-56.2020.8.13.0024"'],
])('%s is %s', (q, expected) => {
  expect(withNumberForms(q)).toBe(expected);
  expect(readQuery(expected, openSyntaxCheck())).not.toHaveProperty('codigo');
});

it.each([
  '"danos morais"',
  'dano AND moral',
  'indeniz*',
  '(dano)',
  'de 7 §',
  'vírus',
  `danos ${'moral '.repeat(48)}`,
])('offers nothing for %j', (q) => {
  expect(withNumberForms(q)).toBeNull();
});
