import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command, Option } from 'commander';
import { explain, runPlainly } from '../../../src/process/fail.ts';
import { measureBeside } from './measure-beside.ts';
import { measureBudgets } from './measure-budgets.ts';
import { defaultDataDir, needData } from './measure-data.ts';
import { measureExact } from './measure-exact.ts';
import { measureFallback } from './measure-fallback.ts';
import { measureIdle } from './measure-idle.ts';
import { measureOverload } from './measure-overload.ts';
import { parseCount, parseSecondsFrom } from '../measure/options.ts';
import { needLinux } from '../measure/process.ts';
import { writeSections, type Section } from '../measure/page.ts';
import { machineText, paragraph, table } from '../measure/report.ts';
import { docsPage, runHead } from '../measure/run-head.ts';
import type { Finding, Row } from '../measure/finding.ts';
import { withSetting, type Setting } from './measure-setting.ts';

/**
 * Fewer would hold the overload back before it reaches the service, which would then never have more at hand
 * than they are; arrivals beyond them wait in the generator, and that wait counts.
 */
const CONNECTIONS_DEFAULT = 4_096;
const MEASURES = {
  budgets: measureBudgets,
  idle: measureIdle,
  fallback: measureFallback,
  beside: measureBeside,
  overload: measureOverload,
  exact: measureExact,
} satisfies Record<string, (setting: Setting) => Promise<Finding>>;
type Name = keyof typeof MEASURES;
// The keys of the object above.
const NAMES = Object.keys(MEASURES) as Name[];

interface Options {
  readonly decisions: number;
  readonly data?: string;
  readonly only?: Name[];
  readonly seconds: number;
  readonly connections: number;
  readonly json?: string;
  readonly docs?: string | true;
}

const command = new Command('faults')
  .description('Measures the service under hostile load, each aim beside what was reached.')
  .option('--decisions <n>', 'made-up decisions of the base under load', parseCount, 1_000_000)
  .option(
    '--data <folder>',
    'where they are built, once (default: a folder of yours below the temporary one)',
  )
  .addOption(new Option('--only <name...>', 'only these measurements').choices(NAMES))
  .option('--seconds <s>', 'length of each load', parseSecondsFrom(0.2), 10)
  .option('--connections <n>', 'most connections of the overload', parseCount, CONNECTIONS_DEFAULT)
  .option('--json <file>', 'write the table and all figures behind it to a file')
  .option('--docs [page]', 'write the table there (default: docs/faults.md)')
  .addHelpText(
    'after',
    '\nSettings of the bases (BASES_THREADS, …) in the environment are the service’s;' +
      '\nall else of it is not. The load comes from this process and shares the machine' +
      '\nwith the service, which runs as another. A folder with bases that were not' +
      '\nbuilt here is measured as it is. Exits with 1 when something could not be' +
      '\nmeasured; a missed aim says NOT in its row.' +
      '\n\nExample:\n  bun run faults --decisions 20000 --seconds 5 --only budgets idle',
  )
  .showHelpAfterError('(run with --help for the usage)')
  .allowExcessArguments(false)
  .action((options: Options) => runPlainly('faults', () => measure(options)));

await command.parseAsync();

async function measure(options: Options): Promise<void> {
  const { decisions, data, only, seconds, connections, json, docs } = options;
  process.umask(0o077);
  needLinux();
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const machine = machineText();
  const dataDir = data === undefined ? defaultDataDir(decisions) : resolve(data);
  await needData(dataDir, decisions, say);
  const sections = new Map<string, readonly Row[]>();
  const measured: Section[] = [];
  const head = runHead(new Date(), `; ${decisions.toLocaleString('en')} decisions, loads of ${seconds} s`);
  const details: Record<string, unknown> = {};
  await withSetting({ dataDir, seconds, connections, say }, async (setting) => {
    for (const name of NAMES) {
      if (only !== undefined && !only.includes(name)) continue;
      const finding = await finish(name, setting);
      sections.set(name, finding.rows);
      if (finding.isMissing !== true) measured.push({ name, head, rows: finding.rows });
      details[name] = finding.details;
    }
  });
  console.log(`${table(sections)}\n\n${paragraph(machine)}`);
  if (docs !== undefined) {
    const page = docs === true ? docsPage('faults.md') : resolve(docs);
    await writeSections(page, 'faults', measured);
  }
  if (json === undefined) return;
  const all = { machine, decisions, seconds, connections, rows: Object.fromEntries(sections), details };
  writeFileSync(json, `${JSON.stringify(all, null, 1)}\n`);
}

/** One measurement that cannot be made leaves the others their turn. */
async function finish(name: Name, setting: Setting): Promise<Finding> {
  try {
    return await MEASURES[name](setting);
  } catch (error) {
    process.exitCode = 1;
    return {
      rows: [{ measure: name, aim: '', reached: `not measured: ${explain(error)}`, ok: false }],
      details: null,
      isMissing: true,
    };
  }
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
