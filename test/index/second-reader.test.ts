import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TIPO_NO_ARQUIVO, TRIBUNAL_NO_ARQUIVO } from '../../src/contract/catalog.ts';
import type { DocFilter } from '../../src/engine/messages.ts';
import { baseFile, dateCode } from '../../src/index/format/schema.ts';
import { tokens } from '../../src/index/format/tokens.ts';
import { demoLines } from '../../src/tools/demo/generate.ts';
import { Rng } from '../../src/tools/demo/rng.ts';
import { Handler } from '../../workers/handler.ts';
import { readOf, searched, searchFor, textOf } from '../support/requests.ts';
import { loadLines, temporaryFolder, type Line } from '../support/service.ts';
import { SecondReader } from './second-reader.ts';

const QUERIES = 200;
/** Enough that lists of all forms are among them. */
const DECISIONS = 4_600;
/** Document frequencies above which a list's form changes (FORMAT.md has these numbers). */
const LIMITS = [1, 64, 128, 512, 4_096].flatMap((limit) => [limit, limit + 1]);

const folder = temporaryFolder();
let texts: readonly (readonly string[])[];
let second: SecondReader;
let handler: Handler;
beforeAll(() => {
  const lines = [...demoLines('stj', DECISIONS, 3)].map((line, at) => {
    const words = LIMITS.filter((limit) => at < limit).map((limit) => `limite${limit}`);
    return Object.assign(JSON.parse(line) as Line, { dispositivo: words.join(' ') });
  });
  // In more than one transaction, and some again with other texts.
  loadLines(folder, 'stj', lines.slice(0, 3_000));
  loadLines(folder, 'stj', lines.slice(3_000));
  for (const at of [3, 700, 4_000]) {
    loadLines(folder, 'stj', [{ ...lines[at]!, ementa: 'dano moral que foi substituído' }]);
  }
  texts = lines.map(
    (line) =>
      ((line as { ementa?: string }).ementa ?? 'sem ementa alguma nem texto').match(/[a-zà-úA-ZÀ-Ú]{2,}/gu) ??
      [],
  );
  const file = baseFile(folder, 'stj');
  second = new SecondReader(file);
  handler = new Handler(file, 'stj');
});
afterAll(() => {
  second.close();
  handler.close();
});

/** Of words of one decision. */
function queryOf(rng: Rng): string {
  const text = rng.pick(texts.filter((words) => words.length > 12));
  const from = rng.below(text.length - 5);
  const [a = '', b = '', c = ''] = text.slice(from, from + 3).map((word) => word.toLowerCase());
  const cut = a.slice(0, rng.between(2, 5));
  return rng.pick([
    `${a} ${c}`,
    `"${a} ${b}"`,
    `"${a} ${b} ${c}"`,
    `"${b} ${c}" NOT ${a}`,
    `${cut}* AND "${c}"`,
    `"${b}" + "${c.slice(0, 3)}" *`,
    `NEAR("${c}" "${a}", ${rng.between(0, 4)})`,
    `NEAR("${a} ${b}" "${c}")`,
    `ementa : "${a}" AND (- ementa : "${b}" OR "${c}")`,
    `^ "${text[0]?.toLowerCase()}" OR tese : "${a}"`,
  ]);
}

test('a reader written from FORMAT.md gives the same answers', () => {
  const rng = new Rng(8);
  let matches = 0;
  for (let at = 0; at < QUERIES; at += 1) {
    const q = queryOf(rng);
    for (const ordem of ['recentes', 'relevancia'] as const) {
      const request = searchFor(q, { ordem, doc_ids_max: DECISIONS });
      const { doc_ids } = searched(handler, request);
      const expected = second.search(request.tree, request.terms, ordem);
      expect({ q, ordem, doc_ids }).toEqual({ q, ordem, doc_ids: expected });
      matches += doc_ids.length;
    }
  }
  expect(matches).toBeGreaterThan(10 * QUERIES);
}, 120_000);

