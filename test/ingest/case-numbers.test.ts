import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Base } from '../../src/contract/vocabulary.ts';
import { spellingsOf } from '../../src/contract/case-numbers.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { stfPesquisa } from '../../src/ingest/formats/stf-pesquisa.ts';
import { stjEspelhos } from '../../src/ingest/formats/stj-espelhos.ts';
import { tjmgJson } from '../../src/ingest/formats/tjmg-json.ts';
import { tstPesquisa } from '../../src/ingest/formats/tst-pesquisa.ts';
import { Handler } from '../../workers/handler.ts';
import { readOf, searchFor, searched } from '../support/requests.ts';
import { loadLines, temporaryFolder, type Line } from '../support/service.ts';
import { read } from './formats/support.ts';

function loaded(base: Base, ...lines: Omit<Line, 'tipo'>[]) {
  const folder = temporaryFolder();
  const load = (...more: Omit<Line, 'tipo'>[]) => {
    const acordaos = more.map((line) => Object.assign({ tipo: 'acordao' }, line));
    loadLines(folder, base, acordaos);
  };
  load(...lines);
  const handler = new Handler(baseFile(folder, base), base);
  const search = (q: string) => searched(handler, searchFor(q, { doc_ids_max: 9, ordem: 'relevancia' }));
  return { handler, search, load, found: (q: string) => search(q).doc_ids };
}

describe('a decision is found by every spelling of its numbers, alone and in its field', () => {
  const CNJ = '0000850-43.2017.5.13.0011 850-43.2017.5.13.0011 00008504320175130011 8504320175130011'.split(
    ' ',
  );
  const withClass = CNJ.map((number) => `RR - ${number}`);
  const TJMG = ['1.0024.12.345678-9/001', '1.0024.12.345678-9', '10024123456789001'];
  const REGISTRO = ['2022/0285346-2', '202202853462'];
  const NUMBER = ['REsp 1234567', 'REsp 1.234.567', '1234567', '1.234.567'];
  test.each<[Base, Omit<Line, 'tipo'>, string[]]>([
    ['tst', { processo: 'RR - 850-43.2017.5.13.0011' }, [...CNJ, ...withClass]],
    ['trt3', { processo: '0000850-43.2017.5.13.0011' }, CNJ],
    ['stf', { processo: '00008504320175130011 (2)' }, CNJ],
    ['stj', { processo: 'a numeração', numeros: ['850-43.2017.5.13.0011'] }, CNJ],
    ['eproc', { tribunal: 'tnu', processo: null, extras: { numeroCnj: '8504320175130011' } }, CNJ],
    ['tjmg', { processo: '3456789-71.2012.8.13.0024 (1)', extras: { numero_tjmg: TJMG[0] } }, TJMG],
    ['tjmg', { extras: { numeroProcessoTj: TJMG[2] } }, TJMG],
    ['stj', { processo: 'REsp 1234567 / SP', numeros: [REGISTRO[0]] }, [...NUMBER, ...REGISTRO]],
    [
      'stj',
      { processo: 'REsp 1.234.567', extras: { numeroRegistro: REGISTRO[1] } },
      [...NUMBER, ...REGISTRO],
    ],
    ['stf', { processo: 'RE 635659 RG' }, ['RE 635.659 RG', 'RE 635.659', '635659']],
  ])('%s %j', (base, line, spellings) => {
    const { found } = loaded(base, line, {
      processo: '0000851-44.2017.5.13.0011',
      tribunal: line['tribunal'],
    });
    for (const number of spellings) {
      expect([number, found(`"${number}"`)]).toEqual([number, [1]]);
      expect([number, found(`processo : "${number}"`)]).toEqual([number, [1]]);
    }
  });

  const tipo = { codigoTipoJurisprudencia: 'ACORDAO' };
  const ofTst = { id: 'a', numero: CNJ[2], numFormatado: withClass[1], tipo };
  const ofStf = {
    id: 'a',
    base: 'acordaos',
    processo_codigo_completo: 'RE 635659 RG',
    processo_numero: '635659',
    processo_numero_unico: CNJ[2],
  };
  test.each([
    [tstPesquisa, 'tst', { registros: [{ registro: ofTst }] }, CNJ],
    [
      tjmgJson,
      'tjmg',
      { jurisprudencias: [{ id: 'a', numeroProcessoTj: TJMG[0], numeroProcessoCnj: CNJ[2] }] },
      [...CNJ, ...TJMG],
    ],
    [
      stjEspelhos,
      'stj',
      [{ id: '1', siglaClasse: 'REsp', numeroProcesso: '1234567', numeroRegistro: REGISTRO[1] }],
      [...NUMBER, ...REGISTRO],
    ],
    [
      stfPesquisa,
      'stf',
      { result: { hits: { hits: [{ _source: ofStf }] } } },
      ['RE 635.659', '635659', ...CNJ],
    ],
  ] as const)('as %o gives them', async (format, base, answer, spellings) => {
    const { items } = await read(format, base, JSON.stringify(answer));
    const lines = items.map((item) => JSON.parse(item.kind === 'linha' ? item.linha : '') as Line);
    const { found } = loaded(base, ...lines);
    expect(spellings.filter((number) => found(`processo : "${number}"`).length === 0)).toEqual([]);
  });

  test('all spellings of a number have the same other spellings', () => {
    const digits = (length: number) => fc.stringMatching(new RegExp(`^\\d{${length}}$`, 'u'));
    fc.assert(
      fc.property(digits(7), digits(2), digits(4), digits(4), (own, check, year, origin) => {
        const given = `${own}-${check}.${year}.8.13.${origin}`;
        const all = new Set(spellingsOf(given));
        const marked = [...all].filter((spelling) => /\D/u.test(spelling) || spelling.length === 20);
        for (const spelling of marked) expect(new Set(spellingsOf(spelling))).toEqual(all);
      }),
      { numRuns: 300 },
    );
  });
});

