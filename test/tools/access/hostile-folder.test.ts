import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { buildProgram } from '../../support/program.ts';
import { ROOT, startProgram } from '../../support/run.ts';
import { temporaryFolder } from '../../support/service.ts';

const BUSCAR = join(ROOT, 'src/tools/buscar/command.ts');
const MCP = join(ROOT, 'src/tools/mcp/command.ts');
const KEY = `jur_${'k'.repeat(32)}`;
const OWN_KEY = { JURISPRUDENCIA_KEY: KEY };

/** A listener that is not the service, and notes what comes. */
function thief() {
  const got: { path: string; authorization: string | null }[] = [];
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url, headers }) => {
      got.push({ path: url, authorization: headers.get('authorization') });
      return Response.json({ erro: 'x', codigo: 'NAO_AUTORIZADO' }, { status: 401 });
    },
  });
  onTestFinished(() => server.stop(true));
  return { url: server.url.origin, got };
}

/** The user's configuration, with an address where nobody listens. */
function userHome(file = `url = "http://127.0.0.1:1"\nkey = "${KEY}"\n`): string {
  const home = temporaryFolder();
  mkdirSync(join(home, '.config/jurisprudencia'), { recursive: true });
  writeFileSync(join(home, '.config/jurisprudencia/client.toml'), file);
  return home;
}

/** A folder that somebody else has filled. `ran` is there once its code has run. */
function hostileFolder(variables: readonly string[]) {
  const folder = temporaryFolder();
  const ran = join(folder, 'ran');
  writeFileSync(join(folder, '.env'), `${variables.join('\n')}\n`);
  writeFileSync(join(folder, 'bunfig.toml'), 'preload = ["./preload.ts"]\n');
  writeFileSync(join(folder, 'preload.ts'), `await Bun.write(${JSON.stringify(ran)}, '');\n`);
  return { folder, ran };
}

let program: string;
beforeAll(async () => {
  program = await buildProgram(temporaryFolder());
});

/** A folder on `PATH` with the program for people as `compiled`, `bun` and, as `bun link` makes it, the command `jurisprudencia`. */
function binaries(): string {
  const folder = temporaryFolder();
  symlinkSync(process.execPath, join(folder, 'bun'));
  symlinkSync(BUSCAR, join(folder, 'jurisprudencia'));
  symlinkSync(program, join(folder, 'compiled'));
  return folder;
}

interface Run {
  readonly home: string;
  /** The user's home unless another folder is named. */
  readonly cwd?: string;
  readonly environment?: Record<string, string>;
  readonly input?: string | undefined;
}

async function runIn(command: readonly string[], { home, cwd = home, environment, input }: Run) {
  const PATH = `${binaries()}:${process.env['PATH'] ?? ''}`;
  const setting = { cwd, input, environment: { HOME: home, NO_PROXY: '', ...environment, PATH } };
  await using child = startProgram(command, setting);
  const exitCode = await child.ended;
  return { exitCode, out: child.out(), err: child.err() };
}

/** The arguments of the configuration that docs/clients.md prints for assistants. */
function printedArguments(): readonly string[] {
  const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  const [, list = '[]'] = /"args": (\["--no[^\]]*command\.ts"\])/u.exec(page) ?? [];
  return (JSON.parse(list) as string[]).map((one) => (one.endsWith('command.ts') ? MCP : one));
}

const SEARCH = { name: 'buscar_jurisprudencia', arguments: { q: 'dano' } };
const CLIENT = { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } };
const CALLS = [
  { id: 1, method: 'initialize', params: CLIENT },
  { method: 'notifications/initialized' },
  { id: 2, method: 'tools/call', params: SEARCH },
]
  .map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  .join('');

const COMMANDS: readonly (readonly [string, readonly string[], string | undefined])[] = [
  ['the linked command', ['jurisprudencia', 'buscar', 'dano'], undefined],
  ['the compiled program', ['compiled', 'buscar', 'dano'], undefined],
  ['the compiled MCP server', ['compiled', 'mcp'], CALLS],
  ['the MCP server as documented', ['bun', ...printedArguments()], CALLS],
];

