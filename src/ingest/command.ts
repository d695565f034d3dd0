import { Argument, Option } from 'commander';
import { operatorCommand } from '../process/command.ts';
import { runPlainly, PlainError } from '../process/fail.ts';
import { interruption } from '../process/signals.ts';
import { visible } from '../process/visible.ts';
import { dataFolder } from '../config/config.ts';
import { BASES, isOneOf } from '../contract/vocabulary.ts';
import { FORMATOS } from './formats/table.ts';
import { ingest, type IngestOptions } from './ingest.ts';
import { RecordWorker } from './record-worker.ts';

const formats = FORMATOS.map(({ name }) => name);
const command = operatorCommand(
  'ingest',
  'Load decisions into a base: canonical JSON Lines, or files as the courts give them.',
)
  .addArgument(new Argument('<base>', 'the base to load into').choices(BASES))
  .argument('[file...]', 'files to load, in order; - is standard input')
  .addOption(new Option('--from <format>', 'format of all files (default: recognised)').choices(formats))
  .option('--dry-run', 'write nothing; print what would be loaded')
  .option('--include-sealed', 'also load decisions that the source marks as under secrecy')
  .option('--strict', 'exit with 1 if anything was rejected')
  .option('--rejects <file>', 'file for rejects (default: DATA_DIR/rejects/BASE-TIME.jsonl)')
  .addHelpText('after', helpText())
  .action((base: string, files: string[], options: IngestOptions) =>
    runPlainly('ingest', async () => {
      if (!isOneOf(BASES, base)) throw new PlainError(`no base ${base}`);
      if (files.length === 0) command.error("error: missing required argument 'file'");
      process.umask(0o077);
      const parts = {
        dataDir: dataFolder(),
        signal: interruption(),
        startWorker: () => new RecordWorker(base),
      };
      const { out, err, exitCode } = await ingest(base, files, options, parts);
      for (const line of out) console.log(line);
      for (const message of err) process.stderr.write(`${visible(`ingest: ${message}`)}\n`);
      process.exitCode = exitCode;
    }),
  );

await command.parseAsync();
// A pipe without data or without a writer would keep the process alive.
process.exit();

function helpText(): string {
  const width = Math.max(...formats.map(({ length }) => length));
  const rows = FORMATOS.map(({ name, bases, about }) => {
    const into = bases.length === BASES.length ? 'every base' : bases.join(', ');
    return `  ${name.padEnd(width)}  ${about} (${into})`;
  });
  return (
    `\nFormats, plain or in gzip, zstd or zip:\n${rows.join('\n')}\n` +
    '\nA known decision is replaced and keeps its number; an unchanged one is skipped.' +
    '\nA damaged court file loads nothing. --dry-run shows what a load would write.' +
    '\nYou can stop the load at any time and run it again to continue.' +
    '\n\nExit codes: 1 if a file is damaged or stops the load, if anything is rejected' +
    '\nand --strict is given, or if no decision of the files is in the base at the end' +
    '\n(unless all files are court answers without results); 130 if you stop the load.'
  );
}
