import { closeSync, fsyncSync, openSync, writeSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Base } from '../contract/vocabulary.ts';
import { baseFile } from '../index/format/schema.ts';
import { openForWriting } from '../index/write/base-file.ts';
import { BaseWriter } from '../index/write/base-writer.ts';
import { isUnwiped, markUnwiped, namesIn, withdrawing } from '../index/write/wipe.ts';
import { codeOf, explain, PlainError } from '../process/fail.ts';
import { FILE_MODE } from '../process/files.ts';
import { endWithdrawal } from './coverage.ts';
import { findPicked, type PickedIds, type Picks } from './picks.ts';

/** In the data folder: who was withdrawn or readmitted when and why, and none of their texts. */
export const LOG_NAME = 'withdrawals.jsonl';
/** Withdrawn in one transaction, for whose time no load can write. */
const AT_ONCE = 2_000;

export interface Done {
  readonly lines: readonly string[];
  /** False if bytes are left because another process reads them. */
  readonly isWhole: boolean;
}

/**
 * Takes decisions out of their bases. If it is stopped, each decision is there or gone, and the next run does the rest.
 * @throws PlainError before any change if a decision is not known, or may be there under another number.
 */
export function withdraw(dataDir: string, picks: Picks, reason: string | null): Done {
  const found = [...picks].map(([base, picked]) => findPicked(dataDir, base, picked));
  for (const { base, readmitted } of found)
    if (readmitted[0] !== undefined)
      throw new PlainError(
        `${base}:${readmitted[0]} was readmitted: loaded again it has another id; withdraw that, or its key (--key); nothing was changed`,
      );
  const done = withdrawing(dataDir, () => found.map((one) => withdrawFrom(dataDir, one, reason)));
  return { lines: done.flatMap(({ lines }) => lines), isWhole: done.every(({ isWhole }) => isWhole) };
}

function withdrawFrom(dataDir: string, { base, held, withdrawn }: PickedIds, reason: string | null): Done {
  const before = withdrawn.length > 0 ? `, ${withdrawn.length} withdrawn before` : '';
  let gone = 0;
  const counted = () => `${base}: ${gone} withdrawn${before}`;
  try {
    if (held.length > 0) {
      markUnwiped(dataDir, base);
      withWriter(dataDir, base, (writer) => {
        for (; gone < held.length; gone = Math.min(gone + AT_ONCE, held.length)) {
          writer.withdraw(held.slice(gone, gone + AT_ONCE), (keys) => {
            writeLog(dataDir, 'withdraw', base, keys, reason);
          });
        }
      });
    }
    return isUnwiped(dataDir, base) ? ended(dataDir, base, counted()) : { lines: [counted()], isWhole: true };
  } catch (error) {
    if (codeOf(error) === '') throw error;
    const left = held.length - gone;
    const bytes =
      gone + withdrawn.length > 0 ? `; no search has the withdrawn ones, but the file has bytes of them` : '';
    return {
      lines: [counted() + (left > 0 ? `, ${left} not yet` : ''), `${base}: ${explain(error)}${bytes}`],
      isWhole: false,
    };
  }
}

/** Writes the file of a base anew. */
function ended(dataDir: string, base: Base, counted: string): Done {
  const lines = [counted];
  const isWhole = endWithdrawal(dataDir, base);
  lines.push(
    isWhole
      ? `${base}: the file is written anew, and rejected lines of earlier loads are removed`
      : `${base}: another process reads older data, so the bytes stay in ${baseFile(dataDir, base)}; ` +
          `end it and run: bun run withdraw ${base}`,
    ...otherPlaces(dataDir, base),
  );
  return { lines, isWhole };
}

/** Lets the keys of withdrawn decisions come again with a load. @throws PlainError before any change. */
export function readmit(dataDir: string, picks: Picks, reason: string | null): Done {
  const found = [...picks].map(([base, picked]) => findPicked(dataDir, base, picked));
  for (const { base, held } of found)
    if (held[0] !== undefined) throw new PlainError(`${base}:${held[0]} is not withdrawn`);
  const lines = found.map(({ base, withdrawn }) => {
    const keys = withdrawn.map((docId) => ({ docId, key: null }));
    writeLog(dataDir, 'readmit', base, keys, reason);
    const readmitted = withWriter(dataDir, base, (writer) => writer.readmit(withdrawn));
    const before = withdrawn.length - readmitted;
    return `${base}: ${readmitted} readmitted${before > 0 ? `, ${before} before` : ''}; a load gives each a new number`;
  });
  return { lines, isWhole: true };
}

function withWriter<Of>(dataDir: string, base: Base, work: (writer: BaseWriter) => Of): Of {
  const db = openForWriting(dataDir, base);
  try {
    return work(new BaseWriter(db));
  } finally {
    db.close();
  }
}

/** Durable before the change that it records. */
function writeLog(
  dataDir: string,
  action: 'withdraw' | 'readmit',
  base: Base,
  keys: readonly { readonly docId: number; readonly key: string | null }[],
  reason: string | null,
): void {
  const time = new Date().toISOString();
  const entries = keys.map(({ docId, key }) => ({ time, action, base, id: `${base}:${docId}`, key, reason }));
  const bytes = Buffer.from(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  const file = openSync(join(dataDir, LOG_NAME), 'a', FILE_MODE);
  try {
    for (let at = 0; at < bytes.length;) at += writeSync(file, bytes, at);
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

/** Where else the decisions may be. */
function otherPlaces(dataDir: string, base: Base): string[] {
  const folder = dirname(baseFile(dataDir, base));
  const left = namesIn(folder).filter((name) => name.startsWith(`${base}.db.`));
  return [
    ...left.map(
      (name) => `${base}: ${join(folder, name)}, the log of a file that was moved away, may have them`,
    ),
    ...(namesIn(dataDir).includes(`publish-${base}.lock`)
      ? [`${base}: published files have them until: bun run publish ${base} --purge --to PLACE`]
      : []),
  ];
}
