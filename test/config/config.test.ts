import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { authority } from '../../src/process/listen.ts';
import { issueCommand, readConfig, refuseUnwritable } from '../../src/config/config.ts';
import { BASE_SETTINGS, DATA_DIR_DEFAULT, SERVICE_SETTINGS } from '../../src/config/settings.ts';
import { ROOT } from '../support/run.ts';
import { temporaryFolder } from '../support/service.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
});

function read(toml: string, environment: Record<string, string> = {}) {
  mkdirSync(dataDir, { recursive: true });
  writeFileSync(join(dataDir, 'config.toml'), toml);
  return readConfig({ ...environment, DATA_DIR: dataDir });
}
function errorsOf(toml: string, environment: Record<string, string> = {}): string[] {
  try {
    read(toml, environment);
  } catch (error) {
    return (error as Error).message.split('\n').slice(1);
  }
  return [];
}

describe('the configuration', () => {
  test('has a default for every setting', () => {
    const config = readConfig({ DATA_DIR: dataDir });
    expect(config).toMatchObject({
      host: '127.0.0.1',
      port: 3000,
      bases: { tst: { threads: 2, relevance_ms: 1500, recency_ms: 1000, count_ms: 150, record_ms: 2000 } },
    });
    expect(Object.isFrozen(config)).toBe(true);
  });

  test('prefers the environment to the file, and a base’s own value to that of all bases', () => {
    const config = read('port = 4000\nhost = "::1"\n[bases]\nthreads = 2\n[bases.stj]\nthreads = 4\n', {
      PORT: '5000',
      BASES_QUEUE_MAX: '7',
      BASES_TST_QUEUE_MAX: '9',
    });
    expect(config).toMatchObject({
      port: 5000,
      host: '::1',
      bases: { stj: { threads: 4, queue_max: 7 }, tst: { threads: 2, queue_max: 9 } },
    });
  });

  test('accepts an IPv6 address in brackets', () => {
    const config = readConfig({ DATA_DIR: dataDir, HOST: '[::]', ADMIN_HOST: '[::1]' });
    expect(config).toMatchObject({ host: '::', admin_host: '::1' });
    expect(errorsOf('', { HOST: '[localhost]' })).toEqual([expect.stringContaining('not "[localhost]"')]);
    expect(authority('::1', 3001)).toBe('[::1]:3001');
    expect(authority('127.0.0.1', 3001)).toBe('127.0.0.1:3001');
  });

  test.each([
    [{ PORT: '3001' }, 1],
    [{ PORT: '3001', HOST: '0.0.0.0' }, 1],
    [{ PORT: '0', ADMIN_PORT: '0' }, 0],
    [{ PORT: '3001', HOST: '127.0.0.2' }, 0],
  ])('refuses one port for both listeners at one address (%j)', (env, count) => {
    const errors = errorsOf('', env);
    expect(errors).toHaveLength(count);
    for (const error of errors) expect(error).toMatch(/^  - PORT and ADMIN_PORT: .*3001; set one/u);
  });

  test.each([
    [{ code: 'EACCES' }, /^DATA_DIR: \/dados cannot be written: .*chown.* set DATA_DIR to/],
    [{ code: 'EROFS' }, /^DATA_DIR: \/dados cannot be written: .*read-only.* set DATA_DIR to/],
  ])('names a data folder that cannot be written for %j, and what to do', (error, message) => {
    const refuse = () => {
      refuseUnwritable('/dados', () => {
        throw Object.assign(new Error(), error);
      });
    };
    expect(refuse).toThrow(message);
    expect(() => {
      refuseUnwritable(dataDir);
    }).not.toThrow();
  });

  test.each(['ROLE', 'BASES_SERVED', 'PROCESSES', 'NODE_NAME', 'FILES_URL'])(
    'of an earlier version, %s, is refused with the line of the changelog',
    (name) => {
      const changes = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').replaceAll(/\s+/gu, ' ');
      for (const [error = ''] of [errorsOf('', { [name]: '1' }), errorsOf(`${name.toLowerCase()} = 1\n`)]) {
        const [, mend = ''] = /is gone in 0\.4\.0: (.+)$/u.exec(error) ?? [];
        expect(error).toContain(error.includes('config.toml') ? name.toLowerCase() : `${name}: is gone`);
        expect(changes).toContain(mend);
        expect(mend.length).toBeGreaterThan(20);
      }
    },
  );

  test('reports all mistakes at once, each with its place and mend', () => {
    const errors = errorsOf(
      'port = 70000\nports = 1\n[bases]\nthreads = "two"\n[bases.tsst]\n[bases.stj]\nqueue = 1\n',
      { IP_WINDOW_S: 'x', BASES_TSTT_THREADS: '1' },
    );
    expect(errors).toEqual([
      expect.stringContaining('there is no setting ports; the nearest is port'),
      expect.stringContaining('there is no setting bases.tsst; the nearest is bases.tst'),
      expect.stringContaining('there is no setting BASES_TSTT_THREADS; the nearest is BASES_TST_THREADS'),
      expect.stringContaining('port: must be a whole number from 0 to 65535, not 70000'),
      expect.stringContaining('IP_WINDOW_S: must be a whole number'),
      expect.stringContaining('bases.threads: must be a whole number from 1 to 64, not "two"'),
      expect.stringContaining('there is no setting bases.stj.queue; there are bases.stj.threads, '),
    ]);
  });

  test.each([
    ['TRUSTED_PROXY', 'TRUSTED_PROXIES'],
    ['QUOTA_PER_DY', 'QUOTA_PER_DAY'],
    ['IP_REQUEST', 'IP_REQUESTS'],
    ['LOG_LEVL', 'LOG_LEVEL'],
    ['DATADIR', 'DATA_DIR'],
    ['BASE_THREADS', 'BASES_THREADS'],
    ['TST_THREADS', 'BASES_TST_THREADS'],
    ['SLOW_MSS', 'SLOW_MS'],
    ['BASES_TST', 'BASES_'],
  ])('refuses the variable %s and names %s', (name, meant) => {
    expect(errorsOf('', { [name]: '1' })).toEqual([
      expect.stringContaining(`there is no setting ${name}; the nearest is ${meant}`),
    ]);
  });

  test('ignores the variables of other programs', () => {
    const others = `
      PATH HOME HOSTNAME HOSTTYPE SSH_HOST PORTS LANG STF_HOME DATABASE_URL NODE_ENV LOGNAME SHLVL
      TERM_PROGRAM THREADS BASE_URL BASE_PATH ADMIN_PASS ADMIN_KEY ADMIN_EMAIL DATA_URL JAVA_DIR
      CACHE_DIR NPM_CONFIG_LOGLEVEL RUST_LOG POSTGRES_HOST PGPORT REDIS_PORT GITHUB_TOKEN TMPDIR TMUX
      POST SPORT COST KUBERNETES_SERVICE_HOST TST_PORT TST_WORKER_THREADS BUN_INSTALL UV_THREADPOOL_SIZE
      CI_JOB_TOKEN GITHUB_BASE_REF CI_MERGE_REQUEST_DIFF_BASE_SHA OTEL_LOG_LEVEL
    `;
    const set = others
      .trim()
      .split(/\s+/u)
      .map((name) => [name, 'x']);
    expect(errorsOf('', Object.fromEntries(set) as Record<string, string>)).toEqual([]);
  });

  test.each([
    ['SLOW_MS = 1', 'SLOW_MS; the nearest is slow_ms'],
    ['threads = 1', 'threads; threads stands below [bases], or the [bases.…] of one'],
    ['[bases]\nport = 1', 'bases.port; port stands before the first [table]'],
    ['[bases.tst]\nTHREADS = 1', 'bases.tst.THREADS; the nearest is bases.tst.threads'],
    ['[bases.stj]\nthread = 1', 'bases.stj.thread; the nearest is bases.stj.threads'],
    ['data_dir = "x"', 'data_dir; the folder is named by the environment alone, in DATA_DIR'],
    ['frobnicate = 1', 'frobnicate; there are host, port, admin_host, '],
    ['[bases]\nx = 1', 'bases.x; there are bases.threads, bases.queue_max, '],
  ])('refuses %j in the file, and shows the form that the file takes', (toml, expected) => {
    expect(errorsOf(toml)).toEqual([expect.stringContaining(`config.toml: there is no setting ${expected}`)]);
  });

  test.each(['foo..bar', 'http://x', 'a b', '-x', '256.1.1.1', '127.0.0.1:80', '*'])(
    'lists the host %j with all other mistakes',
    (host) => {
      expect(errorsOf('', { HOST: host, ADMIN_HOST: host, PORT: 'x' })).toEqual([
        expect.stringContaining('PORT: must be'),
        expect.stringContaining(`HOST: must be an IP address or a host name, not ${JSON.stringify(host)}`),
        expect.stringContaining('ADMIN_HOST: must be an IP address or a host name'),
      ]);
      expect(errorsOf(`host = ${JSON.stringify(host)}`)).toEqual([
        expect.stringContaining('config.toml: host: must be an IP address or a host name'),
      ]);
    },
  );

  test('accepts addresses and host names to listen on', () => {
    for (const host of ['::1', '[::1]', '0.0.0.0', 'localhost', 'a-b.example', 'my_service', 'x.'])
      expect(errorsOf('', { HOST: host })).toEqual([]);
  });

  test('names a wrong proxy setting by the variable that set it', () => {
    const expected = [expect.stringContaining('TRUSTED_PROXIES: "x" is not')];
    expect(errorsOf('', { TRUSTED_PROXIES: '10.0.0.0/8,x' })).toEqual(expected);
  });

  test.each([
    ['port = 1.5', /port: must be a whole number/],
    ['port = "3000 "', null],
    ['log_level = "loud"', /one of debug, info/],
    ['trusted_proxies = ["10.0.0.0/8", "x"]', /config\.toml: trusted_proxies: "x" is not an address/],
    ['trusted_proxies = 3', /must be a list/],
    ['bases = 3', /must be a table/],
    ['port = = 3', /config\.toml: /],
  ])('reads %j', (toml, expected) => {
    const errors = errorsOf(toml).join('\n');
    if (expected === null) expect(errors).toBe('');
    else expect(errors).toMatch(expected);
  });
});

