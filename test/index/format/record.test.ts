import fc from 'fast-check';
import { expect, test } from 'vitest';
import { STATUS_EMENTA, TIPOS } from '../../../src/contract/vocabulary.ts';
import {
  RECORDS_PER_BLOCK,
  OpenBlock,
  dictionaryFrom,
  WaitingRest,
  unpackBlock,
  unpackRest,
  Unpacker,
} from '../../../src/index/format/record-block.ts';
import {
  documentoJson,
  caseNumbersIn,
  openFrame,
  resumoJson,
  recordJson,
  rowOf,
  storedRecord,
} from '../../../src/index/format/record.ts';
import { utf8 } from '../../../src/index/format/bytes.ts';

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
  .map(({ shared, rest: { extras, ...rest }, cut: end, other }) => ({
    shared,
    rest,
    extras: JSON.stringify(extras),
    // Most excerpts are where the ementa begins, and the format holds others too.
    excerpt: end === 0 ? other : (rest.ementa?.slice(0, end) ?? null),
  }));

test('a stored record is read as the JSON texts of both objects', () => {
  fc.assert(
    fc.property(decision, list, ({ shared, rest, extras, excerpt }, caseNumbers) => {
      const record = storedRecord({ ...shared, ...rest }, excerpt, extras, caseNumbers ?? []);
      const known = { id: 'stj:5', base: 'stj', ...shared };
      const resumo = JSON.stringify({ ...known, trecho_da_ementa: excerpt });
      const documento = `${JSON.stringify({ ...known, ...rest }).slice(0, -1)},"extras":${extras}}`;
      expect(recordJson('stj', 5, record)).toEqual({ resumo, documento });
      expect(caseNumbersIn(utf8(record.rest))).toEqual(caseNumbers ?? []);
      const row = rowOf(record, 7);
      const frameOf = () => openFrame('stj', record.frame);
      expect(resumoJson('stj', 5, row, frameOf)).toBe(resumo);
      expect(documentoJson('stj', 5, row, utf8(record.rest), frameOf)).toBe(documento);
    }),
    { numRuns: 500 },
  );
});

test('the record rests of a block are read, all or one, with and without a dictionary', () => {
  // Frames say the size of their content in one byte, two or four.
  const long = fc.constantFrom(2_000, 30_000).map((times) => 'voto '.repeat(times));
  const rest = fc.oneof({ weight: 9, arbitrary: fc.string({ unit: 'grapheme', maxLength: 200 }) }, long);
  const rests = fc.array(rest, { minLength: 1, maxLength: RECORDS_PER_BLOCK });
  fc.assert(
    fc.property(rests, fc.boolean(), (given, hasDictionary) => {
      const stored = given.map((one) => Buffer.from(one));
      const sample = [...stored, Buffer.from('dano moral configurado'), ...stored];
      const made = dictionaryFrom(300, new Map(sample.entries()));
      const unpackerOf = (id: number) => {
        expect(id).toBe(300);
        return new Unpacker(made.bytes);
      };
      const open = new OpenBlock(null, unpackerOf);
      for (const [at, one] of stored.entries()) open.put(at, new WaitingRest(one));
      const dictionary = hasDictionary ? made : null;
      const block = open.pack(dictionary);
      expect(unpackBlock(block, unpackerOf).map(utf8)).toEqual(given);
      // Opened again, one rest is replaced; packed as before, and with another dictionary.
      const again = new OpenBlock(block, unpackerOf);
      const at = given.length - 1;
      again.put(at, new WaitingRest(Buffer.from('outro')));
      for (const other of [dictionary, hasDictionary ? null : made])
        expect(unpackBlock(again.pack(other), unpackerOf).map(utf8)).toEqual(given.with(at, 'outro'));
      expect(given.map((_, place) => utf8(unpackRest(block, place, unpackerOf)))).toEqual(given);
    }),
    { numRuns: 100 },
  );
});

test('a long record rest is buffered in a tenth of its size', () => {
  const rest = Buffer.from('voto do relator, vencido '.repeat(100_000));
  const waiting = new WaitingRest(rest);
  expect(waiting.bytesHeld).toBeLessThan(rest.length / 10);
  expect(Buffer.from(waiting.bytes()).equals(rest)).toBe(true);
});

test('a buffered short rest does not keep the larger text that it is cut from', () => {
  const long = new Uint8Array(1 << 20).fill(0x61);
  const waiting = new WaitingRest(long.subarray(0, 100));
  long.fill(0x62);
  expect(waiting.bytes()).toEqual(Buffer.from('a'.repeat(100)));
});
