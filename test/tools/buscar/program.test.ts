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
    const record = { exitCode: 0, out: expect.stringContaining('Dano moral. Inscrição indevida.') };
    expect(await runAlone(['decisao', 'stj:1'])).toMatchObject(record);
    expect(await runAlone(['cobertura'])).toMatchObject({ exitCode: 0, out: expect.stringContaining('stj') });
  });

  it('serves assistants', async () => {
    const request = (id: number, method: string, params: object) =>
      `${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`;
    const client = {
      protocolVersion: '2025-06-18',
      capabilities: {},
      clientInfo: { name: 'x', version: '1' },
    };
    const call = request(2, 'tools/call', { name: 'cobertura', arguments: {} });
    const { exitCode, out } = await runAlone(['mcp'], request(1, 'initialize', client) + call);
    expect(exitCode).toBe(0);
    const ids = out
      .trim()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id);
    expect(ids).toEqual([1, 2]);
  });

  it.each(['', 'buscar', 'decisao', 'cobertura', 'conferir', 'mcp'])(
    'prints its version alone for “%s --version”',
    async (command) => {
      const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
      expect(await runAlone([...(command === '' ? [] : [command]), '--version'])).toEqual({
        exitCode: 0,
        out: `${version}\n`,
        err: '',
      });
    },
  );

  it('reports wrong use in Portuguese', async () => {
    const { exitCode, err } = await runAlone(['mcp', '--http=70000']);
    expect(exitCode).toBe(2);
    expect(err).toContain('Use um número inteiro de 0 a 65535.');
  });
});
