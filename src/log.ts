import pino, { type Logger } from 'pino';
import pretty from 'pino-pretty';

/** The service's log, on standard error: pretty on a terminal, JSON lines otherwise. */
export function createLog(level: string): Logger {
  const stream = process.stderr.isTTY
    ? pretty({
        destination: 2,
        sync: true,
        singleLine: true,
        ignore: 'pid,hostname',
        translateTime: 'SYS:HH:MM:ss.l',
      })
    : pino.destination({ dest: 2, sync: true });
  return pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime }, stream);
}
