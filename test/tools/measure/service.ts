import { startMain, type ChildService } from '../../support/run.ts';
import { ProcessProbe } from './process.ts';

/** The service as a process, watched from outside. */
export interface ServiceChild extends ChildService {
  readonly probe: ProcessProbe;
}

/** As `bun start`, the image and the unit have it. */
export const RAM_SIZE = { BUN_JSC_forceRAMSize: '1000000000' };

/**
 * What no measurement wants in its way; windows, queues and threads stay as they are. Nothing is kept, because a measurement
 * repeats its requests to see what an answer costs.
 */
const ENVIRONMENT = {
  ...RAM_SIZE,
  LOG_LEVEL: 'warn',
  SLOW_MS: '0',
  IP_REQUESTS: '100000000',
  IDLE_TIMEOUT_S: '255',
  BASES_RESULT_CACHE_MB: '0',
};

/** To measure the service as its users have it: an empty variable is none. */
export const AS_SHIPPED = { BASES_RESULT_CACHE_MB: '' };

/** The bases' settings of this command's own environment, so that others than the defaults can be measured. */
export function basesEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => name.startsWith('BASES_'));
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? '']));
}

/** Starts the service on a data folder. @throws PlainError if it does not start. */
export async function startChild(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceChild> {
  const child = await startMain(dataDir, { ...ENVIRONMENT, ...basesEnvironment(), ...environment });
  return { ...child, probe: new ProcessProbe(child.pid) };
}
