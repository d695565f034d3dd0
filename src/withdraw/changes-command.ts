import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Argument } from 'commander';
import { dataFolder } from '../config/config.ts';
import { BASES, isOneOf } from '../contract/vocabulary.ts';
import { operatorCommand } from '../process/command.ts';
import { codeOf, runPlainly, PlainError } from '../process/fail.ts';
import { changesSince } from './changes.ts';

await operatorCommand(
  'changes',
  'Print what changed in a base since a data version, as JSON Lines.',
  'Each line has the id, the kind (added, replaced or removed) and the data\n' +
    'version that it came with: after a whole run, go on with that of the last\n' +
    'line. Answers of the service name the present one in Jurisprudencia-Versao.\n\n' +
    'Example:\n  bun run changes stj --since 12-9f3a04c1',
)
  .addArgument(new Argument('<base>', 'the base').choices(BASES))
  .option('--since <version>', 'a data version (default: before the first change)')
  .action((base: string, { since }: { since?: string }) =>
    runPlainly('changes', async () => {
      if (!isOneOf(BASES, base)) throw new PlainError(`no base ${base}`);
      try {
        await pipeline(Readable.from(changesSince(dataFolder(), base, since ?? null)), process.stdout);
      } catch (error) {
        // The reader closed the pipe, for example `| head -1`.
        if (codeOf(error) !== 'EPIPE') throw error;
      }
    }),
  )
  .parseAsync();
