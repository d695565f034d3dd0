import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { writeAtomically } from '../../../src/process/files.ts';
import { fetchChecked } from '../../support/documented.ts';
import { until, expectNoUnhandledRejection } from './support-poll.ts';
import { faultFolder, impatient, startFaultService, type FaultService } from './support-service.ts';
import { Traffic } from './support-traffic.ts';

const ENTRY = new URL('./support-entry.ts', import.meta.url).href;
/** Answers after each change: enough for searches and reads to have met it. */
const ANSWERS = 40;
const BASE: Base = 'stj';

expectNoUnhandledRejection();

function start(entry: string | null, environment: Record<string, string> = {}): FaultService {
  return startFaultService(faultFolder(), {
    // Each answer is a thread's work.
    environment: { RESULT_CACHE_MB: '0', ...environment },
    ...(entry === null ? {} : { workerEntry: { [BASE]: entry } }),
  });
}

const state = ({ system }: FaultService) => system.states()[BASE];

// It mostly waits while the others run.
test.concurrent(
  'a window set longer than the idle time of a connection still gives its answers',
  async () => {
    await using service = start(ENTRY, {
      ...(impatient(BASE) as Record<string, string>),
      BASES_RELEVANCE_MS: '400',
      BASES_RECENCY_MS: '300',
      BASES_RECORD_MS: '500',
      IDLE_TIMEOUT_S: '1',
    });
    // On a new connection: on one that was used before, fetch asks again when the server closes it.
    const headers = { authorization: `Bearer ${service.key}`, connection: 'close' };
    const read = () => fetchChecked(`${service.url}/v1/jurisprudencia/${BASE}:1`, { headers });
    await until('the base answers', async () => (await read()).status === 200);
    await service.system.tuning.change(BASE, 'record_ms', 60_000);
    const flag = join(service.dataDir, `thread-fault-${BASE}`);
    writeAtomically(flag, 'hold');
    const answer = read();
    // Past the server's idle time at the start, which it counts in steps of four seconds.
    await Bun.sleep(12_000);
    rmSync(flag);
    expect((await answer).status).toBe(200);
  },
);

describe.concurrent('while requests run,', () => {
  // Each has readers who want an answer of every base.
  describe('in sequence,', { concurrent: false }, () => {
    test('threads, queue and windows change under searches and reads without an answer lost or a base unanswered', async () => {
      await using service = start(null, { BASES_THREADS: '2' });
      await using traffic = new Traffic(service);
      const { tuning } = service.system;
      traffic.start();
      await traffic.more(ANSWERS);
      for (const threads of [4, 1, 3]) {
        expect(await tuning.change(BASE, 'threads', threads)).toMatchObject({ para: threads });
        expect(state(service).threads).toBe(threads);
        await traffic.more(ANSWERS);
        expect(await tuning.change(BASE, 'queue_max', 100 + threads)).toMatchObject({ para: 100 + threads });
        expect(await tuning.change(BASE, 'relevance_ms', 10_000 + threads)).toMatchObject({ base: BASE });
        await traffic.more(ANSWERS);
      }
      expect(await traffic.stop()).toEqual([]);
      expect(traffic.unanswered.size).toBe(0);
      expect(state(service)).toMatchObject({ state: 'up', threads: 3, restarts: 0, threads_left_behind: 0 });
      expect(tuning.current[BASE]).toMatchObject({ threads: 3, queue_max: 103, relevance_ms: 10_003 });
    });

    test('two changes at once are made one after another', async () => {
      await using service = start(null);
      await using traffic = new Traffic(service);
      traffic.start();
      const { tuning } = service.system;
      await Promise.all([tuning.change(BASE, 'threads', 4), tuning.change(BASE, 'threads', 2)]);
      expect(state(service).threads).toBe(2);
      expect(tuning.history.map(({ de, para }) => [de, para])).toEqual([
        [4, 2],
        [1, 4],
      ]);
      await traffic.more(ANSWERS);
      expect(await traffic.stop()).toEqual([]);
    });

    test('a change while a base’s threads cannot start applies once they can, and affects no other base', async () => {
      await using service = start(ENTRY, impatient(BASE) as Record<string, string>);
      await using traffic = new Traffic(service);
      const flag = join(service.dataDir, `thread-fault-${BASE}`);
      traffic.allow(BASE);
      traffic.start();
      writeAtomically(flag, 'exit, then throw-import');
      await traffic.untilUnanswered(BASE);
      await until('the base is down', () => state(service).state === 'down');
      expect(await service.system.tuning.change(BASE, 'threads', 3)).toMatchObject({ para: 3 });
      rmSync(flag);
      await traffic.untilBack(BASE);
      await until('all three threads are there', () => state(service).threads === 3);
      await traffic.more(ANSWERS);
      expect(await traffic.stop()).toEqual([]);
    });

    test('a size whose threads do not start leaves the old ones working', async () => {
      await using service = start(ENTRY);
      await using traffic = new Traffic(service);
      const flag = join(service.dataDir, `thread-fault-${BASE}`);
      traffic.start();
      await traffic.more(ANSWERS);
      // Only what loads from now on meets it.
      writeAtomically(flag, 'throw-import');
      const refused = await service.system.tuning.change(BASE, 'threads', 2);
      expect(refused).toMatchObject({ recusa: 'sem_efeito', erro: expect.stringContaining('ficou com 1') });
      rmSync(flag);
      expect(service.system.tuning.current[BASE].threads).toBe(1);
      await traffic.more(ANSWERS);
      expect(await traffic.stop()).toEqual([]);
    });

    test('a service that is stopped during a change ends with every request answered', async () => {
      await using service = start(null);
      await using traffic = new Traffic(service);
      traffic.start();
      await traffic.more(ANSWERS);
      const changing = service.system.tuning.change(BASE, 'threads', 4);
      expect(await traffic.stop()).toEqual([]);
      await service.stop();
      expect(await changing).toSatisfy((result: object) => 'para' in result || 'recusa' in result);
    });
  });
});
