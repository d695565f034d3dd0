import { readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readManifest } from '../../src/replicas/files/manifest.ts';
import type { Body } from '../support/service.ts';
import { hasNeeded } from '../support/needed.ts';
import { expectNoUnhandledRejection, msUntil, until } from '../tools/faults/support-poll.ts';
import { BUSCA, CheckedLoad, get, type Asked } from './checked-load.ts';
import { deploy, type Deployed } from './deployment.ts';
import { hasNginx } from './files/nginx.ts';
import { hasNamespaces } from './lan.ts';
import { hasNatsServer, type NatsServer } from './nats-server.ts';

/** For a table of figures: searches a second, reads a second, decisions in each base; with the windows that are shipped. */
const TABLE = process.env['REPLICAS_TABLE'];
const [searches = 0, reads = 0, decisions = 0] = (TABLE ?? '20,5,60').split(',').map(Number);
/** Of the parts of a row. */
const SECONDS = TABLE === undefined ? 1 : 3;
const QUOTA = 400;

const hasHaproxy = hasNeeded('haproxy', Bun.which('haproxy') !== null);
const isPossible = hasHaproxy && hasNatsServer() && hasNamespaces() && hasNginx();

describe.skipIf(!isPossible)('two hosts of replicas lose no answer, and give those of one process', () => {
  expectNoUnhandledRejection();
  const ends: (() => Promise<void> | void)[] = [];
  let all: Awaited<ReturnType<typeof deploy>>;
  let load: CheckedLoad;
  let one: Deployed;
  let service: Asked;
  let leader: NatsServer;

  beforeAll(async () => {
    all = await deploy(decisions, TABLE === undefined, ends);
    [one] = all.replicas;
    const key = await all.keys('issue', 'load', '--quota', '100000000');
    service = { url: all.url, key };
    load = new CheckedLoad(service, all.alone, { searches, reads });
    await load.learn();
    await until(
      'the balancer answers',
      async () => (await search(all.url, service.key).catch(() => 0)) === 200,
    );
    await until('all is counted, and all files are there', areCalm);
  });
  afterAll(async () => {
    for (const end of ends) await end();
  });

  const search = async (url: string, of: string) =>
    (await get({ url, key: of }, '/v1/jurisprudencia/busca?q=dano&tribunal=stj')).status;
  const healths = () => Promise.all(all.replicas.map((replica) => replica.health()));
  const areCalm = async () =>
    (await healths().catch(() => [])).filter(
      ({ quotas, files }) =>
        quotas.counted &&
        Object.values(files).every(({ state, fault }) => state === 'current' && fault === null),
    ).length === 2;

  async function underLoad(row: string, fault: () => Promise<string | void>): Promise<void> {
    load.start();
    await load.seconds(SECONDS);
    const figure = await fault();
    await load.seconds(SECONDS);
    const { kinds, said } = await load.stop();
    if (TABLE !== undefined) console.log(`${row}: ${said}; ${figure ?? ''}`);
    const wrong = Object.keys(kinds).filter(
      (kind) => kind !== 'same' && !(TABLE !== undefined && kind.endsWith('as it says')),
    );
    expect(wrong).toEqual([]);
  }

  test.each<[string, () => Promise<void>]>([
    [
      'the host of one is silent',
      async () => {
        all.lan.setSilent('two', true);
        await load.seconds(4 * SECONDS);
        all.lan.setSilent('two', false);
      },
    ],
    [
      'one is killed',
      async () => {
        one.child.kill('SIGKILL');
        await load.seconds(2 * SECONDS);
        await one.start();
      },
    ],
    [
      'one stands still',
      async () => {
        one.child.kill('SIGSTOP');
        await load.seconds(4 * SECONDS);
        one.child.kill('SIGCONT');
      },
    ],
    [
      'one gets SIGTERM',
      async () => {
        one.child.kill('SIGTERM');
        await one.child.ended;
        await load.seconds(SECONDS);
        await one.start();
      },
    ],
  ])('while %s', underLoad);

  test.each<[string, () => Promise<unknown>, () => unknown]>([
    [
      'the leader of NATS is killed',
      async () => {
        await leader.kill();
        const short = await all.keys('issue', 'short');
        await all.keys('revoke', 'short');
        const areRefused = async () =>
          (await Promise.all(all.replicas.map(({ url }) => search(url, short)))).every(
            (status) => status === 401,
          );
        expect(await msUntil('both refuse it', areRefused)).toBeLessThan(5_000);
      },
      () => leader.start(),
    ],
    [
      'all NATS servers are killed',
      () => Promise.all(all.nats.servers.map((server) => server.kill())),
      () => Promise.all(all.nats.servers.map((server) => server.start())),
    ],
    [
      'the network is cut',
      () => {
        all.lan.setCut(true);
        return until('one misses the other', async () =>
          (await healths()).some(({ quotas }) => /do not hear/u.test(quotas.reason ?? '')),
        );
      },
      () => {
        all.lan.setCut(false);
      },
    ],
  ])('while %s, and grant no more than a quota', async (row, begin, end) => {
    leader = await all.nats.leader();
    const own = await all.keys('issue', `quota-${row.length}`, '--quota', String(QUOTA));
    const charge = async (count: number) => {
      const statuses = Array.from({ length: count }, (_, at) => search(all.replicas[at % 2]!.url, own));
      return (await Promise.all(statuses)).filter((status) => status === 200).length;
    };
    // How often one of them got no answer in time, on a busy machine too: then its part comes on top of what the other counts.
    const silences = () =>
      all.replicas.map(({ child }) => child.err().split('quotas are not counted').length).join();
    let granted = await charge(20);
    // What was counted ahead is given back after a second; then each charge, one after the other, shows the count of both.
    await until('all is calm', areCalm);
    await Bun.sleep(2_000);
    for (let at = 0; at < 4; at += 1)
      granted += Number((await search(all.replicas[at % 2]!.url, own)) === 200);
    let calm = '';
    await underLoad(row, async () => {
      const fault = begin();
      for (let at = 0; at < 30; at += 1) granted += await charge(4);
      await fault;
      for (let idle = 0; idle < 5; idle += 1) {
        const more = await charge(20);
        granted += more;
        if (more > 0) idle = 0;
      }
      expect(granted).toBeGreaterThan(QUOTA / 2);
      expect(granted).toBeLessThanOrEqual(QUOTA);
      await end();
      const ms = await msUntil('both count', areCalm);
      calm = silences();
      return `${granted} of ${QUOTA} granted in it, counted again after ${Math.round(ms)} ms`;
    });
    await until('all is granted', async () => (granted += await charge(20)) >= QUOTA, 50);
    await until('all is counted', areCalm);
    granted += await charge(40);
    if (silences() === calm) expect(granted).toBe(QUOTA);
  });

  /** The ids of all pages, joined. A base that does not answer is asked again with the same cursor. */
  async function walk(asked: Asked): Promise<string> {
    const ids: string[] = [];
    for (let cursor = ''; ;) {
      const response = await get(asked, `${BUSCA}q=dano&tribunal=stj&limite=7&ordem=recentes${cursor}`);
      expect(response.status).toBe(200);
      const page = (await response.json()) as Body;
      if (page.bases_sem_resposta.length > 0) continue;
      ids.push(...page.itens.map(({ id }) => id));
      const [first] = page.itens;
      if (first !== undefined)
        expect([200, 504]).toContain(
          (await get(asked, `/v1/jurisprudencia/${encodeURIComponent(first.id)}`)).status,
        );
      if (page.proximo_cursor === null) return ids.join(' ');
      cursor = `&cursor=${encodeURIComponent(page.proximo_cursor)}`;
    }
  }
  test('while more is published, whose file is cut and then damaged, and no walk repeats or skips an item, or meets a false 404', async () => {
    const before = await walk(all.alone);
    const areAt = (fault: RegExp) => async () =>
      (await healths()).every(({ files }) => fault.test(files['stj']?.fault ?? ''));
    await underLoad('more is published, cut, damaged, whole', async () => {
      const walks = Array.from({ length: 4 }, () => walk(service));
      all.add(TABLE === undefined ? 40 : 1_000);
      await load.learn();
      all.files.kill('SIGSTOP');
      await all.publish('stj');
      const manifest = readManifest(readFileSync(join(all.place, 'stj.json'), 'utf8'), 'stj');
      const file = join(all.place, manifest?.file ?? '');
      const whole = readFileSync(file);
      const middle = whole.length >> 1;
      truncateSync(file, middle);
      all.files.kill('SIGCONT');
      await until('both name it', areAt(/and not \d+ bytes/u));
      writeFileSync(file, Buffer.from(whole).fill(0xaa, middle, middle + 4_096));
      await until('both name that', areAt(/another hash/u));
      writeFileSync(file, whole);
      const ms = await msUntil('both have it', async () => {
        walks.push(walk(service));
        await Promise.all(walks);
        return areCalm();
      });
      const after = await walk(all.alone);
      expect(after.length).toBeGreaterThan(before.length);
      for (const ids of await Promise.all(walks)) expect([before, after]).toContain(ids);
      await until('both give it', async () => (await walk(service)) === after);
      return `${walks.length} walks, switched after ${Math.round(ms)} ms`;
    });
    const reports = await Promise.all(
      all.replicas.map(async ({ url }) =>
        (await get({ ...service, url }, '/v1/jurisprudencia/cobertura')).text(),
      ),
    );
    expect(reports[0]).toBe(reports[1]);
    const { seguidos, replicas } = await one.asked<{
      seguidos: Record<string, object>;
      replicas: object[];
    }>('/console/api/serie');
    expect(seguidos['stj']).toMatchObject({
      file: expect.stringMatching(/^stj-2-[0-9a-f]{64}\.db$/u) as string,
      published_at: expect.any(String) as string,
      state: 'current',
      fault: null,
    });
    expect(replicas).toMatchObject([{ address: `http://${hostname()}:3002` }]);
  });
});
