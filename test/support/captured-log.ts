import pino from 'pino';

/** One line of a log, as an object. */
export type LogLine = Readonly<Record<string, unknown>> & { readonly level: number; readonly msg: string };

/** A log whose lines are kept as they come. */
export function capturedLog(level: string) {
  const lines: LogLine[] = [];
  const write = (line: string) => lines.push(JSON.parse(line) as LogLine);
  return { lines, log: pino({ level, base: null }, { write }) };
}
