import { Command, CommanderError } from 'commander';
import { explain } from '../../process/fail.ts';
import { whole } from '../../process/option-values.ts';
import { onRunnerGone } from '../../process/launcher.ts';
import { onSignals } from '../../process/signals.ts';
import { VISIBLE_ERRORS, visibleLines } from '../../process/visible.ts';
import { startCluster, type Cluster, type ClusterOptions } from './cluster.ts';

const PORT_MAX = 65_535;
const DECISIONS_MAX = 1_000_000;
const PROCESSES_MAX = 32;

async function main(argv: readonly string[]): Promise<void> {
  const program = new Command('cluster')
    .description(
      'Start a cluster on this machine for development: nats-server, nodes and fronts, with made-up decisions.',
    )
    .option('--nodes <count>', 'nodes, each with all six bases', whole(1, PROCESSES_MAX), 2)
    .option('--fronts <count>', 'fronts', whole(1, PROCESSES_MAX), 2)
    .option('--decisions <count>', 'made-up decisions in each base', whole(1, DECISIONS_MAX), 2_000)
    .option(
      '--port <port>',
      'port of the first front, the next has the next; 0: free ones',
      whole(0, PORT_MAX),
      0,
    )
    .configureOutput(VISIBLE_ERRORS)
    .action(run)
    .exitOverride();
  try {
    await program.parseAsync(argv, { from: 'user' });
  } catch (error) {
    // Commander has already printed the error or the help.
    if (error instanceof CommanderError) process.exit(error.exitCode);
    process.stderr.write(`cluster: ${visibleLines(explain(error))}\n`);
    process.exit(1);
  }
}

async function run(options: Omit<ClusterOptions, 'print'>): Promise<void> {
  const starting = startCluster({
    ...options,
    print: (line) => {
      console.log(line);
    },
  });
  let isStopping = false;
  const stop = onSignals(['SIGINT', 'SIGTERM'], {
    first: () => {
      isStopping = true;
      void stopAfter(starting);
    },
    again: () => process.exit(1),
  });
  onRunnerGone(stop);
  const cluster = await starting;
  for (const ended of cluster.anyEnded)
    void ended.then((name) => (isStopping ? undefined : process.stderr.write(`${name} has ended\n`)));
  console.log(`key ${cluster.key}`);
  console.log('ready');
}

/** Waits for a starting cluster before stopping it. */
async function stopAfter(starting: Promise<Cluster>): Promise<void> {
  const cluster = await starting.catch(() => null);
  await cluster?.stop();
  process.exit(cluster === null ? 1 : 0);
}

await main(process.argv.slice(2));
