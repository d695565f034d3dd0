import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Argument, Command, Option } from 'commander';
import { runPlainly, PlainError } from '../process/fail.ts';
import { showProgress } from '../process/progress.ts';
import { visible, VISIBLE_ERRORS } from '../process/visible.ts';
import { CHECKPOINT_WAIT_MS } from '../config/limits.ts';
import { dataFolder, makeDataFolder, refuseUnwritable } from '../config/config.ts';
import { BASES, isOneOf, type Base } from '../contract/enums.ts';
import { openForWriting } from '../index/write/base-file.ts';
import { DryRun } from './dry-run.ts';
import { FORMATOS, FORMAT_NAMES, formatsOf } from './formats/table.ts';
import type { Formato } from './formats/format.ts';
import { kindsIn } from '../index/write/kinds.ts';
import { explainLoad } from './holder.ts';
import { outdatedIn } from './latest.ts';
import { loadAll, refuseUnknown, totalBytes, type LoadOutcome } from './load-all.ts';
import type { LoadOptions } from './load.ts';
import { Notes } from './notes.ts';
import type { LineBatch } from './record-maker.ts';
import { RecordWorker } from './record-worker.ts';
import { RejectsFile } from './rejects.ts';
import { held, notStored, report } from './report.ts';
import { BaseWriter } from '../index/write/base-writer.ts';

interface Options {
  readonly from?: string;
  readonly dryRun?: true;
  readonly strict?: true;
  readonly rejects?: string;
}

const command = new Command('ingest')
  .description('Load decisions into a base: canonical JSON Lines, or files as the courts give them.')
  .addArgument(new Argument('<base>', 'the base to load into').choices(BASES))
  .argument('[file...]', 'files to load, in order; - is standard input')
  .addOption(new Option('--from <format>', 'format of all files (default: recognised)').choices(FORMAT_NAMES))
  .option('--dry-run', 'write nothing; print what would be loaded')
  .option('--strict', 'exit with 1 if anything was rejected')
  .option('--rejects <file>', 'file for rejects (default: DATA_DIR/rejects/BASE-TIME.jsonl)')
  .addHelpText('after', helpText())
  .configureOutput(VISIBLE_ERRORS)
  .showHelpAfterError('(run with --help for the usage)')
  .action((base: string, files: string[], options: Options) =>
    runPlainly('ingest', async () => {
      if (!isOneOf(BASES, base)) throw new PlainError(`no base ${base}`);
      await ingest(base, files, options);
    }),
  );

await command.parseAsync();
// A pipe without data or without a writer would keep the process alive.
process.exit();

async function ingest(base: Base, files: readonly string[], options: Options): Promise<void> {
  process.umask(0o077);
  if (files.length === 0) command.error("error: missing required argument 'file'");
  const dataDir = dataFolder();
  const total = totalBytes(files);
  const format = formatNamed(options.from, base);
  if (options.rejects !== undefined) new RejectsFile(options.rejects).checkPath();
  // A dry run does not write to the data folder.
  const spoolFolder = options.dryRun === true ? tmpdir() : dataDir;
  const signal = interruption();
  if (format === undefined) await refuseUnknown(files, base, spoolFolder, signal);
  const worker = new RecordWorker(base);
  const common = {
    base,
    format,
    notes: new Notes(),
    spoolFolder,
    recordsOf: (batch: LineBatch) => worker.recordsOf(batch),
    now: () => new Date(),
    signal,
  };
  const count = options.dryRun === true ? countOnly : load;
  let result: LoadResult;
  try {
    result = await count(files, common, options, total, dataDir);
  } finally {
    worker.close();
    await worker.ended;
  }
  for (const message of result.outcome.damaged) process.stderr.write(`${visible(`ingest: ${message}`)}\n`);
  if (result.outcome.failure !== null) throw new PlainError(`stopped: ${result.outcome.failure}`);
  if (signal.aborted) {
    console.log('stopped before the end; run it again to continue');
    process.exitCode = 130;
  } else if (result.count === 0 && !(result.rejected === 0 && common.notes.hasOnlyEmptyAnswers)) {
    throw new PlainError(result.nothing);
  } else if (result.outcome.damaged.length > 0 || (options.strict === true && result.rejected > 0))
    process.exitCode = 1;
}

