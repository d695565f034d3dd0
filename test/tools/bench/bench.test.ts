import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import { run, type Finished } from '../../support/run.ts';
import { bePatient } from '../../support/patience.ts';
import { AMPLE_WINDOWS, temporaryFolder } from '../../support/service.ts';
import { needSet } from './data.ts';
import { ANSWERS, FIGURES, headingOf, medianAt, readResults } from './docs.ts';
import { Engine, pageRequest } from './engine.ts';
import { hostileQueries } from './hostile.ts';
import { drawPictures } from './pictures.ts';
import { ONE, fts5Of, queriesOf } from './queries.ts';
import { RawBase } from './raw-base.ts';
import { TABLE_WIDTH, type Finding } from '../measure/report.ts';
import { wordsOf } from '../measure/words.ts';
import { MIX } from './soak-mix.ts';
import { textOf } from '../../support/requests.ts';

const COMMAND = '../test/tools/bench/command.ts';
const DECISIONS = 100;
const QUERIES = 6;
const RELEVANCE = 1_500;
/**
 * Nothing here is about time: a machine with other things to do must not make a base miss its windows. Most of the small
 * form's time is the service's starts, and theirs that of the threads.
 */
const PATIENT = { ...AMPLE_WINDOWS, BASES_THREADS: '1' };

interface Written {
  readonly findings: Readonly<Record<string, Finding>>;
}

bePatient();

