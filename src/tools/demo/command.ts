import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument } from 'commander';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { operatorCommand } from '../../process/command.ts';
import { codeOf, runPlainly } from '../../process/fail.ts';
import { whole } from '../../process/option-values.ts';
import { showProgress } from '../../process/progress.ts';
import { commandFor, dataFolder } from '../../config/config.ts';
import { DEMO_SEED_DEFAULT, demoLines } from './generate.ts';
import { removeDemo } from './remove.ts';

/** Characters collected per write. */
const CHUNK_CHARACTERS = 1 << 18;
/** Largest count: line numbers must stay exact and within 32 bits for the random streams. */
const COUNT_MAX = 2 ** 31;

const program = operatorCommand(
  'demo',
  'Writes made-up court decisions of a base as JSON Lines (canonical ingest format) to stdout.',
  'Example:\n  bun run demo stj 100000 --seed 7 > stj.jsonl',
)
  .addArgument(new Argument('<base>', 'the base whose decisions to make').choices(BASES))
  .argument('<count>', 'how many decisions', whole(1, COUNT_MAX))
  .option(
    '--seed <number>',
    'whole number; the same seed gives the same decisions',
    whole(Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER),
    DEMO_SEED_DEFAULT,
  )
  .action(write);
program
  .command('remove')
  .description('Remove the made-up decisions and their key from the data folder: DATA_DIR (./data).')
  .action(() => runPlainly('demo', remove));
await program.parseAsync();

function remove(): void {
  const dataDir = dataFolder();
  const bases = removeDemo(dataDir);
  if (bases.length === 0) {
    console.log(`no made-up decisions are in ${dataDir}: nothing was removed`);
    return;
  }
  console.log(`removed from ${dataDir}: the made-up decisions of ${bases.join(', ')}, and their key`);
  console.log('Restart a service that runs on this folder: its coverage still describes the demo.');
  console.log(`Load a base:  ${commandFor(dataDir, 'ingest', 'BASE FILE')}`);
  console.log(`Issue a key:  ${commandFor(dataDir, 'keys', 'issue NAME')}`);
}

async function write(base: Base, count: number, { seed }: { readonly seed: number }): Promise<void> {
  const progress = showProgress(count, 'decisions');
  try {
    await pipeline(
      Readable.from(chunks(demoLines(base, count, seed), (done) => progress.update(done, done))),
      process.stdout,
    );
  } catch (error) {
    // The reader closed the pipe, for example `| head -1`. This is not an error.
    if (codeOf(error) !== 'EPIPE') throw error;
  } finally {
    progress.stop();
  }
}

/** Joins lines, so that a write has hundreds. */
function* chunks(lines: Iterable<string>, onProgress: (done: number) => void): Generator<string> {
  let chunk = '';
  let done = 0;
  for (const line of lines) {
    chunk += `${line}\n`;
    done += 1;
    if (chunk.length < CHUNK_CHARACTERS) continue;
    yield chunk;
    chunk = '';
    onProgress(done);
  }
  yield chunk;
}