type Common = Omit<LoadOptions, 'writer' | 'rejects' | 'isOutdated' | 'onProgress' | 'notes'> & {
  readonly notes: Notes;
};

interface LoadResult {
  readonly outcome: LoadOutcome;
  /** Decisions of the files that are in the base after the load. */
  readonly count: number;
  readonly rejected: number;
  /** The message if there are none. */
  readonly nothing: string;
}

async function load(
  files: readonly string[],
  common: Common,
  options: Options,
  total: number | null,
  dataDir: string,
): Promise<LoadResult> {
  const { base, notes } = common;
  makeDataFolder(dataDir);
  refuseUnwritable(dataDir);
  const stamp = new Date().toISOString().replaceAll(/[:.]/gu, '-');
  const path = options.rejects ?? join(dataDir, 'rejects', `${base}-${stamp}.jsonl`);
  const rejects = new RejectsFile(path);
  rejects.checkPath();
  const db = openForWriting(dataDir, base);
  const progress = showProgress(total, 'decisions');
  const startedAt = performance.now();
  const writer = new BaseWriter(db);
  const loading = {
    ...common,
    writer,
    rejects,
    isOutdated: outdatedIn(writer),
    onProgress: (bytes: number) => progress.update(bytes, held(writer.committed)),
  };
  let leftInLog = false;
  const say = (error: unknown) => explainLoad(error, dataDir, base);
  const outcome = await loadAll(files, loading, say).finally(() => {
    progress.stop();
    rejects.close();
    leftInLog = checkpointAndClose(db);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  report({ base, counts: writer.committed, rejects, notes, seconds });
  if (leftInLog)
    console.log(`all is committed; another process still reads, so ${db.name}-wal stays until the next load`);
  const count = held(writer.committed) + notes.outdatedCount;
  return { outcome, count, rejected: rejects.count, nothing: 'nothing was loaded' };
}

/** Reads all files and writes nothing, except rejects if a file is given for them. */
async function countOnly(
  files: readonly string[],
  common: Common,
  options: Options,
  total: number | null,
  dataDir: string,
): Promise<LoadResult> {
  const dryRun = new DryRun(dataDir, kindsIn(dataDir, BASES));
  const rejects = new RejectsFile(options.rejects ?? null);
  const progress = showProgress(total, 'decisions');
  const onProgress = (bytes: number) => progress.update(bytes, dryRun.count);
  const outcome = await loadAll(files, { ...common, writer: dryRun, rejects, onProgress }).finally(() => {
    progress.stop();
    rejects.close();
  });
  console.log([...dryRun.lines(common.base, common.notes, rejects), ...notStored(rejects)].join('\n'));
  return { outcome, count: dryRun.count, rejected: rejects.count, nothing: 'nothing would be loaded' };
}

function formatNamed(name: string | undefined, base: Base): Formato | undefined {
  const format = FORMATOS.find((one) => one.name === name);
  if (format?.bases.includes(base) === false) {
    const choices = formatsOf(base).map((one) => one.name);
    throw new PlainError(`${format.name} does not load into ${base}; its formats: ${choices.join(', ')}`);
  }
  return format;
}

function helpText(): string {
  const width = Math.max(...FORMATOS.map(({ name }) => name.length));
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

/** Checkpoints the write-ahead log if no reader blocks it for long. @returns whether one did; a later load checkpoints it then. */
function checkpointAndClose(db: ReturnType<typeof openForWriting>): boolean {
  try {
    db.pragma(`busy_timeout = ${CHECKPOINT_WAIT_MS}`);
    const [row] = db.prepare<[], number>('PRAGMA wal_checkpoint(TRUNCATE)').pluck().all();
    return row === 1;
  } catch {
    // A later load or the last connection will checkpoint it.
    return false;
  } finally {
    db.close();
  }
}

/** The first Ctrl-C or SIGTERM stops the load and keeps the decisions read before; a second one kills the process. */
function interruption(): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  return controller.signal;
}
