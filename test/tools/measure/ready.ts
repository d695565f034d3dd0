import { PlainError } from '../../../src/process/fail.ts';
import { issueKey, revokeKey } from '../../../src/keys/store.ts';
import { searchAsk } from './asks.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { verdictOf } from './verdict.ts';
import { startChild, type ServiceChild } from './service.ts';

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
      // Behind a per-IP limit each poll is another client.
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

/** A key that is revoked by `revoke`, and also when this process ends before. */
export function temporaryKey(
  purpose: string,
  dataDir: string,
  quota: number,
): { key: string; revoke: () => void } {
  const name = `${purpose}-${process.pid}-${Date.now()}`;
  const key = issueKey(dataDir, name, quota, new Date());
  const end = () => revokeKey(dataDir, name, new Date());
  process.once('exit', end);
  return {
    key,
    revoke: () => {
      process.off('exit', end);
      end();
    },
  };
}
