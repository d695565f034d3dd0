import { describe, expect, test } from 'vitest';
import { TIPOS, type Base, type Tipo } from '../../src/contract/vocabulary.ts';
import { LinhaSchema, readLine } from '../../src/ingest/canonical.ts';
import { lastDays } from '../../src/ingest/dates.ts';
import { FIELDS } from '../../src/ingest/lines.ts';

const LAST = lastDays(new Date('2026-11-22T12:00:00Z'));

/** As the contract has them, written out by hand. */
const HELD: Record<Base, readonly Tipo[]> = {
  tst: [
    ...(['acordao', 'decisao_monocratica', 'decisao_presidencia', 'decisao_vice_presidencia'] as const),
    ...(['decisao_corregedoria', 'sumula', 'orientacao_jurisprudencial', 'precedente_normativo'] as const),
  ],
  stf: ['acordao', 'decisao_monocratica', 'sumula', 'informativo'],
  stj: ['acordao'],
  tjmg: ['acordao'],
  trt3: ['acordao'],
  eproc: ['acordao', 'decisao_monocratica', 'sumula'],
};
const CASES = Object.entries(HELD).flatMap(([base, held]) =>
  TIPOS.map((tipo) => [tipo, base as Base, held.includes(tipo), held] as const),
);

describe('a canonical line', () => {
  test.each(CASES)('of type %s in base %s is loaded: %s', (tipo, base, isHeld, held) => {
    const tribunal = base === 'eproc' ? 'tnu' : base;
    const read = readLine(JSON.stringify({ tipo, tribunal }), base, LAST);
    if (isHeld) expect(read).toMatchObject({ campos: { tipo } });
    else expect(read).toBe(`tipo: ${tipo} is not in base ${base} (${held.join(' or ')})`);
  });

  test('has the fields of its schema', () => {
    expect(FIELDS).toEqual(Object.keys(LinhaSchema.properties));
  });

  test('with the comma of a JSON list has its own error', () => {
    expect(readLine('{"tipo":"acordao"}, ', 'stj', LAST)).toBe(
      'not valid JSON: it ends with a comma, as in a list',
    );
    expect(readLine('[', 'stj', LAST)).toBe('not valid JSON');
  });

  test.each([
    ['ementta', 'nearest: ementa'],
    ['numero', 'nearest: numeros'],
  ])('with the unknown field %s is refused with the mend: %s', (name, mend) => {
    expect(readLine(JSON.stringify({ [name]: 1 }), 'stj', LAST)).toBe(`unknown field "${name}" (${mend})`);
  });

  test('of an unknown type is refused with the types of the base', () => {
    expect(readLine('{"tipo":"sentenca"}', 'stj', LAST)).toBe('tipo: must be one of acordao');
    const classe = 'classe: must be like {"sigla": "REsp", "descricao": "Recurso Especial"}';
    expect(readLine('{"tipo":"acordao","classe":"REsp"}', 'stj', LAST)).toBe(classe);
    expect(readLine('{"tipo":"acordao","classe":{"nome":"REsp"}}', 'stj', LAST)).toBe(classe);
    expect(readLine('{"tipo":"acordao","classe":{"sigla":1}}', 'stj', LAST)).toBe(
      'classe.sigla: must be string',
    );
    expect(readLine('{"tipo":7}', 'stf', LAST)).toBe(
      'tipo: must be one of acordao, decisao_monocratica, sumula, informativo',
    );
    expect(readLine('{"tipo":"acordao","tribunal":"tjsp"}', 'eproc', LAST)).toBe(
      'tribunal: must be one of tnu, trf6',
    );
  });
});
