import { describe, expect, test } from 'vitest';
import { DEPTH_MAX, VALUES_MAX, WORD_BOUNDS, checkJson } from '../../src/ingest/bounds.ts';
import { Damaged } from '../../src/ingest/damaged.ts';
import { eprocHtml } from '../../src/ingest/formats/eproc-html.ts';
import type { Formato } from '../../src/ingest/formats/format.ts';
import { stjEspelhos } from '../../src/ingest/formats/stj-espelhos.ts';
import { tjmgJson } from '../../src/ingest/formats/tjmg-json.ts';
import { RecordMaker } from '../../src/ingest/record-maker.ts';
import { LAST, read } from './formats/support.ts';

const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
/** A list of so many values, itself counted. */
const list = (values: number) => `[${Array.from({ length: values - 1 }, () => '{}').join()}]`;

describe('a JSON text', () => {
  test('may nest 512 levels and no more', () => {
    expect(() => checkJson(nested(DEPTH_MAX))).not.toThrow();
    expect(() => checkJson(nested(DEPTH_MAX + 1))).toThrow('nested deeper than 512');
    expect(() => checkJson(`[${`${nested(DEPTH_MAX - 1)},`.repeat(100)}0]`)).not.toThrow();
  });

  test('may hold 100,000 values, and no more', () => {
    const values = [() => '{}', () => '1.5', () => '"a,b"', () => 'null'];
    const members = Array.from({ length: VALUES_MAX }, (_, at) => `"k${at}" : ${values[at % 4]?.()}`);
    for (const rows of [members, members.map((member) => member.replace(/^.* : /u, ''))]) {
      const text = (count: number) => {
        const inside = rows.slice(0, count - 1).join();
        return rows === members ? `{${inside}}` : `[${inside}]`;
      };
      expect(() => checkJson(text(VALUES_MAX))).not.toThrow();
      expect(() => checkJson(text(VALUES_MAX + 1))).toThrow('more than 100000 values');
    }
    expect(() => checkJson(list(VALUES_MAX))).not.toThrow();
    expect(() => checkJson(list(VALUES_MAX + 1))).toThrow('more than 100000 values');
  });

  test('may hold anything in its strings', () => {
    const text = `\\"${'[{,'.repeat(VALUES_MAX)}\\\\`;
    expect(() => checkJson(`{"a":"${text}","b":"${text}"}`)).not.toThrow();
    expect(() => checkJson(`{"a":"${text}","b":${nested(DEPTH_MAX)}}`)).toThrow('nested deeper');
  });
});

describe('a record', () => {
  const recordOf = (values: number) =>
    `{"id":"1","ementa":"Boa.","numeroRegistro":"1","x":${list(values - 4)}}`;

  test('may hold 100,000 values, however many the file holds', async () => {
    const { documentos } = await read(
      stjEspelhos,
      'stj',
      `[${recordOf(VALUES_MAX - 1)},${recordOf(VALUES_MAX)}]`,
    );
    expect(documentos).toHaveLength(2);
    const beyond = read(stjEspelhos, 'stj', `[${recordOf(1_000)},${recordOf(VALUES_MAX + 1)}]`);
    await expect(beyond).rejects.toThrow('more than 100000 values');
  });
});

