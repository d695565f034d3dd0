import { closeSync, openSync, renameSync, statSync } from 'node:fs';
import pino, { type Logger } from 'pino';
import { PlainError, explain } from '../process/fail.ts';
import { FILE_MODE } from '../process/files.ts';
import type { Observer } from '../http/observer.ts';
import { withoutKeys } from '../keys/key.ts';

/** At this size the file is renamed to `FILE.1`, so both take at most twice as much. */
const FILE_BYTES_MAX = 64 * 2 ** 20;
/** Lines that wait for a slow disk; more are dropped and counted. */
const BUFFER_BYTES_MAX = 2 ** 20;
/** Keys with a number of their own in a day; further ones share 0. */
const KEYS_MAX = 100_000;
const WARN_EVERY_MS = 60_000;
const VERSION_HEADER = 'jurisprudencia-versao';

/** A line of the recording. `bun run load --replay` reads it. */
export interface RecordedRequest {
  /** Arrival, milliseconds since 1970. */
  readonly time: number;
  readonly path: string;
  /** Stands for a key during one UTC day. */
  readonly key: number;
  /** 0 if the client left before the answer. */
  readonly status: number;
  readonly ms: number;
  /** The header `Jurisprudencia-Versao`; null without one. */
  readonly data: string | null;
}

export interface SearchLog {
  readonly observe: Observer;
  close(): void;
}

/**
 * Records each search and record read with a known key, outside the event loop. A full or slow disk loses lines, and
 * delays no answer.
 * @param now wall clock, milliseconds since 1970.
 * @throws PlainError if the file cannot be written at the start.
 */
export function openSearchLog(
  file: string,
  log: Logger,
  now: () => number = Date.now,
  bytesMax = FILE_BYTES_MAX,
): SearchLog {
  let bytes = sizeOfWritable(file);
  const out = pino.destination({ dest: file, sync: false, mode: FILE_MODE, maxLength: BUFFER_BYTES_MAX });
  let warnedAt = Number.NEGATIVE_INFINITY;
  const report = (err?: unknown) => {
    if (now() - warnedAt < WARN_EVERY_MS) return;
    warnedAt = now();
    log.warn({ file, err }, 'SEARCH_LOG cannot be written as fast as searches come; lines are lost');
  };
  out.on('drop', () => {
    report();
  });
  out.on('error', report);
  const rotate = () => {
    try {
      renameSync(file, `${file}.1`);
      out.reopen();
    } catch (error) {
      report(error);
    }
  };
  const keyNumber = numbersOfDay(now);
  return {
    observe: ({ route, keyId, isAbandoned, startedAt }, status, request, response) => {
      if (keyId === null || (route !== 'busca' && route !== 'decisao')) return;
      const ms = performance.now() - startedAt;
      const { pathname, search } = new URL(request.url);
      const recorded: RecordedRequest = {
        time: Math.round(now() - ms),
        path: pathWithoutKeys(pathname + search),
        key: keyNumber(keyId),
        status: isAbandoned ? 0 : status,
        ms: Math.round(ms * 100) / 100,
        data: response.headers.get(VERSION_HEADER),
      };
      const line = `${JSON.stringify(recorded)}\n`;
      if (bytes + line.length > bytesMax) {
        bytes = 0;
        rotate();
      }
      bytes += line.length;
      out.write(line);
    },
    close: () => {
      out.end();
    },
  };
}

/** A client may by mistake search for its key, and write it with percent-encoded letters. */
function pathWithoutKeys(path: string): string {
  const decoded = path.replaceAll(/%([2-7][0-9a-f])/giu, (_, code: string) =>
    String.fromCharCode(Number.parseInt(code, 16)),
  );
  const holdsKey = withoutKeys(decoded) !== decoded;
  // What stands for a key must be as good a path as the rest.
  return withoutKeys(holdsKey ? decoded : path).replaceAll(/[^!-~]/gu, encodeURIComponent);
}

function sizeOfWritable(file: string): number {
  try {
    closeSync(openSync(file, 'a', FILE_MODE));
    return statSync(file).size;
  } catch (error) {
    throw new PlainError(`SEARCH_LOG: ${file} cannot be written: ${explain(error)}; name another file`);
  }
}

/** Numbers keys in the order in which a day sees them, so that no two days can be joined. */
function numbersOfDay(now: () => number): (keyId: string) => number {
  let day = '';
  const numbers = new Map<string, number>();
  return (keyId) => {
    const today = new Date(now()).toISOString().slice(0, 10);
    if (today !== day) numbers.clear();
    day = today;
    if (numbers.size >= KEYS_MAX && !numbers.has(keyId)) return 0;
    return numbers.getOrInsertComputed(keyId, () => numbers.size + 1);
  };
}
