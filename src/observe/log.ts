import { isatty } from 'node:tty';
import pino, { type Logger } from 'pino';
import { visibleLines } from '../process/visible.ts';
import { briefLine, isBrief } from './log-slow.ts';

export interface ServiceLog {
  readonly log: Logger;
  /** Waits until what was logged is written, `msMax` at the most; nothing is written after that. */
  end(msMax: number): Promise<void>;
}

export interface LogPlace {
  /** Standard error unless a test says otherwise. */
  readonly fd?: number;
  /** What waits for a reader; lines beyond that are dropped and counted. */
  readonly bufferBytesMax?: number;
  /** What is made of a line of JSON before it is written. */
  readonly format?: ((line: string) => string) | undefined;
}

const STDERR = 2;
const BUFFER_BYTES_MAX = 1024 * 1024;

/**
 * The service's log, on standard error, in JSON lines unless a `format` is given. Lines are written outside the event
 * loop: a disk that is slow, or a reader that has stopped, costs lines once the buffer is full, and never an answer.
 */
export function createLog(level: string, place: LogPlace = {}): ServiceLog {
  const { fd = STDERR, bufferBytesMax = BUFFER_BYTES_MAX, format } = place;
  const out = pino.destination({ dest: fd, sync: false, maxLength: bufferBytesMax });
  let waitingBytes = 0;
  let dropped = 0;
  let hasEnded = false;
  const write = (line: string) => {
    if (hasEnded) return;
    // JSON leaves some as they are that a terminal obeys; their codes are the same text to who reads JSON.
    const safe = visibleLines(line);
    const text = format?.(safe) ?? safe;
    waitingBytes += Buffer.byteLength(text);
    out.write(text);
  };
  const log = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, { write });
  out.on('write', (bytes) => {
    waitingBytes -= bytes;
  });
  out.on('drop', (text) => {
    waitingBytes -= Buffer.byteLength(text);
    dropped += 1;
  });
  out.on('drain', () => {
    if (dropped === 0) return;
    const lines = dropped;
    dropped = 0;
    log.warn({ lines }, 'lines of the log dropped: what reads it is too slow');
  });
  // A full disk, for instance: what could not be written is tried again with the next line.
  out.on('error', () => undefined);
  const end = async (msMax: number) => {
    if (waitingBytes > 0) await drained(out, msMax);
    hasEnded = true;
    // Else the process would wait at its exit, for as long as it takes, until somebody reads the rest.
    out.destroy();
  };
  return { log, end };
}

/** What makes lines for people, where standard error is a terminal; undefined elsewhere. */
export async function terminalFormat(isTerminal = isatty(STDERR)): Promise<LogPlace['format']> {
  if (!isTerminal) return undefined;
  // Loaded for a terminal alone: it takes 18 ms of a start.
  const { prettyFactory } = await import('pino-pretty');
  const common = { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' };
  const whole = prettyFactory({ ...common, singleLine: true });
  const brief = prettyFactory({ ...common, hideObject: true, messageFormat: (log) => briefLine(log) });
  return (line) => (isBrief(messageOf(line)) ? brief : whole)(withCodesAsText(line));
}

function messageOf(line: string): { readonly msg?: unknown } {
  const parsed: unknown = JSON.parse(line);
  return typeof parsed === 'object' && parsed !== null ? parsed : {};
}

/** A line of JSON whose codes of characters stay codes when it is read; ends of lines are ends of lines. */
function withCodesAsText(json: string): string {
  return json.replaceAll(/\\(?:(u[0-9a-f]{4}|[bfr])|.)/gu, (escape, code) =>
    code === undefined ? escape : `\\${escape}`,
  );
}

type Destination = ReturnType<typeof pino.destination>;

async function drained(out: Destination, msMax: number): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, msMax);
  out.once('drain', resolve);
  await promise;
  clearTimeout(timer);
}
