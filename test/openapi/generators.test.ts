import { cpSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Jurisprudencia } from '../../src/client/client.ts';
import { issueKey } from '../../src/keys/store.ts';
import { openApiDocument } from '../../src/openapi/document.ts';
import { EXEMPLO_ID } from '../../src/openapi/examples.ts';
import { printed } from '../client/support-runtime.ts';
import { DECISIONS, found, SEARCHES } from '../client/support-searches.ts';
import { startService, temporaryFolder, type Service } from '../support/service.ts';
import { GENERATORS, hasGenerators, itInPython, PYTHON } from './generators.ts';
import { ROOT } from '../support/run.ts';

const OWN = join(import.meta.dirname, 'generators');
if (!hasGenerators && process.env['CI'] !== undefined) throw new Error('CI needs the generators of clients');

let service: Service;
let limited: Service;
let folder: string;
let environment: Record<string, string>;
let expected: unknown;
beforeAll(async () => {
  if (!hasGenerators) return;
  service = await startService(DECISIONS);
  limited = await startService({}, { IP_REQUESTS: '1', IP_WINDOW_S: '3600' });
  folder = temporaryFolder();
  const small = issueKey(service.dataDir, 'pouca', 1, new Date());
  const api = new Jurisprudencia({ url: service.url, key: service.key });
  const courts = await found(api, 'dano moral', 'stj,tst');
  expected = {
    found: courts,
    ementa: (await api.decisao('ids' in courts ? (courts.ids[0] ?? '') : '')).ementa,
    tribunais: 7,
    missing: 'DECISAO_NAO_ENCONTRADA',
    quota: [429, 'COTA_ESGOTADA'],
    ip: [429, expect.stringMatching(/^Muitas requisições/u)],
    searches: await Promise.all(SEARCHES.map((q) => found(api, q))),
  };
  await fetch(`${limited.url}/v1/jurisprudencia/cobertura`);
  environment = {
    URL: service.url,
    LIMITED_URL: limited.url,
    KEY: service.key,
    SMALL_KEY: small,
    QUERIES: JSON.stringify(SEARCHES),
  };
  // Its one unit: what follows is past the quota.
  await new Jurisprudencia({ url: service.url, key: small }).buscar({ q: 'dano' });
});
afterAll(async () => {
  if (!hasGenerators) return;
  await service.stop();
  await limited.stop();
});

describe.skipIf(!hasGenerators)('a client generated from docs/openapi.json', () => {
  it('by openapi-typescript and openapi-fetch searches, pages and reads records', async () => {
    const at = (name: string) => join(folder, name);
    cpSync(join(OWN, 'run.ts'), at('run.ts'));
    symlinkSync(join(GENERATORS, 'node_modules'), at('node_modules'));
    const bun = process.execPath;
    const installed = (name: string) => [bun, join(GENERATORS, 'node_modules/.bin', name)];
    await printed(
      [...installed('openapi-typescript'), join(ROOT, 'docs/openapi.json'), '-o', at('api.d.ts')],
      folder,
    );
    const strict = '--strict --noUncheckedIndexedAccess --exactOptionalPropertyTypes --skipLibCheck';
    const modules = '--module preserve --target es2022 --lib es2022,dom --allowImportingTsExtensions';
    const flags = `--noEmit ${strict} ${modules} --types bun-types --typeRoots`.split(' ');
    await printed([...installed('tsc'), ...flags, join(ROOT, 'node_modules'), at('run.ts')], folder);
    expect(JSON.parse(await printed([bun, 'run.ts'], folder, environment))).toEqual(expected);
  });

  itInPython('by openapi-python-client can be installed, and does the same', async () => {
    const bin = join(GENERATORS, 'venv/bin');
    const out = join(folder, 'python');
    const PATH = `${bin}:${process.env['PATH'] ?? ''}`;
    const document = join(ROOT, 'docs/openapi.json');
    const generate = [
      join(bin, 'openapi-python-client'),
      ...'generate --meta setup --fail-on-warning'.split(' '),
    ];
    await printed([...generate, '--path', document, '--output-path', out], folder, { PATH });
    // All that it needs is there, so that nothing is fetched; into a folder, so that the tools stay as they are.
    const PYTHONPATH = join(folder, 'installed');
    const how = '--quiet --no-build-isolation --no-deps --disable-pip-version-check --target'.split(' ');
    await printed([join(bin, 'pip'), 'install', ...how, PYTHONPATH, out], folder, { PATH });
    const run = [PYTHON, join(OWN, 'run.py')];
    expect(JSON.parse(await printed(run, folder, { ...environment, PATH, PYTHONPATH }))).toEqual(expected);
  });

  it.each(['3.1', '3.0'])('by oapi-codegen from OpenAPI %s compiles and does the same', async (version) => {
    const go = join(folder, `go-${version}`);
    mkdirSync(join(go, 'api'), { recursive: true });
    for (const name of ['go.mod', 'go.sum', 'run.go']) cpSync(join(OWN, name), join(go, name));
    const generated = ['-generate', 'types,client', '-package', 'api', '-o', join(go, 'api/api.go')];
    const document = join(ROOT, version === '3.0' ? 'docs/openapi-3.0.json' : 'docs/openapi.json');
    await printed([join(GENERATORS, 'oapi-codegen'), ...generated, document], go);
    const run = [join(GENERATORS, 'go'), 'run', '.'];
    const settings = { HOME: process.env['HOME'] ?? '', GOPROXY: 'off', GOFLAGS: '-mod=readonly' };
    expect(JSON.parse(await printed(run, go, { ...environment, ...settings }))).toEqual(expected);
  });
});

describe.skipIf(!hasGenerators)('the samples in the document', () => {
  const runs = async (label: string, kind: string, command: string) => {
    const samples = join(folder, kind);
    mkdirSync(join(samples, 'node_modules'), { recursive: true });
    symlinkSync(ROOT, join(samples, 'node_modules/jurisprudencia'));
    for (const { get } of Object.values(openApiDocument(service.url).paths)) {
      const source = get['x-code-samples'].find((sample) => sample.label === label)?.source ?? '';
      // The example's decision is made up.
      writeFileSync(join(samples, `sample.${kind}`), source.replace(EXEMPLO_ID, 'stj:1'));
      const out = await printed([command, `sample.${kind}`], samples, { JURISPRUDENCIA_KEY: service.key });
      expect(out).toContain('stj');
    }
  };

  it('for curl run unchanged', () => runs('curl', 'sh', 'sh'));
  it('for TypeScript run unchanged', () => runs('TypeScript', 'ts', process.execPath));
  itInPython('for Python run as they stand', () => runs('Python', 'py', PYTHON));
});
