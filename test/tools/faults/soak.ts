import { existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { Command } from 'commander';
import { PlainError, runPlainly } from '../../../src/process/fail.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { number } from '../../../src/process/option-values.ts';
import { prepare, report, say, machineText, docsPage, runHead, info, type Row } from '../measure/report.ts';
import { writeSections } from '../measure/page.ts';
import { AS_SHIPPED, startChild } from '../measure/service.ts';
import { PER_SECOND, soakService, type Seen } from './measure-soak-run.ts';
import { median } from '../measure/stats.ts';

interface Options {
  readonly minutes: number;
  readonly data?: string;
  readonly json?: string;
  readonly docs?: string | true;
}

/** Warming up takes this fraction of the time, but no longer than this. */
const WARM_UP = { share: 0.25, msMax: 60_000 };
/** What is held at the start and at the end is the median over this fraction of the time, but no longer. */
const WINDOW = { share: 0.125, msMax: 60_000 };
const FLAT = 1.05;
const BROKEN_SHOWN = 5;
const MARK = 'soak.json';
const HELD = [
  ['memory of its own', 'anonMiB', ' MiB'],
  ['descriptors', 'descriptors', ''],
  ['threads', 'threads', ''],
] as const;

const command = new Command('soak')
  .description('Runs the service on demo data under ordinary mixed traffic, and tells what it holds on to.')
  .option('--minutes <m>', 'how long, a week at most', number(0.02, 10_080), 10)
  .option('--data <folder>', 'a new folder for its data, kept afterwards (default: a temporary one)')
  .option('--json <file>', 'write all figures to a file, with what was held from moment to moment')
  .option('--docs [page]', 'write the table there (default: docs/faults.md)')
  .addHelpText(
    'after',
    '\nExits with 1 when a promise was broken: no answer, a 5xx, a body that is not' +
      '\nwhat the contract says.' +
      '\nA figure that is not flat says NOT in its row.\n\nExample:\n  bun run soak --minutes 2',
  )
  .showHelpAfterError('(run with --help for the usage)')
  .allowExcessArguments(false)
  .action((options: Options) => runPlainly('soak', () => soak(options)));

await command.parseAsync();

async function soak({ minutes, data, json, docs }: Options): Promise<void> {
  prepare();
  const machine = machineText();
  const dataDir = data === undefined ? temporaryFolder() : ownFolder(resolve(data));
  say(`making demo data in ${dataDir}`);
  await using service = await startChild(dataDir, AS_SHIPPED);
  say(`${PER_SECOND} requests a second for ${minutes} minutes`);
  const { seen, incomplete } = await soakService(service, dataDir, minutes * 60_000);
  const sections = sectionsOf(seen, incomplete, minutes * 60_000);
  const { acts, broken, held } = seen;
  const counts = { acts: Object.fromEntries(acts), broken: Object.fromEntries(broken), incomplete };
  report(machine, sections, json, { minutes, ...counts, held });
  for (const [what, count] of [...broken].slice(0, BROKEN_SHOWN)) console.log(`broken ${count}×: ${what}`);
  if (docs !== undefined) {
    const head = runHead(new Date(), `; ${minutes} minutes, ${PER_SECOND} requests a second`);
    await writeSections(docsPage('faults.md', docs), 'soak', head, Object.entries(sections));
  }
  if (seen.broken.size > 0) process.exitCode = 1;
}

function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'jurisprudencia-soak-'));
  process.once('exit', () => {
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** Made-up decisions are loaded into it: it must not be anybody's real data. */
function ownFolder(folder: string): string {
  const mark = join(folder, MARK);
  if (existsSync(folder) && !existsSync(mark) && readdirSync(folder).length > 0) {
    throw new PlainError(`${folder} holds something else; name a new folder with --data`);
  }
  makeFolder(folder);
  writeFileSync(mark, '{}\n');
  return folder;
}

function sectionsOf(
  { acts, broken, held }: Seen,
  incomplete: number,
  lengthMs: number,
): Record<string, { readonly rows: readonly Row[] }> {
  const warm = Math.min(WARM_UP.share * lengthMs, WARM_UP.msMax);
  const window = Math.min(WINDOW.share * lengthMs, WINDOW.msMax);
  // From the first sample on and up to the last one, wherever a busy machine took them.
  const first = held.find(({ at }) => at >= warm)?.at ?? 0;
  const last = held.at(-1)?.at ?? 0;
  const within = (from: number, to: number) => held.filter(({ at }) => at >= from && at <= to);
  const flat = HELD.map(([name, field, unit]): Row => {
    const [start, end] = [within(first, first + window), within(last - window, last)].map((some) =>
      median(some.map(({ holdings }) => holdings[field])),
    );
    return flatRow(name, start ?? Number.NaN, end ?? Number.NaN, unit);
  });
  const total = [...broken.values()].reduce((sum, count) => sum + count, 0);
  const isBroken = { measure: 'broken', aim: 'none', reached: String(total), ok: total === 0 };
  return {
    'held, start to end': { rows: flat },
    done: { rows: [...acts].map(([name, count]) => info(name, String(count))) },
    promises: { rows: [isBroken, info('searches with a base missing', String(incomplete))] },
  };
}

function flatRow(measure: string, start: number, end: number, unit: string): Row {
  const change = 100 * (end / start - 1);
  return {
    measure,
    aim: `<= +${Math.round(100 * (FLAT - 1))}%`,
    reached: `${Math.round(start)} to ${Math.round(end)}${unit} (${change >= 0 ? '+' : ''}${change.toFixed(1)}%)`,
    ok: end <= start * FLAT,
  };
}