describe('live.toml, which the console writes', () => {
  const withLive = (live: string, toml = '', environment: Record<string, string> = {}) => {
    writeFileSync(join(dataDir, 'live.toml'), live);
    return read(toml, environment);
  };

  test('wins over config.toml and over the variables of all bases, and loses to one base’s own variable', () => {
    const { bases, sources, expensive_at_once } = withLive(
      'expensive_at_once = 3\n[bases.stj]\nthreads = 5\ncount_ms = 9\n[bases.tst]\nthreads = 6\n',
      'expensive_at_once = 1\n[bases.stj]\nthreads = 4\n[bases]\nqueue_max = 8\n',
      { BASES_THREADS: '2', BASES_TST_THREADS: '3' },
    );
    expect(bases.stj).toMatchObject({ threads: 5, count_ms: 9, queue_max: 8 });
    expect([bases.tst.threads, bases.stf.threads]).toEqual([3, 2]);
    expect(sources.stj.threads).toEqual({ kind: 'live', name: 'bases.stj.threads' });
    expect(expensive_at_once).toBe(3);
    expect(withLive('expensive_at_once = 3', '', { EXPENSIVE_AT_ONCE: '2' }).expensive_at_once).toBe(2);
  });

  test.each([
    ['expensive_at_once = 999', /live\.toml: expensive_at_once: must be a whole number/],
    ['[bases.stj]\nthreads = "many"', /live\.toml: bases\.stj\.threads: must be/],
    ['port = 1', /live\.toml: port is no setting that the console writes; move it to config\.toml/],
    ['[bases]\nthreads = 1', /live\.toml: bases\.threads is no setting that the console writes/],
    ['[bases.stj]\nport = 1', /live\.toml: bases\.stj\.port is no setting/],
    ['bases = 3', /live\.toml: bases must be a table/],
    ['[bases]\nstj = 3', /live\.toml: bases\.stj must be a table/],
    ['x = = 1', /live\.toml: line 1: /],
  ])('refuses %j', (live, expected) => {
    expect(() => withLive(live)).toThrow(expected);
  });
});

