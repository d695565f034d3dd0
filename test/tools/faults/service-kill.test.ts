import { Compile } from 'typebox/compile';
import { beforeAll, describe, expect, test } from 'vitest';
import { BuscaSchema } from '../../../src/contract/busca.ts';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { BUSCA, decisaoPath } from '../../http/checks.ts';
import { CRASH, startMain, type ChildService } from '../../support/run.ts';
import { COMUM } from './support-corpus.ts';
import { KeepAlive, type Ending } from './support-keep-alive.ts';
import { expectNoUnhandledRejection, seeded, until } from './support-poll.ts';
import { EACH, faultFolder, PATIENT, type Folder } from './support-service.ts';
import { isRejected, Traffic } from './support-traffic.ts';
import { fetchAs, fetchChecked } from '../../support/documented.ts';

const busca = Compile(BuscaSchema);
const CONNECTIONS = 24;
/** Answers before the signal, so that it comes in the middle of the load. */
const ANSWERS = 80;
const SHUTDOWN_MS = 10_000;
const HALT_MS = 1_000;
/** So long, at least, an open connection may be used on after the signal. A client that is slower may have to ask again. */
const LAST_WORD_MS = 100;
const SETTINGS = {
  ...PATIENT,
  // Each answer is a thread's work.
  RESULT_CACHE_MB: '0',
  SHUTDOWN_MS: String(SHUTDOWN_MS),
};
const SEARCH = `${BUSCA}?${new URLSearchParams({ q: COMUM, limite: '50' }).toString()}`;

expectNoUnhandledRejection();

let folder: Folder;
beforeAll(() => {
  folder = faultFolder();
});
const start = (environment: Record<string, string> = {}): Promise<ChildService> =>
  startMain(folder.dataDir, { ...SETTINGS, ...environment });

function faultOf(path: string, ending: Ending & { kind: 'answered' }): string | null {
  if (ending.status !== 200) return `${ending.status} ${ending.body}`;
  const body: unknown = JSON.parse(ending.body);
  if (path !== SEARCH) return folder.loaded.faultOfRecord(body as never);
  if (!busca.Check(body)) return `not a Busca: ${ending.body.slice(0, 200)}`;
  if (body.bases_sem_resposta.length > 0 && !isRejected(body))
    return `not answering: ${JSON.stringify(body.bases_sem_resposta)}`;
  return (
    body.itens.map((item) => folder.loaded.faultOfItem({ ...item })).find((fault) => fault !== null) ?? null
  );
}

interface Load {
  answers: number;
  readonly faults: string[];
  readonly lost: string[];
  readonly done: Promise<unknown>;
}

/**
 * Clients that send one request after the other until the service is gone. `pipelined`: as browsers and proxies do,
 * a client goes on using its connection as long as it is open and no answer announced its close.
 */
function load(url: string, sinceSignalMs: () => number | null, sendsAfterSignal: boolean): Load {
  const random = seeded(7);
  const result = { answers: 0, faults: [] as string[], lost: [] as string[] };
  const isSignalled = () => sinceSignalMs() !== null;
  const client = async () => {
    let isGone = false;
    while (!isGone) {
      const connection = new KeepAlive(url);
      while (!connection.isOver) {
        if (isSignalled() && !sendsAfterSignal) break;
        const path = random() < 0.5 ? SEARCH : decisaoPath(`stj:${1 + Math.floor(random() * EACH)}`);
        const sentMs = sinceSignalMs();
        const ending = await connection.request(path, folder.key);
        if (ending.kind === 'refused') isGone = true;
        if (ending.kind === 'lost' && (sentMs ?? 0) < LAST_WORD_MS)
          result.lost.push(`${sentMs === null ? 'before' : `${sentMs} ms after`} the signal: ${ending.got}`);
        if (ending.kind !== 'answered') break;
        result.answers += 1;
        const fault = faultOf(path, ending);
        if (fault !== null) result.faults.push(fault);
        if (ending.closes) break;
      }
      connection.close();
      if (isSignalled()) isGone = true;
    }
  };
  const done = Promise.all(Array.from({ length: CONNECTIONS }, client));
  return Object.assign(result, { done });
}

