import { Argument } from 'commander';
import { systemClock } from '../clock.ts';
import { readConfig } from '../config/config.ts';
import { RecordWorker } from '../ingest/record-worker.ts';
import { operatorCommand } from '../process/command.ts';
import { PlainError, runPlainly } from '../process/fail.ts';
import { interruption } from '../process/signals.ts';
import { visible } from '../process/visible.ts';
import { sync, type SyncOptions } from './sync.ts';

process.umask(0o077);

await operatorCommand(
  'sync',
  'Load the files that the court’s open data portal (STJ_PORTAL_URL) has new or changed.',
  'The portal is asked over one connection, and left alone for as long as it asks.\n' +
    'You can stop at any time and run it again to continue.\n\n' +
    'Exit codes: 1 if a file was not loaded (the next run asks for it again), 130 if\nyou stop it.',
)
  .addArgument(new Argument('<base>', 'the base to load into').choices(['stj']))
  .option('--only <name...>', 'data sets, such as primeira-turma (default: all)')
  .option('--dry-run', 'list what would be fetched; fetch and write nothing')
  .action((_: string, options: SyncOptions) =>
    runPlainly('sync', async () => {
      const { data_dir: dataDir, stj_portal_url: url } = readConfig();
      if (!/^https?:\/\//u.test(url) || !URL.canParse(url))
        throw new PlainError(`STJ_PORTAL_URL: must begin with https://, not ${JSON.stringify(url)}`);
      const signal = interruption();
      const work = sync('stj', options, {
        dataDir,
        url: new URL(url.replace(/\/*$/u, '/')),
        clock: systemClock,
        signal,
        startWorker: () => new RecordWorker('stj'),
        say: (line) => console.log(visible(line)),
      });
      process.exitCode = await work.catch((error: unknown) => {
        if (!signal.aborted) throw error;
        console.log('stopped before the end; run it again to continue');
        return 130;
      });
    }),
  )
  .parseAsync();
// An idle connection would keep the process alive.
process.exit();