describe('the admin listener', () => {
  const token = 'a-token-of-some-length';

  test.each([
    [{ ADMIN_HOST: '0.0.0.0' }, /ADMIN_TOKEN: is needed .* beyond this machine \(0\.0\.0\.0\).*openssl/],
    [{ ADMIN_HOST: 'admin.example' }, /ADMIN_TOKEN: is needed/],
    [{ ADMIN_TOKEN: 'short' }, /ADMIN_TOKEN: must be 16 characters or more/],
    [{ ADMIN_TOKEN: 'with spaces in its middle' }, /ADMIN_TOKEN: must be .* without spaces/],
    [{ ADMIN_HOST: '0.0.0.0', ADMIN_TOKEN: token }, null],
    [{ ADMIN_HOST: '127.0.0.9' }, null],
    [{ ADMIN_HOST: '::1' }, null],
    [{ ADMIN_HOST: 'localhost' }, null],
  ])('with %j has the error %s (null: none)', (environment, expected) => {
    const errors = errorsOf('', environment).join('\n');
    if (expected === null) expect(errors).toBe('');
    else expect(errors).toMatch(expected);
  });
});

test('never prints a wrong token', () => {
  for (const toml of ['admin_token = 1234567890', 'admin_token = "1234567890"']) {
    const errors = errorsOf(toml);
    expect(errors).toHaveLength(1);
    expect(errors.join()).not.toContain('1234567890');
  }
});