async function signalUnderLoad(sendsAfterSignal: boolean): Promise<{ child: ChildService; load: Load }> {
  const child = await start();
  let signalledAt: number | null = null;
  const sinceSignalMs = () => (signalledAt === null ? null : performance.now() - signalledAt);
  const under = load(child.url, sinceSignalMs, sendsAfterSignal);
  await until('the load ran', () => under.answers >= ANSWERS || under.faults.length > 0);
  signalledAt = performance.now();
  child.kill('SIGTERM');
  await under.done;
  return { child, load: under };
}

describe.concurrent('after SIGTERM under load', () => {
  test('every earlier request gets its full answer, and the service exits with 0', async () => {
    const { child, load: under } = await signalUnderLoad(false);
    expect(under.lost).toEqual([]);
    expect(under.faults).toEqual([]);
    expect(await child.ended).toBe(0);
    expect(child.err()).not.toMatch(CRASH);
  });

  test('no request on a busy connection is lost, and the service exits with 0', async () => {
    for (let round = 0; round < 2; round += 1) {
      const { child, load: under } = await signalUnderLoad(true);
      expect(under.lost).toEqual([]);
      expect(under.faults).toEqual([]);
      expect(await child.ended).toBe(0);
      expect(child.err()).not.toMatch(CRASH);
    }
  });

  test('an unfinished request does not keep the service from exiting with 0', async () => {
    await using child = await start({ SHUTDOWN_MS: '300' });
    const { hostname, port } = new URL(child.url);
    const sockets = await Promise.all(
      ['GET /v1/juris', `GET ${BUSCA} HTTP/1.1\r\nHost: x\r\n`, ''].map((bytes) =>
        Bun.connect({
          hostname,
          port: Number(port),
          socket: {
            open: (socket) => void socket.write(bytes),
            data: () => undefined,
            error: () => undefined,
          },
        }),
      ),
    );
    expect((await fetchChecked(`${child.url}/v1/jurisprudencia/cobertura`)).status).toBe(200);
    child.kill('SIGTERM');
    expect(await child.ended).toBe(0);
    for (const socket of sockets) socket.end();
  });

  test('twice in a row running requests still end', async () => {
    await using child = await start();
    const connection = new KeepAlive(child.url);
    expect(await connection.request(decisaoPath('stj:1'), folder.key)).toMatchObject({ status: 200 });
    const asked = connection.request(SEARCH, folder.key);
    await until('it was charged', async () => {
      const answer = await fetchAs(child.url + BUSCA, folder.key);
      return /r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1] === String(1_000_000 - 2);
    });
    child.kill('SIGTERM');
    child.kill('SIGINT');
    expect(await asked).toMatchObject({ kind: 'answered', status: 200 });
    expect(await child.ended).toBe(0);
  });
});

describe.concurrent('under load', () => {
  test('killed with -9 repeatedly, the service starts again and serves all', async () => {
    for (let round = 0; round < 2; round += 1) {
      await using child = await start();
      const traffic = new Traffic({ ...folder, url: child.url, seed: round });
      traffic.start();
      await traffic.more(60);
      child.kill('SIGKILL');
      expect(await child.ended).toBeNull();
      // Whatever came before the kill was right; what came after it is no answer at all.
      const problems = await traffic.stop();
      expect(problems.filter((problem) => !/connect|socket|closed|reset|Unable/i.test(problem))).toEqual([]);
    }
    await using last = await start();
    const traffic = new Traffic({ ...folder, url: last.url });
    traffic.start();
    for (const base of BASES) {
      await traffic.readEach(
        base,
        Array.from({ length: EACH }, (_, at) => at + 1),
      );
    }
    await traffic.more(ANSWERS);
    expect(traffic.takeProblems()).toEqual([]);
    expect(await traffic.stop()).toEqual([]);
  });

  test('stopped for a second and continued, the service still answers', async () => {
    await using child = await start();
    const traffic = new Traffic({ ...folder, url: child.url, searchers: 6, readers: 6 });
    traffic.start();
    for (let halt = 0; halt < 4; halt += 1) {
      await traffic.more(ANSWERS);
      child.kill('SIGSTOP');
      // The length of the halt is the point: far longer than a request takes, far shorter than its windows.
      await Bun.sleep(HALT_MS);
      child.kill('SIGCONT');
    }
    await traffic.more(ANSWERS);
    expect(await traffic.stop()).toEqual([]);
    expect(child.err()).not.toMatch(CRASH);
  });
});
