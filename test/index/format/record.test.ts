import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STATUS_EMENTA, TIPOS } from '../../../src/contract/enums.ts';
import {
  RECORDS_PER_BLOCK,
  dictionaryFrom,
  packBlock,
  unpackBlock,
  unpackRest,
  Unpacker,
} from '../../../src/index/format/record-block.ts';
import {
  documentoJson,
  openFrame,
  resumoJson,
  rowOf,
  splitRecord,
} from '../../../src/index/format/record.ts';
import { runs } from '../../support/runs.ts';

const awkward = fc.constantFrom(
  '',
  'null',
  '""',
  '"',
  '\\',
  '\u001e\u001f\n',
  '+a',
  '=a',
  ',"ementa":',
  '},"orgao_julgador":null',
  '\ud83d',
  '𝒙 “…”',
);
const string = fc.oneof(fc.string({ unit: 'binary', maxLength: 30 }), awkward);
const text = fc.option(string, { nil: null });
const list = fc.option(fc.array(string, { maxLength: 3 }), { nil: null });
const cut = fc.integer({ min: 0, max: 20 });

const decision = fc
  .record({
    shared: fc.record({
      fonte: string,
      tipo: fc.constantFrom(...TIPOS),
      processo: text,
      classe: fc.record({ sigla: text, descricao: text }, { noNullPrototype: true }),
      orgao_julgador: text,
      relator: text,
      data_julgamento: fc.constantFrom(null, '2020-02-29'),
      data_publicacao: fc.constantFrom(null, '1999-12-31'),
      ementa_status: fc.constantFrom(...STATUS_EMENTA),
    }),
    rest: fc.record({
      redator: text,
      ementa: text,
      tese: text,
      dispositivo: text,
      inteiro_teor: fc.record({
        existe_na_origem: fc.constantFrom(null, true, false),
        caracteres: fc.constantFrom(null, 0, 12_345),
      }),
      citacao: text,
      legislacao_citada: list,
      temas: list,
      extras: fc.dictionary(string, fc.jsonValue(), { noNullPrototype: true }),
    }),
    cut,
    other: text,
  })
  .map(({ shared, rest, cut: end, other }) => ({
    // Most excerpts are where the ementa begins, and the format holds others too.
    resumo: JSON.stringify({
      ...shared,
      trecho_da_ementa: end === 0 ? other : (rest.ementa?.slice(0, end) ?? null),
    }),
    documento: JSON.stringify({ ...shared, ...rest }),
  }));

const withBase = (json: string) => `,"base":"stj",${json.slice(1)}`;

test('a record comes back from what is stored of it as the JSON text that it was', () => {
  fc.assert(
    fc.property(decision, fc.constantFrom(0, 7), ({ resumo, documento }, number) => {
      const record = splitRecord('stj', withBase(resumo), withBase(documento));
      const row = rowOf(record, number);
      const frameOf = () => openFrame('stj', record.frame);
      expect(resumoJson('stj', 5, row, frameOf)).toBe(`{"id":"stj:5"${withBase(resumo)}`);
      expect(documentoJson('stj', 5, row, record.rest, frameOf)).toBe(`{"id":"stj:5"${withBase(documento)}`);
    }),
    { numRuns: runs(500) },
  );
});

test('a record whose Resumo says something else of it is not stored', () => {
  const json = (fonte: string) =>
    `,"base":"stj","fonte":"${fonte}","tipo":"sumula","processo":null,"classe":{"sigla":null,"descricao":null},` +
    '"orgao_julgador":null,"relator":null,"data_julgamento":null,"data_publicacao":null,"ementa_status":"ausente"';
  const resumo = `${json('STJ')},"trecho_da_ementa":null}`;
  const documento =
    `${json('STF')},"redator":null,"ementa":null,"tese":null,"dispositivo":null,` +
    '"inteiro_teor":{"existe_na_origem":null,"caracteres":null},"citacao":null,"legislacao_citada":null,"temas":null,"extras":{}}';
  expect(() => splitRecord('stj', resumo, documento)).toThrow('not that of its record');
});

test('the rests of a block come back, all or one, with a dictionary and without', () => {
  // Frames say the size of their content in one byte, two or four.
  const long = fc.constantFrom(2_000, 30_000).map((times) => 'voto '.repeat(times));
  const rest = fc.oneof({ weight: 9, arbitrary: fc.string({ unit: 'grapheme', maxLength: 200 }) }, long);
  const rests = fc.array(rest, { minLength: 1, maxLength: RECORDS_PER_BLOCK });
  fc.assert(
    fc.property(rests, fc.boolean(), (given, hasDictionary) => {
      const bytes = dictionaryFrom([...given, 'dano moral configurado', ...given]);
      const block = packBlock(given, hasDictionary ? { id: 300, bytes } : null);
      const unpackerOf = (id: number) => {
        expect(id).toBe(300);
        return new Unpacker(bytes);
      };
      expect(unpackBlock(block, unpackerOf)).toEqual(given);
      expect(given.map((_, place) => unpackRest(block, place, unpackerOf))).toEqual(given);
    }),
    { numRuns: runs(100) },
  );
});
