import { gzipSync } from 'node:zlib';
import { zipSync } from 'fflate';
import { describe, expect, test } from 'vitest';
import { Damaged } from '../../src/ingest/damaged.ts';
import { JsonWords } from '../../src/ingest/json-words.ts';
import { trt3Falcao } from '../../src/ingest/formats/trt3-falcao.ts';
import { EVERY_FORMAT } from './formats/every.ts';
import { read } from './formats/support.ts';
import { ingesting } from './support-ingest.ts';

const { file, load } = ingesting();
const NAMES = EVERY_FORMAT.map((every) => [every.format.name, every] as const);
const JSON_COURTS = NAMES.slice(1, 6);
const ONE_ADDED = {
  exitCode: 0,
  out: expect.stringContaining('1 added, 0 replaced, 0 unchanged, 0 rejected'),
};

const utf16 = (text: string) => Buffer.from(text, 'utf16le');
const UTF16: readonly (readonly [string, (text: string) => Buffer])[] = [
  ['LE with a mark', (text) => utf16(`\ufeff${text}`)],
  ['LE without one', utf16],
  ['BE with a mark', (text) => utf16(`\ufeff${text}`).swap16()],
  ['BE without one', (text) => utf16(text).swap16()],
];

describe.each(NAMES)('%s', (_, { base, text }) => {
  test.each(UTF16)('in %s is read, plain, in gzip and in zip', async (name, encode) => {
    const bytes = encode(text({ ementa: 'Decisão sobre o 🦜.', relator: 'Fulana' }).replaceAll('\n', '\r\n'));
    expect(await load(base, [file('a', bytes)])).toMatchObject(ONE_ADDED);
    const packed = [file('b', gzipSync(bytes)), file('c', zipSync({ 'x.json': bytes }))];
    const { out } = await load(base, packed, { strict: true });
    // The same decision, whose letters came through.
    expect(out, name).toContain('0 added, 0 replaced, 2 unchanged');
    expect((await load(base, [file('d', bytes)], { dryRun: true })).out).toContain('Decisão sobre o 🦜.');
  });
});

describe.each(JSON_COURTS)('%s', (_, { format, base, text }) => {
  const answer = text({ ementa: 'Decisão do urutau.', relator: 'Fulana' });
  const value = JSON.parse(answer) as Record<string, never>;
  const list = (
    Array.isArray(value)
      ? value
      : (value['registros'] ??
        value['jurisprudencias'] ??
        value['documentos'] ??
        value['result']!['hits']['hits'])
  ) as object[];
  const record =
    Object.values(list[0]!).find((one) => typeof one === 'object' && 'id' in (one as object)) ?? list[0]!;

  test.each([
    ['indented', JSON.stringify(value, null, 2)],
    ['a bare list', JSON.stringify(list)],
    ['a bare record', JSON.stringify(record)],
    ['a bare record over many lines', JSON.stringify(record, null, 2)],
    ['a list of bare records', JSON.stringify([record], null, 1)],
    ['a list of pages', JSON.stringify(Array.isArray(value) ? value : [value])],
  ])('%s is loaded', async (__, content) => {
    expect(await load(base, [file('x.json', content)])).toMatchObject(ONE_ADDED);
    expect(await load(base, [file('y.json', content)], { from: format.name })).toMatchObject({ exitCode: 0 });
  });

  test('all records are read, one after another or in a list of pages', async () => {
    expect(
      (await read(format, base, `${JSON.stringify(record)}\n${JSON.stringify(record)}`)).documentos,
    ).toHaveLength(2);
    if (!Array.isArray(value))
      expect((await read(format, base, JSON.stringify([value, value]))).documentos).toHaveLength(2);
  });

  test.each(['{"message":"x"}', '[{"message":"x"}]', '{"id":1}'])(
    '%s in its place is damaged',
    async (content) => {
      await expect(read(format, base, content)).rejects.toThrow(Damaged);
    },
  );

  test('values that are not JSON are null, or Python’s values', async () => {
    for (const word of ['NaN', '-Infinity', 'Infinity', 'undefined', 'None', 'nan']) {
      const content = answer.replace('"Fulana"', word);
      expect((await read(format, base, content, [], 7)).documentos[0]).toMatchObject({ relator: null });
    }
    const content = text({ ementa: 'E', more: { novo: 'AQUI', velho: 'ALI' } });
    const { documentos } = await read(
      format,
      base,
      content.replace('"AQUI"', 'True').replace('"ALI"', 'False'),
    );
    expect(documentos[0]!.extras).toMatchObject({ novo: true, velho: false });
  });

  test('any other word is one message with its place and field', async () => {
    const content = answer.replace('"Fulana"', 'N/A');
    const { err } = await load(base, [file('x.json', content)]);
    expect(err).toMatch(
      /x\.json: broken JSON: \w+ is N\/A, which is not JSON; write null or a text \(before the first record\)/u,
    );
  });
});

