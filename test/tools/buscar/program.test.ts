import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { DECISIONS } from '../../client/support-searches.ts';
import { buildProgram } from '../../support/program.ts';
import { ROOT, startProgram } from '../../support/run.ts';
import { served } from '../../support/served.ts';
import { temporaryFolder } from '../../support/service.ts';

const service = served(DECISIONS);
let program: string;
beforeAll(async () => {
  program = await buildProgram(temporaryFolder());
});

/** In an empty folder, without Bun on the path. */
async function runAlone(args: readonly string[], input = '') {
  const environment = {
    PATH: '/usr/bin:/bin',
    HOME: service.dataDir,
    JURISPRUDENCIA_URL: service.url,
    JURISPRUDENCIA_KEY: service.key,
  };
  await using child = startProgram([program, ...args], { cwd: temporaryFolder(), environment, input });
  return { exitCode: await child.ended, out: child.out(), err: child.err() };
}

describe('the compiled program, without a checkout', () => {
  it('searches, reads a record and shows the coverage', async () => {
    const search = await runAlone(['buscar', 'dano moral', '--tribunal', 'stj', '--jsonl']);
    expect(search).toMatchObject({ exitCode: 0, out: expect.stringContaining('"id":"stj:1"') });
    expect(await runAlone(['decisao', 'stj:1'])).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining('Dano moral. Inscrição indevida.'),
    });
    expect(await runAlone(['cobertura'])).toMatchObject({ exitCode: 0, out: expect.stringContaining('stj') });
  });

  it('serves assistants', async () => {
    const initialize = {
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: { protocolVersion: '2025-06-18', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
    };
    const call = {
      jsonrpc: '2.0',
      id: 2,
      method: 'tools/call',
      params: { name: 'cobertura', arguments: {} },
    };
    const { exitCode, out } = await runAlone(
      ['mcp'],
      `${JSON.stringify(initialize)}\n${JSON.stringify(call)}\n`,
    );
    expect(exitCode).toBe(0);
    expect(
      out
        .trim()
        .split('\n')
        .map((line) => (JSON.parse(line) as { id: number }).id),
    ).toEqual([1, 2]);
  });

  it.each([[], ['buscar'], ['decisao'], ['cobertura'], ['conferir'], ['mcp']])(
    'prints its version (%s)',
    async (...args) => {
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
      expect(await runAlone([...args, '--version'])).toEqual({ exitCode: 0, out: `${version}\n`, err: '' });
    },
  );

  it('reports wrong use in Portuguese', async () => {
    expect(await runAlone(['mcp', '--http=70000'])).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('Use um número inteiro de 0 a 65535.'),
    });
  });
});
