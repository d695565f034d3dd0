import { cpSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { SERVICE_SETTINGS } from '../../src/config/settings.ts';
import { pageText as read, scripts } from '../docs/page.ts';
import { INGEST_ENVIRONMENT } from '../tools/bench/ingest.ts';
import { hasNeeded } from '../support/needed.ts';
import { temporaryFolder } from '../support/service.ts';
import { ROOT } from '../support/run.ts';

interface Compose {
  services: Record<
    string,
    { environment?: Record<string, string>; ports?: string[]; volumes?: string[]; depends_on?: string[] }
  >;
  volumes: Record<string, unknown>;
}
const compose = Bun.YAML.parse(read('deploy/compose.yaml')) as Compose;
const replicas = Bun.YAML.parse(read('deploy/replicas/compose.yaml')) as Compose;
const pods = /(?<= env:\n)(?: {12,}.*\n)+/u.exec(read('deploy/kubernetes/replicas.yaml'))?.[0] ?? '';
const UNIT = 'deploy/jurisprudencia.service';
const TEMPLATE = 'deploy/replicas/jurisprudencia@.service';
const DROP_IN = 'deploy/replicas/jurisprudencia@.service.d/replica.conf';

/** The runtime's own: how much memory it believes there is. */
const RAM_SIZE = 'BUN_JSC_forceRAMSize';

/** The variables that each way to deploy sets. */
const ENVIRONMENTS: Record<string, Record<string, string>> = {
  Dockerfile: assignments(/^ENV (.+)$/gm, read('Dockerfile')),
  'deploy/compose.yaml': compose.services['jurisprudencia']?.environment ?? {},
  [UNIT]: ofUnit(UNIT),
  [DROP_IN]: { ...ofUnit(UNIT), ...ofUnit(DROP_IN) },
  'deploy/replicas/compose.yaml': replicas.services['one']?.environment ?? {},
  'deploy/kubernetes/replicas.yaml': Object.fromEntries(
    [...pods.matchAll(/- name: (\w+)\n +value(?:From)?:(.*)/gu)].map(([, name = '', value = '']) => [
      name,
      value.trim().replaceAll("'", ''),
    ]),
  ),
};
const SYNC = 'deploy/jurisprudencia-sync.service';

function ofUnit(file: string): Record<string, string> {
  return assignments(/^Environment=(.+)$/gm, read(file));
}

function assignments(line: RegExp, text: string): Record<string, string> {
  const all = [...text.matchAll(line)].flatMap(([, found = '']) => found.split(' '));
  return Object.fromEntries(all.map((one) => one.split('=') as [string, string]));
}

describe.each(Object.entries(ENVIRONMENTS))('%s', (name, environment) => {
  test('makes no demo', () => {
    expect(environment['DEMO']).toBe('0');
  });

  test('sets existing settings alone', () => {
    const known = ['DATA_DIR', RAM_SIZE, ...SERVICE_SETTINGS.map(({ env }) => env)];
    expect(known).toEqual(expect.arrayContaining(Object.keys(environment)));
  });

  test('starts and checks with existing commands and paths', () => {
    const started = read(name.split(' ')[0] ?? '').match(/src\/[a-z/-]+\.ts/gu) ?? [];
    for (const script of started) expect(existsSync(join(ROOT, script)), script).toBe(true);
  });
});

test('every way to start the service has the same memory bound for its threads', () => {
  const [, size = ''] = /\$\{BUN_JSC_forceRAMSize:-(\d+)\}/u.exec(scripts['start'] ?? '') ?? [];
  expect(Number(size)).toBeGreaterThan(0);
  const units = readdirSync(join(ROOT, 'deploy'), { recursive: true, encoding: 'utf8' }).map((name) =>
    join('deploy', name),
  );
  const starts = units.filter((name) => name.endsWith('.service') && read(name).includes('src/main.ts'));
  expect(starts.toSorted()).toEqual([UNIT, TEMPLATE]);
  for (const name of ['Dockerfile', UNIT, DROP_IN]) expect(ENVIRONMENTS[name]?.[RAM_SIZE], name).toBe(size);
});

test('the image has what its commands read', () => {
  const image = temporaryFolder();
  const data = temporaryFolder();
  const [, ...ignored] = read('.dockerignore').trim().split('\n');
  for (const [, sources = '', target = ''] of read('Dockerfile').matchAll(/^COPY (.+) (\S+)$/gmu)) {
    for (const source of sources.split(' ')) {
      expect(ignored).toContain(`!${source}`);
      const to = target.endsWith('/') ? join(image, target, source) : join(image, target);
      mkdirSync(dirname(to), { recursive: true });
      cpSync(join(ROOT, source), to, { recursive: true });
    }
  }
  symlinkSync(join(ROOT, 'node_modules'), join(image, 'node_modules'));
  const run = (script: string, ...args: string[]) => {
    const command = [process.execPath, `src/${script}/command.ts`, ...args];
    const env = { PATH: process.env['PATH'] ?? '', DATA_DIR: data };
    const { exitCode, stderr } = Bun.spawnSync(command, { cwd: image, env });
    return { exitCode, said: stderr.toString() };
  };
  for (const script of ['keys', 'ingest', 'sync', 'index/check', 'tools/load', 'tools/buscar'])
    expect(run(script, '--help'), script).toEqual({ exitCode: 0, said: '' });
  expect(run('tools/demo', 'stj', '1')).toEqual({ exitCode: 0, said: '' });
  expect(run('tools/demo', 'remove').said).not.toContain('no such file');
});

describe('the unit of sync', () => {
  test('starts an existing command with existing settings and the same memory bound', () => {
    const [script = ''] = read(SYNC).match(/src\/[a-z/-]+\.ts/u) ?? [];
    expect(scripts['sync']).toContain(script);
    const { DATA_DIR, [RAM_SIZE]: size } = ofUnit(SYNC);
    expect(DATA_DIR).toBe(ofUnit('deploy/jurisprudencia.service')['DATA_DIR']);
    expect(scripts['sync']).toContain(`${RAM_SIZE}=\${${RAM_SIZE}:-${size}}`);
  });

  test('has no more rights than the service', () => {
    const limits = (unit: string) =>
      read(unit).match(
        /^(?:[A-Z]\w+(?:Set|Personality|Privileges|Devices|Tmp|Filter|IPC)|Protect\w+|Restrict\w+|System\w+)=.*$/gmu,
      );
    expect(limits(SYNC)?.length).toBeGreaterThan(15);
    expect(limits(SYNC)).toEqual(
      limits('deploy/jurisprudencia.service')?.filter((line) => !line.startsWith('Restart')),
    );
  });

  const analyze = Bun.which('systemd-analyze');
  test.skipIf(!hasNeeded('systemd-analyze', analyze !== null))('is valid by systemd, with its timer', () => {
    const folder = temporaryFolder();
    for (const kind of ['service', 'timer']) {
      const unit = read(`deploy/jurisprudencia-sync.${kind}`).replace('/usr/local/bin/bun', process.execPath);
      writeFileSync(join(folder, `jurisprudencia-sync.${kind}`), unit);
    }
    const command = [analyze ?? '', 'verify', '--man=no', join(folder, 'jurisprudencia-sync.timer')];
    const { exitCode, stderr } = Bun.spawnSync(command);
    expect({ exitCode, said: stderr.toString() }).toEqual({ exitCode: 0, said: '' });
  });
});

test('a measured load has the same memory bound as the command', () => {
  const size = INGEST_ENVIRONMENT[RAM_SIZE];
  expect(scripts['ingest']).toContain(`${RAM_SIZE}=\${${RAM_SIZE}:-${size}}`);
});

test('compose publishes the service and the console on the host’s loopback address alone', () => {
  const ports = compose.services['jurisprudencia']?.ports;
  expect(ports).toEqual(['127.0.0.1:3000:3000', '127.0.0.1:3001:3001']);
});

test('the unit of a replica is that of the service with its own folder and admin port, and a shared port', () => {
  expect(read(TEMPLATE)).toBe(read(UNIT));
  expect(ENVIRONMENTS[DROP_IN]).toMatchObject({ ADMIN_PORT: '%i', SHARE_PORT: '1' });
  expect(ENVIRONMENTS[DROP_IN]?.['DATA_DIR']).toBe('/var/lib/jurisprudencia/%i');
  expect(read(DROP_IN)).toContain('\nStateDirectory=\nStateDirectory=jurisprudencia/%i\n');
});

test('the replicas’ compose file mounts existing files, waits for its own services, and gives HAProxy its variables', () => {
  const { services, volumes } = replicas;
  // What nats-access makes for the host nats.
  const made = /^\.\/access\/(?:users\.conf|ca\.pem|nats\.(?:pem|key)|replica\.nk)$/u;
  for (const [name, { depends_on = [], volumes: mounted = [] }] of Object.entries(services)) {
    for (const other of depends_on) expect(Object.keys(services), name).toContain(other);
    for (const [source = ''] of mounted.map((mount) => mount.split(':')))
      if (source.startsWith('./') && !made.test(source))
        expect(existsSync(join(ROOT, 'deploy/replicas', source)), source).toBe(true);
      else if (/^\w+$/u.test(source)) expect(Object.keys(volumes)).toContain(source);
  }
  const wanted = [...read('deploy/replicas/haproxy.cfg').matchAll(/\$\{(\w+)\}/gu)].map(([, name]) => name);
  expect(new Set(Object.keys(services['balancer']?.environment ?? {}))).toEqual(new Set(wanted));
});

test('scripts exec the command, so that it receives signals', () => {
  const commands = Object.values(scripts).filter((script) =>
    /^(?:exec )?bun (?:--bun|--no-env-file|src|test)/u.test(script),
  );
  expect(commands.length).toBeGreaterThan(5);
  for (const script of [...commands, scripts['start'] ?? '']) expect(script).toMatch(/^(?:\S+=\S+ )*exec /u);
});
