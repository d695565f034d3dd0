import { rmSync } from 'node:fs';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { demoLines } from '../../src/tools/demo/generate.ts';
import { Rng } from '../../src/tools/demo/rng.ts';
import { Handler } from '../../workers/handler.ts';
import { readOf, searchFor } from '../support/requests.ts';
import { loadLines, temporaryFolder, type Line } from '../support/service.ts';
import { SecondReader } from './second-reader.ts';
import { runs } from '../support/runs.ts';

const QUERIES = runs(200);
/** Enough that lists of all forms are among them. */
const DECISIONS = 4_600;

let folder: string;
let texts: readonly (readonly string[])[];
beforeAll(() => {
  folder = temporaryFolder();
  const lines = [...demoLines('stj', DECISIONS, 3)].map((line) => JSON.parse(line) as Line);
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
});
afterAll(() => {
  rmSync(folder, { recursive: true });
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

test('a reader made from the page about the format gives the same answers', () => {
  const file = baseFile(folder, 'stj');
  const second = new SecondReader(file);
  const handler = new Handler(file, 'stj');
  const rng = new Rng(8);
  let matches = 0;
  for (let at = 0; at < QUERIES; at += 1) {
    const q = queryOf(rng);
    for (const ordem of ['recentes', 'relevancia'] as const) {
      const request = searchFor(q, { ordem, numeros_max: DECISIONS });
      const [outcome] = handler.run([request]);
      if (outcome?.ok !== true || outcome.value.kind !== 'search') throw new Error(JSON.stringify(outcome));
      const { numeros } = outcome.value;
      expect({ q, ordem, numeros: second.search(request.tree, request.termos, ordem) }).toEqual({
        q,
        ordem,
        numeros,
      });
      matches += numeros.length;
    }
  }
  expect(matches).toBeGreaterThan(10 * QUERIES);
  second.close();
  handler.close();
}, 120_000);

test('a reader made from the page about the format finds the same records', () => {
  const file = baseFile(folder, 'stj');
  const second = new SecondReader(file);
  const handler = new Handler(file, 'stj');
  // Before there was a dictionary, with it, replaced ones, and the last block.
  const numbers = [1, 4, 16, 17, 701, 1_024, 1_025, 4_001, DECISIONS - 1, DECISIONS];
  for (const number of numbers) {
    const { resumo, documento } = second.record(number);
    for (const [tabela, read] of Object.entries({ resumo, documento })) {
      const [outcome] = handler.run([readOf([number], tabela as 'resumo' | 'documento')]);
      if (outcome?.ok !== true || outcome.value.kind !== 'read') throw new Error(JSON.stringify(outcome));
      // The order of the fields is that of the contract too.
      expect(JSON.stringify(read)).toBe(outcome.value.linhas[0]);
    }
  }
  second.close();
  handler.close();
});
