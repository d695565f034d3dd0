import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { makeBases, temporaryFolder } from '../support/service.ts';
import { ROOT, startProgram } from '../support/run.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { hasNamespaces, Lan, type Host } from './lan.ts';
import { hasNatsServer } from './nats-server.ts';
import { replicasOfTests } from './support-replicas.ts';

const { ends, servers } = replicasOfTests();
const TOKEN = 'a-token-of-the-tests';
const QUOTA = 400;

describe.skipIf(!hasNatsServer() || !hasNamespaces())('replicas on hosts', () => {
  expectNoUnhandledRejection();

  test('never grant above the limit while the network separates them, and count everything afterwards', async () => {
    const lan = new Lan([
      ['s1', 'r1'],
      ['s2', 's3', 'r2'],
    ]);
    const nats = await servers(
      3,
      ['s1', 's2', 's3'].map((name) => lan.host(name)),
    );
    ends.push(() => Promise.resolve(lan.close()));
    const started = ['r1', 'r2'].map((name, at) => startOn(lan.host(name), nats.url, 3001 + at));
    for (const { child } of started) ends.unshift(() => child.stop());
    await Promise.all(started.map(({ child }) => child.says('Ctrl-C stops it.')));
    const issue = [process.execPath, join(ROOT, 'src/keys/command.ts'), 'issue', 'ana'];
    const issued = startProgram([...lan.host('r1').command, ...issue, '--quota', String(QUOTA)], {
      environment: { NATS_URL: nats.url, DATA_DIR: temporaryFolder() },
    });
    await issued.ended;
    const key = issued.out().trim().split('\n').at(-1) ?? '';
    const grantedOf = async (count: number) => {
      const sent = Array.from({ length: count }, (_, at) => started[at % 2]!.charge(key));
      return (await Promise.all(sent)).filter((status) => status === 404).length;
    };
    const areCounted = async () =>
      (await Promise.all(started.map(({ fault }) => fault()))).every((reason) => reason === null);
    await until('both count', areCounted);
    let granted = await grantedOf(20);
    // What was counted ahead is given back after a second; then each charge, one after the other, shows the count of both.
    await Bun.sleep(2_000);
    for (let at = 0; at < 4; at += 1) granted += Number((await started[at % 2]!.charge(key)) === 404);
    lan.setCut(true);
    for (let at = 0; at < 30; at += 1) granted += await grantedOf(10);
    expect(granted).toBeGreaterThan(20);
    // Two of three servers go on counting for r2, which leaves r1 its part.
    await until('r2 misses r1', async () => /do not hear/u.test((await started[1]!.fault()) ?? ''), 50);
    for (let idle = 0; idle < 10; idle += 1) {
      const more = await grantedOf(20);
      granted += more;
      if (more > 0) idle = 0;
    }
    expect(granted).toBeGreaterThan(QUOTA - 100);
    expect(granted).toBeLessThanOrEqual(QUOTA);
    lan.setCut(false);
    await until('both count again', areCounted, 50);
    await until('all is granted', async () => (granted += await grantedOf(20)) >= QUOTA, 50);
    await until('all is counted', areCounted, 50);
    expect(granted + (await grantedOf(40))).toBe(QUOTA);
  });
});

/** A replica with six empty bases, asked at an address that no cut reaches. Hosts of one machine have one name: their ports differ. */
function startOn({ command, managed }: Host, url: string, adminPort: number) {
  const dataDir = temporaryFolder();
  makeBases(dataDir);
  const child = startProgram([...command, process.execPath, join(ROOT, 'src/main.ts')], {
    environment: {
      DATA_DIR: dataDir,
      NATS_URL: url,
      HOST: '0.0.0.0',
      ADMIN_HOST: '0.0.0.0',
      ADMIN_PORT: String(adminPort),
      ADMIN_TOKEN: TOKEN,
      BASES_THREADS: '1',
    },
  });
  const charge = async (key: string) => {
    const headers = { authorization: `Bearer ${key}` };
    return (await fetch(`http://${managed}:3000/v1/jurisprudencia/stj:1`, { headers })).status;
  };
  /** Why it grants its part; null while it counts. */
  const fault = async () => {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const answer = await fetch(`http://${managed}:${adminPort}/health/ready`, { headers });
    return ((await answer.json()) as { quotas: { reason: string | null } }).quotas.reason;
  };
  return { child, charge, fault };
}
