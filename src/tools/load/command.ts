import { writeFileSync } from 'node:fs';
import { runPlainly, PlainError } from '../../process/fail.ts';
import { onSignals } from '../../process/signals.ts';
import { visibleLines } from '../../process/visible.ts';
import { runLoad } from './load.ts';
import { exitCodeOf, needDecidable, verdictsOf } from './fail-if.ts';
import { loadCommand, type LoadOptions } from './options.ts';
import { checkWritable, loadOf } from './load-plan.ts';
import { needComparable } from './comparison.ts';
import { reportPage } from './report/page.ts';
import { readRun, type Run } from './result.ts';
import { summary } from './summary.ts';

/** The exit code of shells for a command ended by Ctrl-C. */
const INTERRUPTED = 130;

await loadCommand((url, options) => runPlainly('load', () => report(url, options))).parseAsync();
// A connection that no peer takes would keep the process for the two minutes in which the system tries.
process.exit();

async function report(url: string | undefined, options: LoadOptions): Promise<void> {
  const { html, json, compare, from } = options;
  for (const file of [html, json]) if (file !== undefined) checkWritable(file);
  const before = compare === undefined ? null : readRun(compare);
  const run = from === undefined ? await loadNow(url, options, before) : savedRun(url, from, options, before);
  if (run === null) return;
  console.log(visibleLines(summary(run, before)));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(run, null, 1)}\n`);
  if (html !== undefined) writeFileSync(html, reportPage(run, before));
  // After Ctrl-C the message is already printed.
  process.exitCode ??= exitCodeOf(run);
}

async function loadNow(
  url: string | undefined,
  options: LoadOptions,
  before: Run | null,
): Promise<Run | null> {
  const load = loadOf(url, options);
  const failIf = options.failIf ?? [];
  needDecidable(failIf, load.plan.rates_per_s.length > 1, before !== null);
  const onData = (data: string | null) => {
    if (before !== null) needComparable(before, { data, plan: load.plan }, options.otherData ?? false);
  };
  const run = await runLoad(load, options.name ?? '', onData, (generator) => {
    onSignals(['SIGINT'], {
      first: () => {
        process.exitCode = INTERRUPTED;
        process.stderr.write('load: stopping; Ctrl-C again leaves without a report\n');
        generator.stop();
      },
      again: () => process.exit(INTERRUPTED),
    });
  });
  if (run === null) process.stderr.write('load: stopped before anything was measured; there is no report\n');
  return run === null ? null : { ...run, verdicts: verdictsOf(failIf, run, before) };
}

function savedRun(
  url: string | undefined,
  from: string,
  { json, name, failIf, otherData = false }: LoadOptions,
  before: Run | null,
): Run {
  if (url !== undefined) throw new PlainError('--from runs no load; omit the address');
  if (json !== undefined) throw new PlainError('--from reads saved figures; omit --json');
  const run = readRun(from);
  if (before !== null) needComparable(before, run, otherData);
  const named = { ...run, name: name ?? run.name };
  if (failIf === undefined) return named;
  needDecidable(failIf, run.steps.length > 1, before !== null);
  return { ...named, verdicts: verdictsOf(failIf, run, before) };
}
