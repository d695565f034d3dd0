import { writeFileSync } from 'node:fs';
import { runPlainly, PlainError } from '../../process/fail.ts';
import { onSignals } from '../../process/signals.ts';
import { visibleLines } from '../../process/visible.ts';
import { runLoad } from './load.ts';
import { exitCodeOf, verdictsOf } from './fail-if.ts';
import { loadCommand, type LoadOptions } from './options.ts';
import { needWritable, planOf } from './prepare.ts';
import { reportPage } from './report/page.ts';
import { readRun, type Run } from './result.ts';
import { summary } from './summary.ts';

/** What a shell gives a command that was ended by Ctrl-C. */
const INTERRUPTED = 130;

await loadCommand((url, options) => runPlainly('load', () => load(url, options))).parseAsync();

async function load(url: string | undefined, options: LoadOptions): Promise<void> {
  const { html, json, compare, from, saveQueries } = options;
  if (compare !== undefined && html === undefined)
    throw new PlainError('--compare puts two runs in one report; say where with --html');
  for (const file of [html, json, saveQueries]) if (file !== undefined) needWritable(file);
  const before = compare === undefined ? null : readRun(compare);
  const run = from === undefined ? await loadNow(url, options) : savedRun(url, from, options);
  if (run === null) return;
  console.log(visibleLines(summary(run)));
  if (json !== undefined) writeFileSync(json, `${JSON.stringify(run, null, 1)}\n`);
  if (html !== undefined) writeFileSync(html, reportPage(before === null ? [run] : [before, run]));
  // A load that was ended by Ctrl-C has said so.
  process.exitCode ??= exitCodeOf(run);
}

async function loadNow(url: string | undefined, options: LoadOptions): Promise<Run | null> {
  const plan = planOf(url, options);
  const run = await runLoad(plan, options.name ?? '', (fleet) => {
    onSignals(['SIGINT'], {
      first: () => {
        process.exitCode = INTERRUPTED;
        process.stderr.write('load: stopping; Ctrl-C again leaves without a report\n');
        fleet.stop();
      },
      again: () => {
        // The progress bar has hidden the cursor and turned line wrap off.
        if (process.stderr.isTTY) process.stderr.write('\u001B[?25h\u001B[?7h\n');
        process.exit(INTERRUPTED);
      },
    });
  });
  if (run === null) process.stderr.write('load: stopped before anything was measured; there is no report\n');
  return run;
}

function savedRun(url: string | undefined, from: string, { json, name, failIf }: LoadOptions): Run {
  if (url !== undefined) throw new PlainError('--from makes no load; leave the address out');
  if (json !== undefined) throw new PlainError('--from has the figures already; leave --json out');
  const run = readRun(from);
  const verdicts = failIf === undefined ? run.verdicts : verdictsOf(failIf, run);
  return { ...run, verdicts, name: name ?? run.name };
}
