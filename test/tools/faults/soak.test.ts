import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { HEADERS } from '../../../src/openapi/headers.ts';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { run } from '../../support/run.ts';
import { bePatient } from '../../support/patience.ts';
import { AMPLE_WINDOWS, temporaryFolder } from '../../support/service.ts';
import { MIX } from './measure-soak-mix.ts';

const COMMAND = '../test/tools/faults/soak.ts';
/** A record whose window runs out on a busy machine would be a 504. Most of a start is that of threads. */
const PATIENT = { ...AMPLE_WINDOWS, BASES_THREADS: '1' };

bePatient();

const folder = temporaryFolder();

describe('bun run soak', () => {
  test('does every act of the mix, changes keys and decisions meanwhile, and finds no promise broken', async () => {
    const page = join(folder, 'faults.md');
    writeFileSync(page, '# Faults\n\n<!-- soak:begin -->\n<!-- soak:end -->\n');
    const args = ['--minutes', '0.1', '--data', join(folder, 'data'), '--docs', page];
    const { out, err, exitCode } = await run(COMMAND, args, PATIENT);
    expect(out).not.toMatch(/^broken \d+×/m);
    expect(out).toMatch(/^broken +none +0 +ok$/m);
    expect(err).not.toContain('soak:');
    expect(exitCode).toBe(0);
    for (const name of [...MIX.map((act) => act.name), 'keys', 'load']) {
      expect(out).toMatch(new RegExp(`^${name} +[1-9]\\d*$`, 'm'));
    }
    const written = readFileSync(page, 'utf8');
    expect(written).toMatch(/^Version .*; 0\.1 minutes, \d+ requests a second\.$/mu);
    for (const held of ['memory of its own', 'descriptors', 'threads']) {
      expect(written).toMatch(new RegExp(`^\\| ${held} +\\| <= \\+5% \\| \\d+ to \\d+`, 'mu'));
      expect(out).toMatch(new RegExp(`^${held} +<= \\+5% +\\d+ to \\d+`, 'm'));
    }
  });

  test('does not load made-up decisions into a folder that holds something else', async () => {
    const other = join(folder, 'other');
    mkdirSync(other);
    writeFileSync(join(other, 'letter.txt'), 'Dear');
    const { exitCode, err } = await run(COMMAND, ['--data', other]);
    expect(exitCode).toBe(1);
    expect(err).toMatch(/holds something else; name a new folder/);
  });
});

test('a wrong status is a promise broken, and so is a body of another shape', async () => {
  const headers = { 'x-request-id': '12345678', 'www-authenticate': HEADERS['WWW-Authenticate'].example };
  const answers = [
    Response.json({ erro: 'x', codigo: 'NAO_AUTORIZADO' }, { status: 401, headers }),
    Response.json({ itens: [] }),
  ];
  using server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: () => answers.shift() ?? new Response(),
  });
  using client = new HttpClient(server.url.href, 1);
  const url = `http://127.0.0.1:${server.port}`;
  const words = { common: ['de'], neverAdjacent: [], ordinary: ['dano moral'] };
  const world = { client, url, key: 'k', words, random: () => 0, ids: [], incomplete: 0 };
  for (const broken of ['status 401, not 200', "must have required property 'por_base'"])
    await expect(MIX[0]?.run(world)).rejects.toThrow(broken);
});