describe('a record beyond a bound', () => {
  const before = '{"id":"1","numeroRegistro":"1","ementa":"Boa."}';
  const CASES: readonly (readonly [string, Formato, string, string, string])[] = [
    ['arrays without an end', stjEspelhos, `[${before},${'['.repeat(1_000_000)}`, 'deeper', 'after record 1'],
    ['50,000 arrays', stjEspelhos, `[${before},{"x":${nested(50_000)}}]`, 'deeper', 'after record 1'],
    ['objects', stjEspelhos, `[${before},{"x":${list(200_000)}}]`, 'values', 'after record 1'],
    [
      'objects next to the list',
      tjmgJson,
      `{"x":${list(200_000)},"jurisprudencias":[]}`,
      'values',
      'before the first',
    ],
    ['unclosed elements', eprocHtml, card('<i>'.repeat(20_000)), 'deeper', 'after result 1'],
    ['elements', eprocHtml, card('<i></i>'.repeat(200_000)), 'values', 'after result 1'],
    ['attributes', eprocHtml, card(`<i ${attributes(200_000)}></i>`), 'values', 'after result 1'],
    [
      'unclosed elements of a page',
      eprocHtml,
      `<html>${'<i>'.repeat(20_000)}</html>`,
      'deeper',
      'before the first',
    ],
  ];
  test.each(CASES)('in its %s is damage, with its place', async (_, format, text, reason, place) => {
    const reading = read(format, 'stj', text, [], 10_000);
    await expect(reading).rejects.toThrow(reason);
    await expect(reading).rejects.toThrow(Damaged);
    await expect(reading).rejects.toMatchObject({ place: expect.stringContaining(place) as string });
  });

  test('in the HTML of one of its texts is rejected, and the others are loaded', async () => {
    const texts = ['<b>a</i>'.repeat(80_000), `<p>Recurso provido</p>${'<p>x</p>'.repeat(1_000)}`];
    const records = texts.map((ementa, at) => ({ id: String(at), ementa }));
    const { rejects, documentos } = await read(
      tjmgJson,
      'tjmg',
      JSON.stringify({ jurisprudencias: records }),
      [],
      100_000,
    );
    expect(rejects).toEqual(['record 1: nested deeper than 512']);
    expect(documentos).toHaveLength(1);
  });
});

describe('a canonical line beyond a bound', () => {
  const words = (count: number) => Array.from({ length: count }, (_, at) => `p${at}`).join(' ');
  const line = (fields: object) => JSON.stringify({ tipo: 'acordao', ...fields });
  const good = line({ chave: 'b', ementa: 'Recurso provido.' });

  test.each([
    ['depth', `{"tipo":"acordao","extras":{"x":${nested(50_000)}}}`, 'nested deeper than 512'],
    ['values', `{"tipo":"acordao","extras":{"x":${list(200_000)}}}`, 'more than 100000 values in a record'],
    ['depth, and no JSON', '{"a":'.repeat(100_000), 'nested deeper than 512'],
    ['words', line({ texto: words(WORD_BOUNDS.words + 1) }), 'more than 200000 different words'],
    [
      'a word',
      line({ texto: '0'.repeat(WORD_BOUNDS.wordLength + 1) }),
      'a word of more than 10000 characters',
    ],
  ])('of %s is rejected, without effect on later lines', (_, bad, reason) => {
    const maker = new RecordMaker('stj');
    const alone = new RecordMaker('stj');
    const batch = { cut: [], last: LAST };
    const { items } = maker.recordsOf({ ...batch, lines: [bad, good] });
    const [expected] = alone.recordsOf({ ...batch, lines: [good] }).items;
    expect(items[0]).toBe(reason);
    // The numbers of words go on from those of what was rejected.
    expect({ ...(items[1] as object), lists: null }).toEqual({ ...(expected as object), lists: null });
  });

  test('is not a line within the bound, whatever the lines before it held', () => {
    const lines = [
      line({ texto: words(WORD_BOUNDS.words) }),
      line({ texto: `${'0'.repeat(WORD_BOUNDS.wordLength)} ${words(50)} `.repeat(100) }),
    ];
    const { items } = new RecordMaker('stj').recordsOf({ lines, cut: [], last: LAST });
    expect(items.map((item) => typeof item)).toEqual(['object', 'object']);
  });
});

function card(content: string): string {
  const one = (at: number, inside: string) =>
    `<div class="resultadoItem"><div id="resultado${at}">${inside}</div></div>`;
  return `<html>${one(1, '')}${one(2, content)}</html>`;
}

function attributes(count: number): string {
  return Array.from({ length: count }, (_, at) => `a${at}="${at}"`).join(' ');
}
