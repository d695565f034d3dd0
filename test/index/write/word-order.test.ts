import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { tokens } from '../../../src/index/format/tokens.ts';
import { Handler } from '../../../workers/handler.ts';
import { damagesOf, listsIn } from '../../support/index-content.ts';
import { searchFor, searched } from '../../support/requests.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';
import { SecondReader } from '../second-reader.ts';

/** Where UTF-16 and UTF-8 part ways: before the surrogates, what lies between them and U+FFFF, and all planes after it. */
const RANGES = [
  ['a', 'e'],
  ['\u00e0', '\u00ff'],
  ['\u4e00', '\u4e10'],
  ['\ud790', '\ud7ff'],
  ['\ue000', '\ue010'],
  ['\uf8f0', '\ufb06'],
  ['\uff21', '\uff3a'],
  ['\ufff0', '\uffff'],
  ['\u{10000}', '\u{10020}'],
  ['\u{1d504}', '\u{1d51c}'],
  ['\u{20000}', '\u{20010}'],
  ['\u{e0100}', '\u{e0110}'],
  ['\u{f0000}', '\u{f0010}'],
  ['\u{10ffe0}', '\u{10ffff}'],
] as const;
const character = fc
  .oneof(
    ...RANGES.map(([from, to]) => fc.integer({ min: from.codePointAt(0) ?? 0, max: to.codePointAt(0) ?? 0 })),
  )
  .map((code) => String.fromCodePoint(code));
const word = fc.string({ unit: character, minLength: 1, maxLength: 6 });
/** The words of each decision of three loads. */
const wordsOfLoads = fc.tuple(
  ...[1, 2, 3].map(() => fc.array(fc.array(word, { maxLength: 80 }), { minLength: 1, maxLength: 4 })),
);

/** A folder with what each load holds, and what is found there of a query: the matches, and whether its word is absent. */
function loaded(loads: readonly ReadonlyMap<string, string>[]) {
  const folder = temporaryFolder();
  for (const load of loads) {
    loadLines(
      folder,
      'stj',
      Array.from(load, ([chave, ementa]) => ({ tipo: 'acordao', chave, ementa })),
    );
  }
  const file = baseFile(folder, 'stj');
  const handler = new Handler(file, 'stj');
  const found = (q: string) => {
    const { doc_ids, absent } = searched(handler, searchFor(q));
    return { doc_ids: doc_ids.toReversed(), isAbsent: absent !== undefined };
  };
  const close = () => {
    handler.close();
    rmSync(folder, { recursive: true });
  };
  return { file, found, close };
}

test('words of all planes are ordered by bytes over three loads, and found by prefix', () => {
  fc.assert(
    fc.property(wordsOfLoads, (words) => {
      // The first one of each load replaces that of the load before.
      const ementas = words.map(
        (load, at) =>
          new Map(load.map((of, place) => [place === 0 ? 'first' : `${at}-${place}`, of.join(' ')])),
      );
      const { file, found, close } = loaded(ementas);
      const byKey = new Map(ementas.flatMap((load) => Array.from(load)));
      const texts = Array.from(byKey.values(), tokens);
      const holding = (holds: (token: string) => boolean) =>
        texts.flatMap((text, at) => (text.some(holds) ? [at + 1] : []));
      const all = new Set(texts.flat());

      expect(damagesOf(file, 'stj')).toEqual([]);
      expect(new Set(listsIn(file, 'stj').keys())).toEqual(all);
      const second = new SecondReader(file);
      for (const token of all) {
        const doc_ids = holding((one) => one === token);
        expect({ token, ...found(token) }).toEqual({ token, doc_ids, isAbsent: false });
        expect(second.impactOf(token, doc_ids[0] ?? 0)).toBeGreaterThan(0);
      }
      for (const start of new Set(Array.from(all, ([letter = '']) => letter))) {
        const doc_ids = holding((one) => one.startsWith(start));
        expect({ start, ...found(`${start}*`) }).toEqual({ start, doc_ids, isAbsent: false });
      }
      second.close();
      close();
    }),
    { numRuns: 10, endOnFailure: true },
  );
});

test('more such words than fit a dictionary row are loaded three times', () => {
  const wordsOf = (letter: string) => Array.from({ length: 600 }, (_, at) => `${letter}${at}`).join(' ');
  const loads = ['', 'x', 'y'].map(
    (end) => new Map(['ﬁm', '𝔄'].map((start) => [start + end, wordsOf(start + end)])),
  );
  const { file, found, close } = loaded(loads);
  expect(damagesOf(file, 'stj')).toEqual([]);
  expect(found('ﬁmx59*').doc_ids).toEqual([3]);
  close();
});
