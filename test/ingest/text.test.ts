import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { ementaStatus, excerpt, textOrNull } from '../../src/ingest/text.ts';

const LONG = 'RECURSO ESPECIAL. DANO MORAL. A indenização foi fixada com moderação e não comporta revisão.';

describe('ementa_status, when the source has none', () => {
  test.each([
    [null, 'ausente'],
    [LONG, 'completa'],
    [`${LONG} sem ponto no fim`, 'completa'],
    [`${LONG} e segue...`, 'truncada'],
    [`${LONG} e segue…`, 'truncada'],
    [`${LONG} Ler mais...`, 'truncada'],
    [`${LONG} Ler mais`, 'truncada'],
    ['palavra '.repeat(800).slice(0, 5000).trimEnd(), 'truncada'],
    ['palavra '.repeat(800).slice(0, 5999), 'truncada'],
    ['palavra '.repeat(800).slice(0, 4999).padEnd(4999, 'x') + '.', 'completa'],
    ['palavra '.repeat(700).slice(0, 5300), 'completa'],
    ['Agravo não provido.', 'suspeita'],
    [`EMBARGOS DE DECLARAÃ‡ÃƒO. ${LONG}`, 'suspeita'],
    [`AÃ§Ã£o de indenizaÃ§Ã£o. ${LONG}`, 'suspeita'],
    [`Perdido \ufffd. ${LONG}`, 'suspeita'],
    [`Voto servindo como ementa. ${LONG}`, 'suspeita'],
    [`<div class="x"> ${LONG}`, 'suspeita'],
    [`${'coladasemespacoalgum'.repeat(3)} ${LONG}`, 'suspeita'],
    [`NÃO CONHECIMENTO. IRMÃ. ${LONG}`, 'completa'],
  ])('of %j is %s', (ementa, expected) => {
    expect(ementaStatus(ementa)).toBe(expected);
  });

  test('treats 45 letters in a row as joined words, and 44 as one word', () => {
    for (const letters of ['a'.repeat(45), 'ção'.repeat(15), '\u{1d41a}'.repeat(45)]) {
      const shorter = [...letters].slice(1).join('');
      for (let before = 0; before <= 90; before += 1) {
        const start = '1 '.repeat(45).slice(90 - before);
        expect(ementaStatus(`${start}${letters} ${LONG}`)).toBe('suspeita');
        expect(ementaStatus(`${start}${shorter} ${LONG}`)).toBe('completa');
      }
    }
  });
});

describe('a text that means nothing', () => {
  test.each(['', '  \n', '-', '--', 'nan', 'NULL', 'None', 'null', 'removido no backend', ' NaN '])(
    '%j is null',
    (text) => {
      expect(textOrNull(text)).toBeNull();
    },
  );
  test.each(['Nada consta', 'a-b', 'nenhum', ' texto ', 'NULIDADE'])('keeps %j', (text) => {
    expect(textOrNull(text)).toBe(text);
  });
});

test.each([
  ['EMBARGOS\u0097PRAZO', 'EMBARGOS—PRAZO'],
  ['A\u0081B\u0085', 'A B…'],
  ['a IRMÃ\u0094, AMANHÃ\u0097 e NÃO', 'a IRMÃ”, AMANHÃ— e NÃO'],
  ['DECLARAÃ\u0087Ã\u0083O e decisão', 'DECLARAÃ\u0087Ã\u0083O e decisão'],
])('control characters in %j are removed: %j', (text, meant) => {
  expect(textOrNull(text)).toBe(meant);
});

describe('the excerpt', () => {
  test('is the start of the ementa, about 400 characters, whole words, line breaks kept', () => {
    const ementa = `Primeira linha.\nSegunda linha. ${'palavra longa '.repeat(60)}`;
    const cut = excerpt(ementa) ?? '';
    expect(ementa.startsWith(cut)).toBe(true);
    expect(cut.length).toBeGreaterThan(340);
    expect(cut.length).toBeLessThanOrEqual(400);
    expect(cut).toContain('\n');
    expect(cut.endsWith('palavra') || cut.endsWith('longa')).toBe(true);
  });

  test('of a short ementa is the ementa, and of none is null', () => {
    expect(excerpt('Curta.')).toBe('Curta.');
    expect(excerpt(null)).toBeNull();
  });

  test('never ends inside a grapheme, also where no space is near', () => {
    const family = '\u{1f468}\u200d\u{1f469}\u200d\u{1f467}';
    const cut = excerpt('x'.repeat(395) + family + 'y'.repeat(100)) ?? '';
    expect(cut).toBe('x'.repeat(395));
    expect(excerpt('e\u0301'.repeat(300))).toBe('e\u0301'.repeat(200));
  });

  test('is for any text a well-formed start of it, of bounded length', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', minLength: 300, maxLength: 900 }), (ementa) => {
        const cut = excerpt(ementa) ?? '';
        expect(ementa.startsWith(cut)).toBe(true);
        expect(cut.length).toBeLessThanOrEqual(Math.max(400, ementa.length <= 400 ? ementa.length : 0));
        expect(cut.isWellFormed()).toBe(true);
      }),
    );
  });
});