describe('the page on settings', () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/settings.md'), 'utf8');

  test('names every setting with its default and meaning, and no other', () => {
    const expected = [
      `- \`DATA_DIR\` (\`${DATA_DIR_DEFAULT}\`): `,
      ...SERVICE_SETTINGS.map(({ env, fallback }) => `- \`${env}\` (${shown(fallback)}): `),
      ...BASE_SETTINGS.map(({ env, fallback }) => `- \`BASES_${env}\` (${shown(fallback)}): `),
    ];
    expect(page.match(/^- `[A-Z_]+` \(.*?\): (?=\S)/gmu)).toEqual(expected);
  });

  function shown(value: string | number | readonly string[]): string {
    return Array.isArray(value) || value === '' ? 'none' : `\`${String(value)}\``;
  }
});

test('the command that issues a key reaches NATS as the service does', () => {
  const nats = {
    nats_url: ['nats://a:4222', 'nats://b:4222'],
    nats_creds: '/c/replica.nk',
    nats_ca: '/c/ca.pem',
  };
  const command = issueCommand({ ...nats, data_dir: '/data', nats_cert: '', nats_key: '' });
  expect(command).toMatch(
    /^NATS_URL='nats:\/\/a:4222,nats:\/\/b:4222' NATS_CREDS='\/c\/replica\.nk' NATS_CA='\/c\/ca\.pem' DATA_DIR='\/data' /u,
  );
  const alone = { nats_url: [], nats_creds: '', nats_ca: '', nats_cert: '', nats_key: '' };
  expect(issueCommand({ ...alone, data_dir: '/data' })).not.toContain('NATS');
});