test('a reader written from FORMAT.md filters alike', () => {
  const lines = [...demoLines('eproc', 600, 4)].map((line, at) =>
    Object.assign(JSON.parse(line) as Line, at % 9 === 0 ? { data_julgamento: null } : {}),
  );
  loadLines(folder, 'eproc', lines);
  const file = baseFile(folder, 'eproc');
  const ours = new Handler(file, 'eproc');
  const other = new SecondReader(file);
  // Days of judgment that the base has, for both ends count; and each filter several times, from the thread's cache too.
  const judged = lines.flatMap(({ data_julgamento: day }) =>
    typeof day === 'string' ? [dateCode(day)] : [],
  );
  const inOrder = judged.toSorted((a, b) => a - b);
  const days = [null, inOrder[150] ?? 0, inOrder[400] ?? 0];
  const filters = [null, ['tnu'], ['trf6'], ['tnu', 'trf6']].flatMap((tribunais) =>
    ([null, 'acordao', 'decisao_monocratica', 'sumula'] as const).flatMap((tipo) =>
      days.flatMap((judged_from) =>
        days.map((judged_to) => ({ tribunais, tipo, judged_from, judged_to }) as DocFilter),
      ),
    ),
  );
  const sizes = new Set<number>();
  for (const filter of [...filters, ...filters]) {
    const request = searchFor('recurso OR direito', { filter });
    const found = searched(ours, request);
    const all = other.search(request.tree, request.terms, 'recentes');
    const doc_ids = all.filter((number) => other.keeps(number, filter));
    expect({ filter, doc_ids }).toEqual({ filter, doc_ids: found.doc_ids });
    sizes.add(doc_ids.length);
  }
  expect(sizes.size).toBeGreaterThan(20);
  other.close();
  ours.close();
});

test('FORMAT.md has the code of each court and type', () => {
  const page = readFileSync(join(import.meta.dirname, '../../src/index/FORMAT.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (\d+) +\| (?:`(\w+)`)? +\| `(\w+)` +\|$/gmu)];
  const courts = rows.flatMap(([, code, court]) => (court === undefined ? [] : [[court, Number(code)]]));
  expect(Object.fromEntries(courts)).toEqual(TRIBUNAL_NO_ARQUIVO);
  expect(Object.fromEntries(rows.map(([, code, , type]) => [type, Number(code)]))).toEqual(TIPO_NO_ARQUIVO);
});

test('a reader written from FORMAT.md reads lists whose length is at a limit', () => {
  for (const [at, limit] of LIMITS.entries()) {
    // Of two words, so that positions are read too.
    for (const q of [`limite${limit}`, `"limite${limit} limite${LIMITS[at + 1] ?? limit}"`]) {
      const request = searchFor(q, { ordem: 'relevancia', doc_ids_max: DECISIONS });
      const { doc_ids } = searched(handler, request);
      const expected = second.search(request.tree, request.terms, 'relevancia');
      expect({ q, doc_ids }).toEqual({ q, doc_ids: expected });
      if (!q.startsWith('"')) expect({ q, found: doc_ids.length }).toEqual({ q, found: limit });
    }
  }
});

test('the impact of a word in a decision is that of FORMAT.md', () => {
  let looked = 0;
  for (let number = 1; looked < 1_000; number += 1) {
    const documento = second.record(number).documento as Record<string, string | string[] | null>;
    // Without one, the full text was indexed, which is not kept.
    if (documento['ementa'] === null) continue;
    const weights = weightsOf(documento);
    const found = new Map([...weights.keys()].map((word) => [word, second.impactOf(word, number)]));
    expect({ number, weights: found }).toEqual({ number, weights });
    looked += weights.size;
  }
});

/** By the formula of the page. */
function weightsOf(documento: Readonly<Record<string, string | string[] | null>>): Map<string, number> {
  const frequencies = new Map<string, number>();
  let length = 0;
  for (const [column, times] of [
    ['ementa', 1],
    ['tese', 2],
    ['dispositivo', 0.5],
    ['temas', 2],
    ['processo', 3],
  ] as const) {
    for (const word of tokens([documento[column] ?? []].flat().join('\n'))) {
      frequencies.set(word, (frequencies.get(word) ?? 0) + times);
      length += 1;
    }
  }
  const share = 1.2 * (0.25 + (0.75 * length) / 250);
  return new Map(
    [...frequencies].map(([word, tf]) => [word, Math.max(1, Math.round((255 * tf) / (tf + share)))]),
  );
}

test('a reader written from FORMAT.md reads the same records', () => {
  // Before there was a dictionary, with it, replaced ones, and the last block.
  const numbers = [1, 4, 16, 17, 701, 1_024, 1_025, 4_001, DECISIONS - 1, DECISIONS];
  for (const number of numbers) {
    const { resumo, documento } = second.record(number);
    for (const [object, read] of Object.entries({ resumo, documento })) {
      const [outcome] = handler.run([readOf([number], object as 'resumo' | 'documento')]);
      if (outcome?.ok !== true || outcome.value.kind !== 'read') throw new Error(JSON.stringify(outcome));
      // The order of the fields is that of the contract too.
      expect(JSON.stringify(read)).toBe(textOf(outcome.value.rows[0]));
    }
  }
});
