import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { Command, Option } from 'commander';
import { basesFolder } from '../../../src/index/format/schema.ts';
import { runPlainly } from '../../../src/process/fail.ts';
import { measureBeside } from './measure-beside.ts';
import { measureBudgets } from './measure-budgets.ts';
import { measureFallback } from './measure-fallback.ts';
import { measureIdle } from './measure-idle.ts';
import { measureOverload } from './measure-overload.ts';
import { number, whole } from '../../../src/process/option-values.ts';
import { isBuilt, needData, ownFolder } from '../measure/build.ts';
import {
  measureAll,
  measuredIn,
  prepare,
  report,
  say,
  machineText,
  docsPage,
  runHead,
  type Finding,
} from '../measure/report.ts';
import { writeSections } from '../measure/page.ts';
import { countsOf, withSetting, type Setting } from './measure-setting.ts';

/**
 * Fewer would hold the overload back before it reaches the service, which would then never have more requests
 * than connections; arrivals beyond them wait in the generator, and that wait counts.
 */
const CONNECTIONS_DEFAULT = 4_096;
const COUNT = whole(1, 100_000_000);
const MEASURES = {
  budgets: measureBudgets,
  idle: measureIdle,
  fallback: measureFallback,
  beside: measureBeside,
  overload: measureOverload,
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
  .option('--decisions <n>', 'made-up decisions of the base under load', COUNT, 1_000_000)
  .option(
    '--data <folder>',
    'where they are built, once (default: a folder of yours below the temporary one)',
  )
  .addOption(new Option('--only <name...>', 'only these measurements').choices(NAMES))
  .option('--seconds <s>', 'length of each load', number(0.2, 3_600), 10)
  .option('--connections <n>', 'most connections of the overload', COUNT, CONNECTIONS_DEFAULT)
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
  prepare();
  const machine = machineText();
  const dataDir = data === undefined ? join(ownFolder('faults'), String(decisions)) : resolve(data);
  if (!isBuilt(dataDir) && existsSync(basesFolder(dataDir)))
    say(`measuring the bases of ${dataDir} as they are`);
  else await needData(dataDir, { counts: countsOf(decisions) }, say);
  const head = runHead(new Date(), `; ${decisions.toLocaleString('en')} decisions, loads of ${seconds} s`);
  const findings = await withSetting({ dataDir, seconds, connections, say }, (setting) =>
    measureAll<Setting>(MEASURES, only, setting),
  );
  report(machine, findings, json, { decisions, seconds, connections, findings });
  if (docs !== undefined)
    await writeSections(docsPage('faults.md', docs), 'faults', head, measuredIn(findings));
}
