import { JurisprudenciaError } from '../../client/client.ts';
import { explain } from '../../process/fail.ts';
import { noteText } from './text.ts';

export const EXIT = {
  found: 0,
  nothing: 1,
  usage: 2,
  key: 3,
  limit: 4,
  noAnswer: 5,
  partial: 6,
  interrupted: 130,
} as const;

/** Of `conferir`, whose 2 tells a script that something is to be looked at. */
export const CHECK_EXIT = { confirmed: 0, usage: 1, notConfirmed: 2 } as const;

/** Parameters whose option has another name. */
const OPTIONS = [
  ['data_de', '--desde'],
  ['data_ate', '--ate'],
] as const;

/** Prints an error to standard error and sets the exit code. @param usage the code for a wrong request. */
export function reportFailure(error: unknown, signal: AbortSignal, usage: number): void {
  if (signal.aborted) {
    process.exitCode = EXIT.interrupted;
    return;
  }
  if (!(error instanceof JurisprudenciaError)) {
    process.stderr.write(noteText(explain(error)));
    process.exitCode = usage;
    return;
  }
  const code = error.codigo === null ? '' : ` (${error.codigo})`;
  const request = error.requestId === null ? '' : `, X-Request-Id ${error.requestId}`;
  const message = OPTIONS.reduce((text, [name, option]) => text.replaceAll(name, option), error.message);
  process.stderr.write(noteText(message + code + (error.status === 500 ? request : '')));
  process.exitCode = error.status === 400 ? usage : exitCodeOf(error);
}

function exitCodeOf({ status, codigo }: JurisprudenciaError): number {
  if (codigo === 'DECISAO_NAO_ENCONTRADA') return EXIT.nothing;
  if (status === 401 || codigo === 'NAO_AUTORIZADO') return EXIT.key;
  return status === 429 ? EXIT.limit : EXIT.noAnswer;
}
