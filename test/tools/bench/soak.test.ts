import { expect, test } from 'vitest';
import { HEADERS } from '../../../src/openapi/headers.ts';
import { MIX } from './soak-mix.ts';

test('a wrong status or an invalid body is a broken promise', async () => {
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
  const url = `http://127.0.0.1:${server.port}`;
  const words = { common: ['de'], neverAdjacent: [], ordinary: ['dano moral'] };
  const world = { url, key: 'k', words, random: () => 0, ids: [], incomplete: 0 };
  for (const broken of ['status 401, not 200', "must have required property 'por_base'"])
    await expect(MIX[0]?.run(world)).rejects.toThrow(broken);
});
