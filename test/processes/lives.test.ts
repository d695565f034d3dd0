import { mkdirSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { issueKey } from '../../src/keys/store.ts';
import { refuseOtherSystems } from '../../src/processes/parent.ts';
import { CRASH, run } from '../support/run.ts';
import { expectNoUnhandledRejection, expectWithin, until } from '../tools/faults/support-poll.ts';
import {
  isAlive,
  pidOf,
  remainingIn,
  SEARCH,
  sharedFolder,
  startProcesses,
  type Processes,
} from './support-processes.ts';

expectNoUnhandledRejection();

const CLIENTS = 8;
/** Longer than the service lets a process be silent. */
const HUNG = 'SIGSTOP';

/** Clients that search one after the other until they are told to stop, each time on a new connection. */
class Load {
  readonly failedAt: number[] = [];
  answered = 0;
  wrong: string[] = [];
  #isOver = false;
  readonly #clients: Promise<void[]>;

  constructor(service: Processes) {
    const client = async () => {
      while (!this.#isOver) {
        try {
          const response = await service.get(SEARCH);
          const body = (await response.json()) as { itens: unknown[]; bases_sem_resposta: unknown[] };
          this.answered += 1;
          if (response.status !== 200 || body.itens.length !== 6 || body.bases_sem_resposta.length > 0)
            this.wrong.push(`${response.status} ${JSON.stringify(body).slice(0, 200)}`);
        } catch {
          this.failedAt.push(performance.now());
        }
      }
    };
    this.#clients = Promise.all(Array.from({ length: CLIENTS }, client));
  }

  async end(): Promise<void> {
    this.#isOver = true;
    await this.#clients;
  }
}

/** Kills a process. @returns how long it takes until another one serves in its place, milliseconds. */
async function backAfterKill(
  service: Processes,
  number: number,
): Promise<{ readonly killedAt: number; readonly ms: number }> {
  const killed = await pidOf(service, number);
  process.kill(killed, 'SIGKILL');
  const killedAt = performance.now();
  await until('another one serves in its place', async () => {
    const found = (await service.processes())[number - 1];
    return found?.estado === 'atende' && found.pid !== killed;
  });
  return { killedAt, ms: performance.now() - killedAt };
}

/** The log is written apart from the work, so a line may come later than what it tells of. */
async function untilSaid(service: Processes, text: string): Promise<void> {
  await until(`the log says “${text}”`, () => service.child.err().includes(text));
}

// Each start is of 18 threads: these share one service, and the last one stops it.
describe('a process that serves', () => {
  let service: Processes;
  beforeAll(async () => {
    service = await startProcesses(3, { BASES_RESULT_CACHE_MB: '0', SHUTDOWN_MS: '60000' });
  });
  afterAll(() => service[Symbol.asyncDispose]());

  test('and is killed under load takes only its own requests with it, and is back within two seconds', async () => {
    // What a start takes on this machine, which others may use as well.
    const { ms: idleMs } = await backAfterKill(service, 2);
    let kills = 0;
    await expectWithin(Math.max(2_000, 4 * idleMs), async () => {
      kills += 1;
      const load = new Load(service);
      await until('the load has begun', () => load.answered > 100);
      const { killedAt, ms: backMs } = await backAfterKill(service, 1);
      const before = load.answered;
      await until('the load goes on', () => load.answered > before + 100);
      await load.end();
      // A client may fail twice: with its request, and with a connection that the dying process still took in.
      expect(load.failedAt.length).toBeLessThanOrEqual(2 * CLIENTS);
      expect(load.failedAt.filter((at) => at > killedAt + Math.max(1_000, backMs))).toEqual([]);
      expect(load.wrong).toEqual([]);
      return backMs;
    });
    await untilSaid(service, 'process died, and is started anew');
    expect((await service.processes()).map(({ reinicios }) => reinicios)).toEqual([kills, 1, 0]);
  });

  test('and gets SIGTERM answers its running requests, and another takes its place', async () => {
    const load = new Load(service);
    await until('the load has begun', () => load.answered > 50);
    process.kill(await pidOf(service, 2), 'SIGTERM');
    await until('another one serves in its place', async () => {
      const second = (await service.processes())[1];
      return second?.reinicios === 2 && second.estado === 'atende';
    });
    await load.end();
    expect(load.wrong).toEqual([]);
    // A connection that was waiting to be taken may be lost with the socket that it waited at.
    expect(load.failedAt.length).toBeLessThanOrEqual(2 * CLIENTS);
    expect(service.child.hasEnded()).toBe(false);
  });

  test('and cannot start again is tried less and less often while the others serve, and is back once it can', async () => {
    const secret = join(service.dataDir, 'cursor-secret');
    renameSync(secret, `${secret}.away`);
    mkdirSync(secret);
    const said = service.child.err().length;
    process.kill(await pidOf(service, 3), 'SIGKILL');
    const delays = () =>
      [
        ...service.child
          .err()
          .slice(said)
          .matchAll(/"again_in_ms":(\d+)/g),
      ].map(([, ms]) => Number(ms));
    const putOff = () => delays().filter((ms) => ms > 0);
    // A connection that was waiting at its socket is lost with it.
    await until('its end was noticed', () => delays().length > 0);
    await until('it was tried a few times', async () => {
      expect((await service.get(SEARCH)).status).toBe(200);
      return putOff().length >= 4;
    });
    expect(delays()[0]).toBe(0);
    expect(putOff().slice(0, 4)).toEqual([250, 500, 1_000, 2_000]);
    await untilSaid(service, 'cursor-secret');
    const ready = await fetch(`${service.adminUrl}/health/ready`);
    expect(ready.status).toBe(200);
    rmSync(secret, { recursive: true });
    renameSync(`${secret}.away`, secret);
    await until('it serves again', async () => (await service.processes())[2]?.estado === 'atende');
  });

  test('does without a parent that stands still, and has it count what was granted meanwhile', async () => {
    const key = issueKey(service.dataDir, 'mil', 1_000, new Date());
    expect((await service.get(SEARCH, key)).status).toBe(200);
    service.child.kill('SIGSTOP');
    const startedAt = performance.now();
    const eight = () => Promise.all(Array.from({ length: 8 }, () => service.get(SEARCH, key)));
    const first = await eight();
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect([...first, ...(await eight())].map(({ status }) => status)).toEqual(Array(16).fill(200));
    service.child.kill('SIGCONT');
    await until('all are counted', async () => {
      const { headers } = await service.get(`${SEARCH}&limite=0`, key);
      return headers.get('ratelimit')?.includes('r=983;') === true;
    });
  });

  test('answers its running requests when the parent gets SIGINT, which ends with 0', async () => {
    const pids = (await service.processes()).map(({ pid }) => pid ?? 0);
    const said = service.child.err().length;
    const used = async () => 1_000_000 - remainingIn(await service.get(`${SEARCH}&limite=0`));
    const before = await used();
    const slow = Promise.all(
      Array.from({ length: 20 }, () => service.get('/v1/jurisprudencia/busca?q=a*+OR+e*&limite=50')),
    );
    while ((await used()) < before + 20) await Promise.resolve();
    // As a terminal, or systemd, does: all of them are told, and some twice.
    for (const pid of pids) process.kill(pid, 'SIGINT');
    service.child.kill('SIGINT');
    for (const response of await slow) {
      expect(response.status).toBe(200);
      expect(((await response.json()) as { bases_sem_resposta: unknown[] }).bases_sem_resposta).toEqual([]);
    }
    expect(await service.child.ended).toBe(0);
    expect(pids.some(isAlive)).toBe(false);
    expect(service.child.err().slice(said)).not.toMatch(CRASH);
    expect(service.child.err().slice(said)).not.toContain('process died');
  });
});

describe.concurrent('a service of several processes', () => {
  test('replaces one that hangs; a parent that is killed takes all with it, and the port is free', async () => {
    await using service = await startProcesses(2);
    process.kill(await pidOf(service, 2), HUNG);
    await until('it was replaced', async () => (await service.processes())[1]?.reinicios === 1);
    await untilSaid(service, 'process hangs, and is ended');
    const pids = (await service.processes()).flatMap(({ pid }) => pid ?? []);
    expect(pids.every(isAlive)).toBe(true);
    service.child.kill('SIGKILL');
    await until('all have ended', () => !pids.some(isAlive));
    const server = Bun.serve({
      port: Number(new URL(service.url).port),
      hostname: '127.0.0.1',
      reusePort: false,
      fetch: () => new Response(),
    });
    await server.stop(true);
  });
});

describe.concurrent('PROCESSES', () => {
  test('of more than it may be is refused with what it may be', async () => {
    const { exitCode, err } = await run('main.ts', [], { PROCESSES: '257', PORT: '0', ADMIN_PORT: '0' });
    expect(exitCode).toBe(1);
    expect(err).toContain('PROCESSES: must be a whole number from 1 to 256');
  });

  test('of more than one is refused where processes cannot share a port', () => {
    expect(() => {
      refuseOtherSystems('darwin');
    }).toThrow(/PROCESSES: .*Linux only.*set it to 1/);
    expect(() => {
      refuseOtherSystems('linux');
    }).not.toThrow();
  });

  test.each([false, true])('of 2 finds a port in use, and names it (shared: %s)', async (reusePort) => {
    using other = Bun.serve({ port: 0, hostname: '127.0.0.1', reusePort, fetch: () => new Response() });
    const { exitCode, err, out } = await run('main.ts', [], {
      DATA_DIR: sharedFolder(),
      PROCESSES: '2',
      PORT: String(other.port),
      ADMIN_PORT: '0',
    });
    expect(exitCode).toBe(1);
    expect(err).toMatch(/127\.0\.0\.1:\d+ is in use; set PORT/);
    expect(out).not.toContain('Serving');
  });

  test('of 2 says why when no process can start', async () => {
    const settings = { DATA_DIR: sharedFolder(), PROCESSES: '2', PORT: '0', ADMIN_PORT: '0' };
    const { exitCode, err } = await run('main.ts', [], { ...settings, HOST: '192.0.2.1' });
    expect(exitCode).toBe(1);
    expect(err).toContain('not an address of this machine; set HOST');
    const traces = await run('main.ts', [], { ...settings, OTEL_EXPORTER_OTLP_ENDPOINT: 'nowhere' });
    expect(traces.exitCode).toBe(1);
    expect(traces.err).toContain('OTEL_EXPORTER_OTLP_ENDPOINT');
    expect(traces.err).not.toMatch(CRASH);
  });
});
