import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Argument, Command } from 'commander';
import { runPlainly, PlainError, explain } from '../cli/fail.ts';
import { showProgress } from '../cli/progress.ts';
import { dataFolder } from '../config.ts';
import { BASES, isOneOf, type Base } from '../contract/enums.ts';
import { openForWriting } from './base-file.ts';
import { RejectsFile, loadFile } from './load.ts';
import { Preparing } from './preparing.ts';
import { BaseWriter, type WrittenCounts } from './writer.ts';

interface Options {
  readonly strict?: true;
  readonly rejects?: string;
}

const command = new Command('ingest')
  .description('Load decisions into a base, from canonical JSON Lines (plain, gzip or zstd).')
  .addArgument(new Argument('<base>', 'the base to load into').choices(BASES))
  .argument('<file...>', 'files to load, in order; - is standard input')
  .option('--strict', 'exit with 1 if any line was rejected')
  .option('--rejects <file>', 'where rejected lines go (default: DATA_DIR/rejects/BASE-TIME.jsonl)')
  .addHelpText(
    'after',
    '\nA line whose `chave` is known replaces that decision and keeps its number; an unchanged one is skipped.' +
      '\nThe load can be stopped at any moment and run again: it goes on where it was.',
  )
  .showHelpAfterError('(run with --help for the usage)')
  .action((base: string, files: string[], options: Options) =>
    runPlainly('ingest', async () => {
      if (!isOneOf(BASES, base)) throw new PlainError(`no base ${base}`);
      await ingest(base, files, options);
    }),
  );

await command.parseAsync();

async function ingest(base: Base, files: readonly string[], options: Options): Promise<void> {
  process.umask(0o077);
  const dataDir = dataFolder();
  const total = totalBytes(files);
  if (options.rejects !== undefined && existsSync(options.rejects)) {
    throw new PlainError(`${options.rejects} is there already; name another file for the rejected lines`);
  }
  const stamp = new Date().toISOString().replaceAll(/[:.]/gu, '-');
  const rejects = new RejectsFile(options.rejects ?? join(dataDir, 'rejects', `${base}-${stamp}.jsonl`));
  const stop = onInterrupt();
  const db = openForWriting(dataDir, base);
  const progress = showProgress(total, 'decisions');
  const startedAt = performance.now();
  let bytesBefore = 0;
  let failure: string | null = null;
  let current = '';
  const writer = new BaseWriter(db);
  const preparing = new Preparing(base);
  try {
    for (const file of files) {
      current = file;
      let bytesHere = 0;
      const onProgress = (bytes: number) => {
        bytesHere = bytes;
        progress.update(bytesBefore + bytes, held(writer.committed));
      };
      await loadFile(file, {
        writer,
        prepare: (lines) => preparing.prepare(lines),
        rejects,
        onProgress,
        shouldStop: stop.requested,
      });
      bytesBefore += bytesHere;
      if (stop.requested()) break;
    }
  } catch (error) {
    failure = `${current}: ${explain(error)}`;
  } finally {
    progress.stop();
    rejects.close();
    preparing.close();
    closeTidily(db);
  }
  report(base, writer.committed, rejects, (performance.now() - startedAt) / 1000);
  if (failure !== null) throw new PlainError(`stopped: ${failure}`);
  if (stop.requested()) {
    console.log('stopped before the end; run it again to go on');
    process.exitCode = 130;
  } else if (held(writer.committed) === 0) throw new PlainError('nothing was loaded');
  else if (options.strict === true && rejects.count > 0) process.exitCode = 1;
}

/** Folds the write-ahead log into the file where no reader is in the way; it is only tidying. */
function closeTidily(db: ReturnType<typeof openForWriting>): void {
  try {
    db.pragma('wal_checkpoint(TRUNCATE)');
  } catch {
    // The log is folded in by a later load, or when the last connection closes.
  }
  db.close();
}

function report(base: Base, counts: WrittenCounts, rejects: RejectsFile, seconds: number): void {
  const rate = Math.round(held(counts) / Math.max(seconds, 0.001));
  console.log(
    `${base}: ${counts.added} added, ${counts.replaced} replaced, ${counts.unchanged} unchanged, ` +
      `${rejects.count} rejected (${seconds.toFixed(1)} s, ${rate}/s)`,
  );
  if (rejects.count > 0) console.log(`rejected lines, with reasons: ${rejects.path}`);
}

/** Decisions of the load that the base holds now. */
function held({ added, replaced, unchanged }: WrittenCounts): number {
  return added + replaced + unchanged;
}

/** The bytes to read, for the time left; null when standard input is among the files. @throws ENOENT */
function totalBytes(files: readonly string[]): number | null {
  if (files.includes('-')) return null;
  return files.reduce((sum, file) => {
    const stat = statSync(file);
    if (stat.isDirectory()) throw new PlainError(`${file} is a folder; name the files in it`);
    return sum + stat.size;
  }, 0);
}

/** The first Ctrl-C or SIGTERM ends the load after the line at hand, with all that was read kept. */
function onInterrupt(): { requested: () => boolean } {
  let isRequested = false;
  const request = () => {
    isRequested = true;
  };
  process.once('SIGINT', request);
  process.once('SIGTERM', request);
  return { requested: () => isRequested };
}
