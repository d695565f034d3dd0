import { isatty } from 'node:tty';
import pino, { type Logger } from 'pino';
import { within } from '../clock.ts';
import { visibleLines } from '../process/visible.ts';

/** Longest wait for the log to be written when the service stops. */
export const LOG_END_MS_MAX = 1_000;

export interface ServiceLog {
  readonly log: Logger;
  /** Waits up to `msMax` until all lines are written; later lines are dropped. */
  end(msMax: number): Promise<void>;
}

export interface LogPlace {
  /** Standard error, except in tests. */
  readonly fd?: number;
  /** The size of the buffer; lines beyond it are dropped and counted. */
  readonly bufferBytesMax?: number;
  /** Formats a JSON line before it is written. */
  readonly format?: ((line: string) => string) | undefined;
}

/** Fields of a line that are too long for a terminal: the JSON lines and the console have them. */
const LONG = 'steps,leitura,ordem_aplicada';

const STDERR = 2;
const BUFFER_BYTES_MAX = 1024 * 1024;

/**
 * The service's log, on standard error, in JSON lines unless a `format` is given. Lines are written outside the event
 * loop: a slow disk or a stopped reader loses lines once the buffer is full, but never delays an answer.
 */
export function createLog(level: string, place: LogPlace = {}): ServiceLog {
  const { fd = STDERR, bufferBytesMax = BUFFER_BYTES_MAX, format } = place;
  const out = pino.destination({ dest: fd, sync: false, maxLength: bufferBytesMax });
  let waitingBytes = 0;
  let dropped = 0;
  let hasEnded = false;
  const write = (line: string) => {
    if (hasEnded) return;
    // JSON does not escape all characters that a terminal obeys; escaped, they are the same text to a JSON reader.
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
  // A full disk, for instance: unwritten text is retried with the next line.
  out.on('error', () => undefined);
  const end = async (msMax: number) => {
    if (waitingBytes > 0) await within(msMax, new Promise((resolve) => out.once('drain', resolve)));
    hasEnded = true;
    // Otherwise the process would wait at exit, without limit, until somebody reads the rest.
    out.destroy();
  };
  return { log, end };
}

/** The formatter of readable lines, if standard error is a terminal; else undefined. */
export async function terminalFormat(isTerminal = isatty(STDERR)): Promise<LogPlace['format']> {
  if (!isTerminal) return undefined;
  // Loaded only for a terminal: it takes 18 ms of a start.
  const { prettyFactory } = await import('pino-pretty');
  const pretty = prettyFactory({
    ignore: `pid,hostname,${LONG}`,
    translateTime: 'SYS:HH:MM:ss.l',
    singleLine: true,
  });
  return (line) => pretty(withCodesAsText(line));
}

/** A JSON line whose character escapes survive parsing, except for line ends. */
function withCodesAsText(json: string): string {
  return json.replaceAll(/\\(?:(u[0-9a-f]{4}|[bfr])|.)/gu, (escape, code) =>
    code === undefined ? escape : `\\${escape}`,
  );
}
