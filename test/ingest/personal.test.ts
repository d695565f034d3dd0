import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MASK, withoutPersonal } from '../../src/ingest/personal.ts';
import { numberOf } from '../../src/ingest/raw-number.ts';

/** Numbers that pass the check and belong to nobody: they are the usual examples of documentation. */
const EXAMPLE = '123.456.789-09';

describe('personal numbers', () => {
  test.each([
    ['123.456.789-09', MASK],
    ['12345678909', MASK],
    ['123456789-09', MASK],
    [12345678909, MASK],
    ['CPF: 123.456.789-09, residente', `CPF: ${MASK}, residente`],
    ['111.444.777-35 e 529.982.247-25', `${MASK} e ${MASK}`],
    [
      ['x', { parte: '12345678909' }],
      ['x', { parte: MASK }],
    ],
  ])('in %j are masked: %j', (came, left) => {
    expect(withoutPersonal(came)).toEqual(left);
  });

  test.each<[unknown, string]>([
    ['123.456.789-00', 'the check digits do not fit'],
    ['111.111.111-11', 'eleven equal digits are nobody’s'],
    ['5012345678909', 'it is part of a longer number'],
    ['0012345-67.2024.5.15.0001', 'it is the number of a case'],
    ['202202853462', 'it has twelve digits'],
    [1234567890, 'it has ten digits'],
    [true, 'it is no number'],
    [null, 'it is nothing'],
  ])('%j stays: %s', (came) => {
    expect(withoutPersonal(came)).toEqual(came);
  });

  test('a field named for them is removed at any depth, whatever its value', () => {
    expect(
      withoutPersonal({ id: 1, codCPFSignatario: 'não publicar', partes: [{ nome: 'A', cpf_parte: 7 }] }),
    ).toEqual({ id: 1, partes: [{ nome: 'A' }] });
  });

  test('a JSON number stays as it was written', () => {
    const value = { medida: numberOf('1.0'), id: numberOf('123456789012345678901') };
    expect(JSON.stringify(withoutPersonal(value))).toBe('{"medida":1.0,"id":123456789012345678901}');
  });

  test('are masked in any value so that none with right check digits remains', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.string(), (value, word) => {
        const left = JSON.stringify(withoutPersonal({ value, text: `${word} ${EXAMPLE} ${word}` }));
        expect(left).not.toContain(EXAMPLE);
        expect(JSON.stringify(withoutPersonal(JSON.parse(left)))).toBe(left);
      }),
    );
  });
});
