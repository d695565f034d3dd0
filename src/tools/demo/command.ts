import { Command, CommanderError, InvalidArgumentError } from 'commander';
import leven from 'leven';
import { BASES, isOneOf, type Base } from '../../contract/enums.ts';
import { showProgress } from '../../process/progress.ts';
import { DEMO_SEED_DEFAULT, demoLines } from './generate.ts';
import { LineWriter } from './line-writer.ts';

/** Lines between two looks at the clock for the progress bar. */
const PROGRESS_STEP = 1000;
/** Largest count: line numbers must stay exact and within 32 bits for the random streams. */
const COUNT_MAX = 2 ** 31;

function main(argv: readonly string[]): number {
  const program = new Command('demo')
    .description(
      'Writes made-up court decisions of a base as JSON Lines (canonical ingest format) to stdout.',
    )
    .argument('<base>', `one of ${BASES.join(', ')}`, parseBase)
    .argument('<count>', 'how many decisions: a positive whole number', parseCount)
    .option(
      '--seed <number>',
      'whole number; the same seed gives the same decisions',
      parseSeed,
      DEMO_SEED_DEFAULT,
    )
    .addHelpText('after', '\nExample:\n  bun run demo stj 100000 --seed 7 > stj.jsonl')
    .action(write)
    .exitOverride();
  try {
    program.parse(argv, { from: 'user' });
  } catch (error) {
    // Commander has already said what is wrong, or shown the help that was asked for.
    if (error instanceof CommanderError) return error.exitCode;
    throw error;
  }
  return 0;
}

function write(base: Base, count: number, { seed }: { readonly seed: number }): void {
  const writer = new LineWriter(process.stdout.fd);
  const progress = showProgress(count, 'decisions');
  let written = 0;
  for (const line of demoLines(base, count, seed)) {
    // The reader has gone, as `| head -1` does: nothing is left to do, and nothing went wrong.
    if (!writer.write(line)) break;
    written += 1;
    if (written % PROGRESS_STEP === 0) progress.update(written, written);
  }
  writer.end();
  progress.stop();
}

function parseBase(text: string): Base {
  if (isOneOf(BASES, text)) return text;
  const distance = (base: Base): number => leven(base, text.toLowerCase());
  const [nearest = BASES[0]] = BASES.toSorted((a, b) => distance(a) - distance(b));
  throw new InvalidArgumentError(`Choose one of ${BASES.join(', ')}. Did you mean ${nearest}?`);
}

function parseCount(text: string): number {
  const count = Number(text);
  if (/^\d+$/u.test(text) && count >= 1 && count <= COUNT_MAX) return count;
  throw new InvalidArgumentError(`COUNT must be a positive whole number up to ${COUNT_MAX}, such as 1000.`);
}

function parseSeed(text: string): number {
  const seed = Number(text);
  if (/^-?\d+$/u.test(text) && Number.isSafeInteger(seed)) return seed;
  throw new InvalidArgumentError('the seed must be a whole number, such as 7.');
}

process.exitCode = main(process.argv.slice(2));
