import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PlainError } from '../process/fail.ts';
import { showProgress } from '../process/progress.ts';
import { makeDataFolder, refuseUnwritable } from '../config/config.ts';
import { BASES, type Base } from '../contract/vocabulary.ts';
import { openForWriting } from '../index/write/base-file.ts';
import { BaseWriter } from '../index/write/base-writer.ts';
import { kindsIn, readBase } from '../index/write/kinds.ts';
import { isUnwiped, withdrawing } from '../index/write/wipe.ts';
import { barredKeys } from '../index/write/withdrawn.ts';
import { endWithdrawal } from '../withdraw/coverage.ts';
import type { Sink } from './batches.ts';
import { DryRun } from './dry-run.ts';
import { FORMATOS, formatsOf } from './formats/table.ts';
import type { Formato } from './formats/format.ts';
import type { LoadOptions } from './load.ts';
import { loadAll, refuseUnknown, totalBytes } from './load-all.ts';
import { Notes } from './notes.ts';
import type { LineBatch } from './record-maker.ts';
import type { RecordWorker } from './record-worker.ts';
import { RejectsFile } from './rejects.ts';
import { held, notStored, report } from './report.ts';

/** At the end of a load: longest wait for readers, after which the write-ahead log stays. Searches take less. */
const CHECKPOINT_WAIT_MS = 1_000;

export interface IngestOptions {
  readonly from?: string;
  readonly dryRun?: true;
  readonly strict?: true;
  readonly includeSealed?: true;
  readonly rejects?: string;
}

export interface IngestParts {
  readonly dataDir: string;
  readonly signal: AbortSignal;
  readonly startWorker: () => Pick<RecordWorker, 'recordsOf' | 'close' | 'ended'>;
  readonly check?: LoadOptions['check'];
}

/** A load's output and exit code. */
export interface Ended {
  readonly out: readonly string[];
  readonly err: readonly string[];
  readonly exitCode: number;
  /** True if the load itself failed, as on a full disk, and not one of its files. */
  readonly hasFailed: boolean;
  /** True if files are whole, and each of their records was rejected, as are those of withdrawn decisions. */
  readonly isAllRejected: boolean;
}

/** Loads files into a base, or counts what a load would write. @throws PlainError if the load cannot begin. */
export async function ingest(
  base: Base,
  files: readonly string[],
  options: IngestOptions,
  { dataDir, signal, startWorker, check }: IngestParts,
): Promise<Ended> {
  const total = totalBytes(files);
  const format = formatNamed(options.from, base);
  if (options.rejects !== undefined) new RejectsFile(options.rejects).checkPath();
  // A dry run does not write to the data folder.
  const spoolFolder = options.dryRun === true ? tmpdir() : dataDir;
  if (format === undefined) await refuseUnknown(files, base, spoolFolder, signal);
  const notes = new Notes();
  const target = (options.dryRun === true ? dryRunTarget : baseTarget)(base, options, notes, dataDir);
  const { rejects, writer } = target;
  const worker = startWorker();
  const progress = showProgress(total, 'decisions');
  const loading = {
    base,
    format,
    notes,
    includeSealed: options.includeSealed === true,
    spoolFolder,
    signal,
    rejects,
    writer,
    check,
    recordsOf: (batch: LineBatch) => worker.recordsOf(batch),
    now: () => new Date(),
    onProgress: (bytes: number) => progress.update(bytes, target.count()),
  };
  const { failure, damaged } = await loadAll(files, loading).finally(() => {
    progress.stop();
    rejects.close();
    target.close();
    worker.close();
  });
  await worker.ended;
  const out = target.lines();
  const hasAny = target.count() + notes.outdatedCount > 0;
  const isAllRejected = damaged.length === 0 && !hasAny && rejects.count > 0;
  const state = { hasFailed: failure !== null, isAllRejected };
  const ended = (exitCode: number, err = damaged) => ({ out, err, exitCode, ...state });
  if (failure !== null) return ended(1, [...damaged, `stopped: ${failure}`]);
  if (signal.aborted) {
    out.push('stopped before the end; run it again to continue');
    return ended(130);
  }
  if (!hasAny && !(rejects.count === 0 && notes.hasOnlyEmptyAnswers))
    return ended(1, [...damaged, target.nothing]);
  const isFaulty = damaged.length > 0 || (options.strict === true && rejects.count > 0);
  return ended(isFaulty ? 1 : 0);
}

/** Where decisions go. */
interface Target {
  readonly writer: Sink;
  readonly rejects: RejectsFile;
  /** Decisions from the files that are in the base now. */
  readonly count: () => number;
  readonly close: () => void;
  /** The report, after `close`. */
  readonly lines: () => string[];
  /** The message if there are none. */
  readonly nothing: string;
}

type OpenTarget = (base: Base, options: IngestOptions, notes: Notes, dataDir: string) => Target;

const baseTarget: OpenTarget = (base, options, notes, dataDir) => {
  makeDataFolder(dataDir);
  refuseUnwritable(dataDir);
  const stamp = new Date().toISOString().replaceAll(/[:.]/gu, '-');
  const rejects = new RejectsFile(options.rejects ?? join(dataDir, 'rejects', `${base}-${stamp}.jsonl`));
  rejects.checkPath();
  // A withdrawal was stopped before its end.
  if (isUnwiped(dataDir, base)) withdrawing(dataDir, () => endWithdrawal(dataDir, base));
  const db = openForWriting(dataDir, base);
  const startedAt = performance.now();
  const writer = new BaseWriter(db);
  let isLogLeft = false;
  return {
    writer,
    rejects,
    count: () => held(writer.committed),
    close: () => {
      isLogLeft = checkpointAndClose(db);
    },
    lines: () => {
      const seconds = (performance.now() - startedAt) / 1000;
      const left = `all is committed; another process still reads, so ${db.name}-wal stays until the next load`;
      const lines = report({ base, counts: writer.committed, rejects, notes, seconds });
      return isLogLeft ? [...lines, left] : lines;
    },
    nothing: 'nothing was loaded',
  };
};

/** Writes nothing, except rejects if a file is given for them. */
const dryRunTarget: OpenTarget = (base, options, notes, dataDir) => {
  const writer = new DryRun(
    dataDir,
    kindsIn(dataDir, BASES),
    readBase(dataDir, base, { readonly: false }, barredKeys) ?? new Map(),
  );
  const rejects = new RejectsFile(options.rejects ?? null);
  return {
    writer,
    rejects,
    count: () => writer.count,
    close: () => undefined,
    lines: () => [...writer.lines(base, notes, rejects), ...notStored(rejects)],
    nothing: 'nothing would be loaded',
  };
};

function formatNamed(name: string | undefined, base: Base): Formato | undefined {
  const format = FORMATOS.find((one) => one.name === name);
  if (format?.bases.includes(base) === false) {
    const choices = formatsOf(base).map((one) => one.name);
    throw new PlainError(`${format.name} does not load into ${base}; its formats: ${choices.join(', ')}`);
  }
  return format;
}

/** Checkpoints the write-ahead log if no reader blocks it for long. @returns whether one did; a later load does it then. */
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