test('a decision is not found by numbers of other cases, documents or pages', () => {
  const others = { numeroDocumento: '11112222', numeroProcessoOrigem: '33334444', pagina: '55556666' };
  const extras = { ...others, numero: '77778888' };
  const { found } = loaded('stj', { processo: 'REsp 1', extras });
  expect(Object.values(extras).filter((number) => found(number).length > 0)).toEqual([extras.numero]);
});

test('the added spellings are never served, and no phrase or NEAR crosses between them', () => {
  const { handler, found } = loaded('stj', { processo: 'REsp 1234567', numeros: ['2022/0285346-2', '  '] });
  const [outcome] = handler.run([readOf([1])]);
  expect(JSON.stringify(outcome)).toContain('REsp 1234567');
  expect(JSON.stringify(outcome)).not.toContain('0285346');
  expect(found('"1234567 resp"')).toEqual([]);
  expect(found('processo : NEAR(1234567 0285346, 8191)')).toEqual([]);
  expect(found('processo : (1234567 AND 0285346)')).toEqual([1]);
});

test('the added spellings change no score', () => {
  const line = { ementa: 'dano moral 43 em 2017', processo: 'RR 850' };
  const numeros = ['850-43.2017.5.13.0011', '2022/0285346-2'];
  const plain = loaded('tst', line, { ementa: 'dano' });
  const numbered = loaded('tst', { ...line, numeros }, { ementa: 'dano' });
  for (const q of ['dano', 'moral', '43', '2017', '850', 'rr', 'dano OR 43'])
    expect(numbered.search(q).scores).toEqual(plain.search(q).scores);
});

test('a replaced decision is found by its new numbers and no longer by the old ones', () => {
  const line = { chave: 'a', ementa: 'dano', processo: 'REsp 7654321' };
  const other = { chave: 'b', ementa: 'dano' };
  const { found, load } = loaded('stj', { ...line, numeros: ['2022/0285346-2'] }, other);
  load({ ...line, numeros: ['2023/0285346-3'] });
  expect(found('"2022/0285346-2" OR 202202853462')).toEqual([]);
  expect(found('"2023/0285346-3" AND 202302853463 AND "7.654.321"')).toEqual([1]);
  load(line);
  expect(found('202302853463')).toEqual([]);
  expect(found('"7.654.321"')).toEqual([1]);
});
