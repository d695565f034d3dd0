import { startMain, type ChildService } from '../../support/run.ts';
import { ProcessProbe } from './process.ts';
import { PlainError } from '../../../src/process/fail.ts';
import { issueKey, revokeKey } from '../../../src/keys/store.ts';
import { searchAsk, verdictOf } from './load.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';

export interface ServiceChild extends ChildService {
  readonly probe: ProcessProbe;
}

/** The settings of `bun start`, the image and the unit. */
const RAM_SIZE = { BUN_JSC_forceRAMSize: '1000000000' };

/**
 * Removes limits that would disturb a measurement; windows, queues and threads stay as shipped. The result cache is off,
 * because measurements repeat their requests.
 */
const ENVIRONMENT = {
  ...RAM_SIZE,
  LOG_LEVEL: 'warn',
  SLOW_MS: '0',
  IP_REQUESTS: '100000000',
  IDLE_TIMEOUT_S: '255',
  RESULT_CACHE_MB: '0',
};

/** Measures the service as shipped: an empty variable counts as unset. */
export const AS_SHIPPED = { RESULT_CACHE_MB: '' };

/** The bases' settings in this command's environment, for measuring others than the defaults. */
export function basesEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).filter(([name]) => name.startsWith('BASES_'));
  return Object.fromEntries(entries.map(([name, value]) => [name, value ?? '']));
}

export async function startChild(
  dataDir: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceChild> {
  const child = await startMain(dataDir, { ...ENVIRONMENT, ...basesEnvironment(), ...environment });
  return { ...child, probe: new ProcessProbe(child.pid) };
}

const READY_MS_MAX = 120_000;
const READY_POLL_MS = 50;

/** Starts the service and waits until all six bases answer. @throws PlainError when they do not. */
export async function startReady(
  dataDir: string,
  key: string,
  word: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<ServiceChild> {
  const service = await startChild(dataDir, environment);
  const client = new HttpClient(service.url, 1);
  const until = performance.now() + READY_MS_MAX;
  let verdict = '';
  let polls = 0;
  try {
    while (verdict !== 'complete') {
      service.needRunning();
      if (performance.now() > until) {
        throw new PlainError(
          `the bases do not answer (${verdict}): ${service.err().trim().split('\n').at(-1) ?? ''}`,
        );
      }
      polls += 1;
      // A different client address for each poll, because of the per-IP limit.
      const from = `10.0.${polls >> 8}.${polls & 255}`;
      verdict = verdictOf(await client.send({ ...searchAsk(key, word, 'recentes', null, 1), from }));
      if (verdict !== 'complete') await Bun.sleep(READY_POLL_MS);
    }
  } catch (error) {
    await service.stop();
    throw error;
  } finally {
    client.close();
  }
  return service;
}

/** More than any measurement needs. */
const QUOTA = 1_000_000_000;

/** A key that is revoked at the end of its block, and when this process ends earlier. */
export function temporaryKey(purpose: string, dataDir: string): Disposable & { key: string } {
  const name = `${purpose}-${process.pid}-${Date.now()}`;
  const key = issueKey(dataDir, name, QUOTA, new Date());
  const end = () => revokeKey(dataDir, name, new Date());
  process.once('exit', end);
  return {
    key,
    [Symbol.dispose]: () => {
      process.off('exit', end);
      end();
    },
  };
}
