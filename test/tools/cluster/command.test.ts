import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { hasNatsServer } from '../../cluster/nats-server.ts';
import { BUSCA } from '../../http/checks.ts';
import { run, startScript } from '../../support/run.ts';
import type { Body } from '../../support/service.ts';
import { expectNoUnhandledRejection, until } from '../../tools/faults/support-poll.ts';

const COMMAND = 'tools/cluster/command.ts';
const ALL_BASES = BASES.join(',');

function folders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith('jurisprudencia-cluster-'));
}
function isAlive(pid: number): boolean {
  return existsSync(`/proc/${pid}`);
}

describe.skipIf(!hasNatsServer())('the cluster command', () => {
  expectNoUnhandledRejection();
  const start = async (args: readonly string[], before?: string) => {
    const child = startScript(
      COMMAND,
      [...args, '--decisions', '30'],
      { NATS_SERVER: process.env['NATS_SERVER'] ?? '', HOME: process.env['HOME'] ?? '', BASES_THREADS: '1' },
      before,
    );
    const out = await child.says('\nready\n');
    const pids = [...out.matchAll(/ pid (\d+)$/gmu)].map(([, pid]) => Number(pid));
    return { ...child, pids };
  };

  test('ends all it has started when it is killed, and the next one removes its folder', async () => {
    const before = folders();
    await using child = await start(['--nodes', '1', '--fronts', '1']);
    expect(child.pids.filter(isAlive)).toHaveLength(3);
    child.kill('SIGKILL');
    await until('all have ended', () => !child.pids.some(isAlive));
    const left = folders().filter((name) => !before.includes(name));
    await run(COMMAND, [], { PATH: '/nowhere' });
    expect([left.length, folders().filter((name) => left.includes(name))]).toEqual([1, []]);
  });

  test('ends when what runs it is killed, as `bun run` may be', async () => {
    const runner = 'export npm_lifecycle_event=cluster; "$0" "$@"; exit';
    await using child = await start(['--nodes', '1', '--fronts', '1'], runner);
    child.kill('SIGKILL');
    await until('all have ended', () => !child.pids.some(isAlive));
    await child.ended;
  });

  test('prints each process, a key and ready; its fronts answer; Ctrl-C leaves nothing', async () => {
    const before = folders();
    await using child = await start(['--nodes', '1', '--fronts', '2']);
    const all = child.out().trimEnd().split('\n');
    const steps = all.filter((line) => line.endsWith(' …'));
    expect(steps).toEqual([
      'making 30 decisions in each of 6 bases …',
      'starting f1, f2 …',
      'starting n1 …',
      'waiting until each front knows each node …',
    ]);
    const lines = all.filter((line) => !steps.includes(line));
    expect(lines[0]).toMatch(/^nats nats:\/\/127\.0\.0\.1:\d+ pid \d+$/u);
    expect(lines.slice(1, 3).toSorted()).toEqual([
      expect.stringMatching(/^front f1 http:\/\/127\.0\.0\.1:\d+ pid \d+$/u),
      expect.stringMatching(/^front f2 http:\/\/127\.0\.0\.1:\d+ pid \d+$/u),
    ]);
    expect(lines.slice(3)).toEqual([
      expect.stringMatching(new RegExp(`^base n1 ${ALL_BASES} pid \\d+$`, 'u')),
      expect.stringMatching(/^key jur_\w+$/u),
      'ready',
    ]);
    const key = /^key (\S+)$/mu.exec(child.out())?.[1] ?? '';
    for (const [, url = ''] of child.out().matchAll(/^front \S+ (\S+) /gmu)) {
      const response = await fetch(`${url}${BUSCA}?q=recurso`, {
        headers: { authorization: `Bearer ${key}` },
      });
      const body = (await response.json()) as Body;
      expect([response.status, body.bases_sem_resposta]).toEqual([200, []]);
      expect(body.itens.length).toBeGreaterThan(0);
    }
    expect(child.pids).toHaveLength(4);
    child.kill('SIGINT');
    expect(await child.ended).toBe(0);
    expect(child.err()).toBe('');
    expect(child.pids.filter(isAlive)).toEqual([]);
    expect(folders().filter((name) => !before.includes(name))).toEqual([]);
  });
});

describe('the cluster command', () => {
  test('says how to get nats-server where there is none', async () => {
    const { exitCode, err, out } = await run(COMMAND, [], { PATH: '/nowhere' });
    expect([exitCode, out]).toEqual([1, '']);
    expect(err).toMatch(/nats-server is not in PATH; get it with: go install /u);
  });

  test('refuses a count that is none', async () => {
    const { exitCode, err } = await run(COMMAND, ['--nodes', '0']);
    expect(exitCode).toBe(1);
    expect(err).toContain('must be a whole number from 1 to 32');
  });
});