describe.each(COMMANDS)('in a folder with a hostile .env, %s', (_, command, input) => {
  test.each([
    ['an address', (url: string) => [`JURISPRUDENCIA_URL=${url}`], {}],
    ['a proxy', (url: string) => [`HTTP_PROXY=${url}`, `http_proxy=${url}`], {}],
    ['a folder of settings', () => ['XDG_CONFIG_HOME=.'], {}],
    ['an address, with a key in the environment', (url: string) => [`JURISPRUDENCIA_URL=${url}`], OWN_KEY],
  ] as const)(
    'sends nothing if its .env names %s, and runs none of its code',
    async (_name, env, environment) => {
      const { url, got } = thief();
      const { folder, ran } = hostileFolder(env(url));
      mkdirSync(join(folder, 'jurisprudencia'));
      writeFileSync(join(folder, 'jurisprudencia/client.toml'), `url = "${url}"\n`);
      const home = environment === OWN_KEY ? temporaryFolder() : userHome();
      const { exitCode } = await runIn(command, { cwd: folder, home, environment, input });
      expect(exitCode).not.toBeNull();
      expect(got).toEqual([]);
      expect(existsSync(ran)).toBe(false);
    },
  );
});

test('the folder’s .env redirects a program that Bun starts by default', async () => {
  const { url, got } = thief();
  const { folder, ran } = hostileFolder([`JURISPRUDENCIA_URL=${url}`]);
  const home = temporaryFolder();
  await runIn(['bun', BUSCAR, 'buscar', 'dano'], { cwd: folder, home, environment: OWN_KEY });
  expect(got[0]?.authorization).toBe(`Bearer ${KEY}`);
  expect(existsSync(ran)).toBe(true);
});

describe('a key', () => {
  /** @property err without the breaks that the terminal's width gives it. */
  const search = async (home: string, environment: Record<string, string> = {}) => {
    const { err, exitCode } = await runIn(['jurisprudencia', 'buscar', 'dano'], { home, environment });
    return { err: err.replaceAll(/\s+/gu, ' '), exitCode };
  };

  test('of client.toml is not sent to an address of the environment', async () => {
    const { url, got } = thief();
    const { err, exitCode } = await search(userHome(), { JURISPRUDENCIA_URL: url });
    expect(got).toEqual([{ path: expect.stringContaining(url), authorization: null }]);
    expect(exitCode).toBe(3);
    expect(err).toMatch(/^falta a chave: a de .*client\.toml só vai ao endereço que está com ela/u);
  });

  test('of the environment is not sent to an address of client.toml', async () => {
    const { url, got } = thief();
    const { err, exitCode } = await search(userHome(`url = "${url}"\n`), OWN_KEY);
    expect(got).toEqual([]);
    expect(exitCode).toBe(2);
    expect(err).toContain('ponha os dois no mesmo lugar');
  });

  test('is read from the home where XDG_CONFIG_HOME is empty', async () => {
    const { url, got } = thief();
    await search(userHome(`url = "${url}"\nkey = "${KEY}"\n`), { XDG_CONFIG_HOME: '' });
    expect(got[0]?.authorization).toBe(`Bearer ${KEY}`);
  });

  test('is not sent for the coverage, which needs none', async () => {
    const { url, got } = thief();
    const home = userHome(`url = "${url}"\nkey = "${KEY}"\n`);
    await runIn(['jurisprudencia', 'cobertura'], { home });
    expect(got.map(({ authorization }) => authorization)).toEqual([null]);
  });

  test.each([301, 302, 307, 308])(
    'does not follow a redirect with status %i to another address',
    async (status) => {
      const { url, got } = thief();
      const redirect = () => new Response(null, { status, headers: { location: `${url}/v1` } });
      using service = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: redirect });
      const { err, exitCode } = await search(userHome(`url = "${service.url.origin}"\nkey = "${KEY}"\n`));
      expect(got).toEqual([]);
      expect(exitCode).toBe(5);
      expect(err).toContain(`manda para ${url}/v1`);
    },
  );
});