test('a page of errors among pages is damaged', async () => {
  const pages = '{"quantidadeTotal":1,"documentos":[]}{"message":"x"}';
  await expect(read(trt3Falcao, 'trt3', pages)).rejects.toThrow('page 2 has no list of records');
});

describe('canonical lines', () => {
  const LINE = { chave: '1', tipo: 'acordao', ementa: 'Decisão do urutau.' };

  test.each([
    ['an indented one', JSON.stringify(LINE, null, 2), 'jq -c .'],
    [
      'several indented ones',
      `${JSON.stringify(LINE, null, 2)}\n${JSON.stringify(LINE, null, '\t')}`,
      'jq -c .',
    ],
    ['a list', JSON.stringify([LINE]), "jq -c '.[]'"],
    ['an indented list', JSON.stringify([LINE], null, 2), "jq -c '.[]'"],
    ['a list, a record a line', `[${JSON.stringify(LINE)},\n${JSON.stringify(LINE)}]`, "jq -c '.[]'"],
  ])('%s is one message with the mend', async (_, content, mend) => {
    for (const options of [{}, { from: 'jsonl' }]) {
      const { exitCode, out, err } = await load('stj', [file('x.jsonl', content)], options);
      expect(exitCode).toBe(1);
      expect(out).toContain('0 added, 0 replaced, 0 unchanged, 1 rejected');
      expect(err).toContain(`not one decision a line; convert it with ${mend}`);
    }
  });

  test('with values that are not JSON are loaded, with null in extras', async () => {
    const line = '{"chave":"1","tipo":"acordao","relator":NaN,"extras":{"a":None,"b":True,"c":1.0}}\n';
    expect(await load('stj', [file('x.jsonl', line)])).toMatchObject(ONE_ADDED);
    const { documentos } = await read(EVERY_FORMAT[0]!.format, 'stj', line);
    expect(documentos[0]).toMatchObject({ relator: null, extras: { a: null, b: true, c: 1 } });
  });

  test.each([
    [
      '{"tipo":"acordao","relator":N/A}',
      'not valid JSON: relator is N/A, which is not JSON; write null or a text',
    ],
    ['relator nenhum', 'not valid JSON: the word relator is not JSON; write null or a text'],
    ["{'tipo':'acordao'}", 'not valid JSON: quotes of Python and not of JSON; write it with json.dumps'],
  ])('%s is rejected with the mend', async (line, reason) => {
    expect((await read(EVERY_FORMAT[0]!.format, 'stj', line)).rejects).toEqual([`1: ${reason}`]);
  });
});

test('Python’s output is named as such', async () => {
  const { err } = await load('tst', [file('x.json', "{'registros': [{'registro': {}}]}")]);
  expect(err).toContain('a printed Python object, not JSON (write it with json.dumps)');
});

test.each([
  [
    'trt3',
    { quantidadeTotal: 1, documentos: [{ id: '1', numeroProcesso: '1', siglaClasse: 'ROT', ementa: 'E' }] },
  ],
  [
    'tjmg',
    { jurisprudencias: [{ id: '1', siglaClasse: 'AC', numeroProcesso: '1', ementa: 'E', comarca: 'X' }] },
  ],
] as const)('an answer of %s with a field of another format is still recognised', async (base, answer) => {
  expect(await load(base, [file('x.json', JSON.stringify(answer))])).toMatchObject(ONE_ADDED);
});

test('a word cut between chunks is one word, and strings stay unchanged', () => {
  const json = String.raw`{"a":NaN,"NaN \" None":[True,-1.5e3,"None"],"b\\":null}`;
  for (let size = 1; size < json.length; size += 1) {
    const words = new JsonWords();
    let result = '';
    for (let at = 0; at < json.length; at += size) result += words.write(json.slice(at, at + size));
    expect(result + words.end()).toBe(String.raw`{"a":null,"NaN \" None":[true,-1.5e3,"None"],"b\\":null}`);
  }
});
