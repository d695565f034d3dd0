import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { readKeys } from '../../../src/keys/store.ts';
import { run } from '../../support/run.ts';
import { bePatient } from '../../support/patience.ts';
import { AMPLE_WINDOWS, temporaryFolder } from '../../support/service.ts';
import { needData } from '../measure/build.ts';
import { countsOf, hostileQueries } from './measure-setting.ts';
import { TABLE_WIDTH, type Finding } from '../measure/report.ts';
import { wordsOf } from '../measure/words.ts';

const COMMAND = '../test/tools/faults/command.ts';
const DECISIONS = 300;
/** Nothing here is about time; most of a start is that of threads. */
const PATIENT = { ...AMPLE_WINDOWS, BASES_THREADS: '1' };

interface Written {
  readonly findings: Readonly<Record<string, Finding>>;
}

bePatient();

describe('bun run faults', () => {
  const folder = temporaryFolder();
  const built: string[] = [];
  beforeAll(async () => {
    await needData(join(folder, 'data'), { counts: countsOf(DECISIONS) }, (line) => built.push(line));
  });

  /** On the tiny data that is there. */
  async function faults(...only: string[]) {
    const name = join(folder, only.join('-'));
    const [json, docs] = [`${name}.json`, `${name}.md`];
    writeFileSync(docs, '<!-- faults:begin -->\n<!-- faults:end -->\n');
    const size = ['--decisions', String(DECISIONS), '--seconds', '0.3', '--connections', '512'];
    const where = ['--data', join(folder, 'data'), '--json', json, '--docs', docs];
    const finished = await run(COMMAND, [...size, ...where, '--only', ...only], PATIENT);
    expect(finished.err).not.toMatch(/faults:|building/);
    expect(finished.exitCode, finished.out).toBe(0);
    const written = JSON.parse(readFileSync(json, 'utf8')) as Written;
    return { out: finished.out, written, page: readFileSync(docs, 'utf8') };
  }
  const rowsOf = ({ findings }: Written, name: string) => findings[name]?.rows ?? [];
  const detailsOf = ({ findings }: Written, name: string): unknown => findings[name]?.details;

  test('builds its data first', () => {
    expect(built[0]).toContain('building tst');
    expect(built.join('\n')).toContain('building stj: 300 made-up decisions');
  });

  // The others mostly wait.
  test.concurrent('answers every hostile query', async () => {
    const { out, written, page } = await faults('budgets', 'fallback');
    expect(Object.keys(written.findings)).toEqual(['budgets', 'fallback']);
    const answers = rowsOf(written, 'budgets').filter(({ measure }) => measure === '  answers');
    expect(answers.map(({ ok }) => ok)).toEqual([true, true, true, true]);
    const alone = (detailsOf(written, 'budgets') as Record<string, { q: string }[]>)['stj, 1 at once'] ?? [];
    expect(alone).toHaveLength(2 * hostileQueries(wordsOf()).length);
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(TABLE_WIDTH);
    // Where the line breaks is a matter of the machine's names.
    expect(out).toMatch(/,\sBun\s1\./u);
    expect([...page.matchAll(/^### (.*)$/gmu)].map(([, name]) => name)).toEqual(['budgets', 'fallback']);
    expect(page).toMatch(/^\| … answers +\| only 200 +\| complete .* \| yes/mu);
  });

  test.concurrent('watches the processor', async () => {
    const { written } = await faults('idle');
    expect(rowsOf(written, 'idle')).toHaveLength(4);
  });

  test.concurrent('measures cheap searches beside expensive ones, and an overload', async () => {
    const { written } = await faults('beside', 'overload');
    const sides = detailsOf(written, 'beside') as Record<string, { verdicts: Record<string, number> }[]>;
    // 50 a second for 0.3 seconds of each of four kinds, on both sides.
    for (const side of [sides['unloaded'] ?? [], sides['loaded'] ?? []]) {
      expect(side).toHaveLength(4);
      for (const { verdicts } of side) {
        expect(Object.values(verdicts).reduce((sum, count) => sum + count, 0)).toBe(15);
      }
    }
    const { peak } = detailsOf(written, 'overload') as { peak: { fates: Record<string, number> } };
    expect(Object.keys(peak.fates)).toContain('good');
  });

  test('leaves no key of use to anybody afterwards, whatever it measured', () => {
    const { keys } = readKeys(join(folder, 'data'));
    // One for each run.
    expect(keys.filter(({ name }) => name.startsWith('faults-hostile'))).toHaveLength(3);
    expect(keys.filter(({ revoked_at }) => revoked_at === null)).toEqual([]);
  });

  test('does not build in a folder that holds something else', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'letter.txt'), 'Dear');
    const { exitCode, err } = await run(COMMAND, ['--data', other]);
    expect(exitCode).toBe(1);
    expect(err).toMatch(/holds something else; name an empty folder/);
  });
});

test('the hostile queries are within the length that the contract takes, and no two alike', () => {
  const queries = hostileQueries(wordsOf(300));
  expect(new Set(queries).size).toBe(queries.length);
  for (const q of queries) expect([...q].length).toBeLessThanOrEqual(300);
});
