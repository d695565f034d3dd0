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

/** Messages that list all asks: too long for a terminal, where the worst base is enough. */
const BRIEF: ReadonlyMap<unknown, string> = new Map([
  ['slow request', 'slow'],
  ['request not answered', 'not answered'],
]);

/** Such a line, as `http/request-log.ts` writes it. */
interface Line {
  readonly msg: string;
  readonly request_id: string;
  readonly route: string;
  readonly ms: number;
  readonly steps?: readonly { readonly base: string; readonly queue_ms: number; readonly run_ms: number }[];
}

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
  const common = { ignore: 'pid,hostname', translateTime: 'SYS:HH:MM:ss.l' };
  const full = prettyFactory({ ...common, singleLine: true });
  const brief = prettyFactory({ ...common, hideObject: true, messageFormat: briefLine });
  return (line) => (BRIEF.has(messageOf(line).msg) ? brief : full)(withCodesAsText(line));
}

function messageOf(line: string): { readonly msg?: unknown } {
  const parsed: unknown = JSON.parse(line);
  return typeof parsed === 'object' && parsed !== null ? parsed : {};
}

/** A JSON line whose character escapes survive parsing, except for line ends. */
function withCodesAsText(json: string): string {
  return json.replaceAll(/\\(?:(u[0-9a-f]{4}|[bfr])|.)/gu, (escape, code) =>
    code === undefined ? escape : `\\${escape}`,
  );
}

/** Such a line for a terminal: route, time, the slowest base with its times in queue and thread, and the id of the JSON line. */
function briefLine(line: object): string {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- given only lines in `BRIEF`
  const { msg, request_id, route, ms, steps = [] } = line as Line;
  const times = [...Map.groupBy(steps, ({ base }) => base)].map(([base, asks]) => {
    const queueMs = asks.reduce((sum, { queue_ms }) => sum + queue_ms, 0);
    const runMs = asks.reduce((sum, { run_ms }) => sum + run_ms, 0);
    return {
      totalMs: queueMs + runMs,
      text: `${base} queue ${Math.round(queueMs)} run ${Math.round(runMs)}`,
    };
  });
  const [worst] = times.toSorted((a, b) => b.totalMs - a.totalMs);
  // None was asked, or all answered from the result cache.
  const base = worst === undefined || worst.totalMs === 0 ? '' : `, worst ${worst.text}`;
  return `${BRIEF.get(msg)}: ${route} ${Math.round(ms)} ms${base}, id ${request_id}`;
}