describe('bun run bench', () => {
  let folder: string;
  let finished: Finished;
  let written: Written;

  beforeAll(async () => {
    folder = temporaryFolder();
    const json = join(folder, 'figures.json');
    const size = ['--decisions', String(DECISIONS), '--relevance-decisions', String(RELEVANCE)];
    const few = ['--queries', String(QUERIES), '--rounds', '1', '--seconds', '0.03', '--minutes', '0.1'];
    const effort = [...few, '--generator', 'own'];
    const where = ['--data', join(folder, 'data'), '--json', json];
    const docs = join(folder, 'performance.md');
    writeFileSync(docs, '# Performance\n\n<!-- answers:begin -->\n<!-- answers:end -->\n');
    finished = await run(COMMAND, [...size, ...effort, ...where, '--docs', docs], PATIENT);
    expect(finished.err).not.toMatch(/bench:|error/iu);
    written = JSON.parse(readFileSync(json, 'utf8')) as Written;
  });

  const rowsOf = (name: string) => written.findings[name]?.rows ?? [];

  test('measures everything in one run, and exits with 0 for any result', () => {
    expect(finished.exitCode).toBe(0);
    const names =
      'fan-out concurrency cores fairness everyday ingest footprint engines judged load budgets overload soak';
    expect(Object.keys(written.findings).join(' ')).toBe(names);
    expect(finished.out).not.toContain('not measured');
    for (const line of finished.out.split('\n')) expect(line.length).toBeLessThanOrEqual(TABLE_WIDTH);
  });

  test('has a number in every row', () => {
    for (const name of Object.keys(written.findings)) {
      for (const { measure, reached } of rowsOf(name)) {
        expect(reached, measure).not.toMatch(/NaN|Infinity|undefined/u);
        expect(reached, measure).toMatch(/\d|left out|not installed/u);
      }
    }
    // Figures that are not finite are null in JSON; an overload has some, for requests without an answer.
    const others = Object.assign({}, written.findings, { overload: { details: [] } });
    const details = Object.values(others).map((finding) => JSON.stringify(finding.details));
    for (const text of details) expect(text).not.toMatch(/null/u);
  });

  test('answers every hostile query, alone and in a crowd', () => {
    const answers = rowsOf('budgets').filter(({ measure }) => measure === '  answers');
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    const details = written.findings['budgets']?.details as Record<string, unknown[]>;
    expect(details['stj, 1 at once']).toHaveLength(2 * hostileQueries(wordsOf()).length);
  });

  test('soaks with changes of keys and decisions, and finds no broken promise', () => {
    const reached = new Map(rowsOf('soak').map((row) => [row.measure.trim(), row.reached]));
    expect(reached.get('promises broken')).toBe('0');
    for (const name of [...MIX.map((act) => act.name), 'keys', 'load'])
      expect([name, reached.get(name)]).toEqual([name, expect.stringMatching(/^[1-9]/u)]);
    for (const held of ['memory of its own', 'descriptors', 'threads'])
      expect(reached.get(held)).toMatch(/^\d+ to \d+/u);
  });

  test('shows how cost grows, with a figure for every size', () => {
    const [, waits] = rowsOf('everyday');
    expect(waits?.measure).toBe('  median/99th percentile');
    expect(waits?.reached).toMatch(/^[\d.,]+\/[\d.,]+, [\d.,]+\/[\d.,]+ ms$/u);
  });

  test('writes all rows into the results, and answers and plots of usual sizes into the page', () => {
    const results = readResults(join(folder, 'bench/results.md'));
    const headings = Object.keys(written.findings).map((name) => headingOf(name, DECISIONS));
    expect([...results.keys()]).toEqual(headings);
    expect([...results.keys()]).toEqual(expect.arrayContaining(['fan-out, six of 100', 'everyday']));
    for (const { head } of results.values())
      expect(head).toMatch(/^Version \d+\.\d+\.\d+.*, on \d+ cores .*load generator: own\.$/u);
    const page = readFileSync(join(folder, 'performance.md'), 'utf8');
    expect(page.match(/^### .*$/gmu)).toEqual(['### How does it grow?']);
    expect(page.match(/\(bench\/.*\.svg\)/gu)).toEqual(['(bench/growth.svg)']);
    expect(existsSync(join(folder, 'bench/growth.svg'))).toBe(true);
    // Nothing was measured on six bases of a usual size.
    const rows = page.match(/^\| .* \| \d+\.\d+\.\d+, \d{4}-\d\d-\d\d +\|$/gmu) ?? [];
    expect(rows).toHaveLength(4);
  });

  test('has a row for each answer and figure that is shown', () => {
    const results = [...readResults(join(folder, 'bench/results.md'))].map(([name, { rows, ...section }]) => {
      const named = rows.map(([what = '', ...cells]) => [what.replace('own', 'real'), ...cells]);
      return [name.replace(/, six of .*/u, ''), { ...section, rows: named }] as const;
    });
    const own = new Map(results);
    // The machine may have a single core.
    const isHere = ([section]: (typeof ANSWERS)[number]) => section !== 'cores';
    const places = [...FIGURES, ...ANSWERS].filter(isHere);
    expect(places.length).toBeGreaterThan(10);
    for (const place of places.filter(([, , part]) => part !== '… CPU to the first peer'))
      expect(medianAt(own, place), place.join()).toMatch(/\d/u);
  });

  test('draws the plots', () => {
    const files = drawPictures(folder, written.findings);
    expect(files).toHaveLength(3);
    for (const file of files) {
      const svg = readFileSync(file, 'utf8');
      expect(svg).toMatch(/^<svg [^>]+>[^]*<\/svg>\n$/u);
      expect(svg).not.toMatch(/NaN|Infinity|undefined/u);
    }
  });

  test('builds its data once, and not over something else', async () => {
    const said: string[] = [];
    const wish = { name: `six-${DECISIONS}`, decisions: DECISIONS, bases: BASES, withRaw: true };
    const set = await needSet(join(folder, 'data'), wish, (line) => said.push(line));
    expect(said).toEqual([]);
    expect(set.jsonlBytes[ONE]).toBeGreaterThan(DECISIONS * 500);
    mkdirSync(join(folder, 'other', 'letters'), { recursive: true });
    writeFileSync(join(folder, 'other', 'letters', 'letter.txt'), 'Dear');
    const wrong = needSet(join(folder, 'other'), { ...wish, name: 'letters' }, () => undefined);
    await expect(wrong).rejects.toThrow(/holds something else; name an empty folder/u);
  });

  test('compares with an FTS5 of the same data: equal matches, rows and records', () => {
    const dataDir = join(folder, 'data', `six-${DECISIONS}`);
    using engine = new Engine(baseFile(dataDir, ONE), ONE);
    using raw = new RawBase(join(dataDir, `raw-${ONE}.db`));
    const { ordinary, phrases, prefixes, rare, veryCommon } = queriesOf();
    for (const q of [...ordinary, ...phrases, ...prefixes.flat(), ...rare, veryCommon]) {
      const page = engine.search(pageRequest(q, 'recentes', { count_ms: 60_000 }));
      expect(raw.numbers(fts5Of(q), 'recentes', 21), q).toEqual(page.doc_ids);
      expect(raw.resumos(page.doc_ids.slice(0, 20)), q).toEqual(page.resumos.map(textOf));
      expect(raw.count(fts5Of(q), 1_001), q).toBe(page.count);
    }
    expect(raw.documento(7)).toBe(textOf(engine.documento(7)));
  });
});

test('refuses an unknown peer with a plain message', async () => {
  const { exitCode, err } = await run(COMMAND, ['--peers', 'lucene,grep']);
  expect(exitCode).toBe(1);
  expect(err).toMatch(/Allowed, with commas between them: lucene, tantivy/u);
});

test('the hostile queries have a valid length and are all different', () => {
  const queries = hostileQueries(wordsOf(300));
  expect(new Set(queries).size).toBe(queries.length);
  for (const q of queries) expect([...q].length).toBeLessThanOrEqual(300);
});
