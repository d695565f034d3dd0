import { beforeAll, describe, expect, it } from 'vitest';
import { served } from '../support/served.ts';
import type { Body } from '../support/service.ts';
import { acordao, BUSCA, COBERTURA, decisaoPath, expectErroText } from './checks.ts';
import { exchange, raw } from './wire.ts';

const service = served({ stj: [acordao('ação de dano')] });

const key = () => `Authorization: Bearer ${service.key}`;
const ROUTES = [COBERTURA, BUSCA, decisaoPath('stj:1')];

describe('a path that matches no route is 404 ROTA_NAO_ENCONTRADA:', () => {
  it.each([
    ...'/ /v1 /v1/ /v1/jurisprudencia /v1/jurisprudencia/ /v1/jurisprudencia/busca/'.split(' '),
    ...'/v1/jurisprudencia/cobertura/ /v1/jurisprudencia/stj:1/ /v1/jurisprudencia/stj:1/texto'.split(' '),
    ...'//v1/jurisprudencia/busca /v1//jurisprudencia/busca /v1/jurisprudencia//busca /favicon.ico'.split(
      ' ',
    ),
    ...'/V1/jurisprudencia/busca /v1/Jurisprudencia/busca /v2/jurisprudencia/busca /% /%ff /ação'.split(' '),
    ...'/jurisprudencia/busca /busca /v1%2Fjurisprudencia%2Fbusca /v1/jurisprudencia%2Fbusca'.split(' '),
    ...'/%761/jurisprudencia/busca /v1/jurisprudenciabusca /v1/jurisprudencia// /?q=dano'.split(' '),
    '/x?/v1/jurisprudencia/busca',
  ])('%s', async (target) => {
    for (const headers of [[], [key()]]) {
      const answer = await raw(service.url, 'GET', target, headers);
      expectErroText(answer.status, answer.body, 'ROTA_NAO_ENCONTRADA');
    }
  });

  it('for any method', async () => {
    for (const method of ['POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      const { status, body } = await raw(service.url, method, `${BUSCA}/`);
      expectErroText(status, body, 'ROTA_NAO_ENCONTRADA');
    }
  });

  it('for HEAD without a body', async () => {
    expect((await raw(service.url, 'HEAD', '/nada')).status).toBe(404);
  });
});

describe('a method other than GET is 405', () => {
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND', 'QUERY']) {
    it.each(ROUTES)(`${method} %s`, async (target) => {
      const { status, body } = await raw(service.url, method, target);
      expectErroText(status, body, 'METODO_NAO_PERMITIDO');
    });
  }

  it.each(ROUTES)('HEAD %s, without a body', async (target) => {
    const [head, next] = await exchange(
      service.url,
      `HEAD ${target} HTTP/1.1\r\nHost: teste\r\nConnection: close\r\n\r\n`,
    );
    expect([head?.status, head?.body, next]).toEqual([405, '', undefined]);
  });

  it.each([
    [BUSCA, 'Authorization: Bearer errada'],
    [BUSCA, 'Authorization: Basic eDp5'],
    [`${BUSCA}?q=%zz&x=1`, 'Authorization: Bearer errada'],
    [COBERTURA, 'X-HTTP-Method-Override: GET'],
  ])('before key and parameters are checked, whatever a header asks: %s, %s', async (target, header) => {
    expect((await raw(service.url, 'POST', target, [header])).status).toBe(405);
  });

  it.each([
    ['malformed JSON', 'application/json', '{"q":'],
    ['a form', 'application/x-www-form-urlencoded', 'q=dano&access_token=x'],
    ['a broken multipart', 'multipart/form-data; boundary=x', '--y'],
    ['an unknown type', 'nada', '\u0000'],
  ])('also with a body: %s', async (_, type, body) => {
    const headers = [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`];
    const answer = await raw(service.url, 'POST', BUSCA, headers, body);
    expectErroText(answer.status, answer.body, 'METODO_NAO_PERMITIDO');
  });
});

describe('a request as other clients write it', () => {
  it('may carry raw UTF-8 in the query', async () => {
    const { status, body } = await raw(service.url, 'GET', `${BUSCA}?q=ação`, [key()]);
    expect(status).toBe(200);
    expect(body).toContain('"id":"stj:1"');
  });

  it('may carry its target in absolute form', async () => {
    const { status } = await raw(service.url, 'GET', `http://teste${BUSCA}?q=dano`, [key()]);
    expect(status).toBe(200);
  });

  it('may carry a body with GET, which is not read', async () => {
    const headers = [key(), 'Content-Type: application/json', 'Content-Length: 5'];
    const { status } = await raw(service.url, 'GET', `${BUSCA}?q=dano`, headers, '{"q":');
    expect(status).toBe(200);
  });

  it('may be pipelined, with the answers in order', async () => {
    // Bun drops a connection that pipelines past an answer that is not ready at once, so none here waits for a base.
    const one = (method: string, target: string, last = false) =>
      `${method} ${target} HTTP/1.1\r\nHost: teste\r\n${last ? 'Connection: close\r\n' : ''}\r\n`;
    const answers = await exchange(
      service.url,
      one('GET', COBERTURA) + one('GET', '/nada') + one('POST', BUSCA) + one('GET', BUSCA, true),
    );
    expect(answers.map(({ status }) => status)).toEqual([200, 404, 405, 401]);
  });

  it('may arrive in single bytes', async () => {
    const text = `GET ${COBERTURA} HTTP/1.1\r\nHost: teste\r\nConnection: close\r\n\r\n`;
    const [answer] = await exchange(service.url, text, 1);
    expect(answer?.status).toBe(200);
  });
});

describe('X-Request-Id', () => {
  const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

  it.each([COBERTURA, BUSCA, `${BUSCA}?q=dano`, decisaoPath('stj:1'), decisaoPath('x'), '/nada'])(
    'is on each answer to %s, different every time',
    async (target) => {
      const ids = [];
      for (let at = 0; at < 3; at += 1) {
        const { headers } = await raw(service.url, 'GET', target, [key()]);
        ids.push(headers.get('x-request-id') ?? '');
      }
      expect(new Set(ids).size).toBe(3);
      for (const id of ids) expect(id).toMatch(UUID);
    },
  );

  const answered = async (id: string) => {
    const { headers } = await raw(service.url, 'GET', COBERTURA, [`X-Request-Id: ${id}`]);
    return headers.get('x-request-id');
  };

  it.each([
    'pedido-12345',
    // These only look a little like a key.
    'jur_2026-03-10',
    '0af7651916cd43dd8448eb211c80319c',
    'a'.repeat(64),
    'abcdef234567'.repeat(5),
  ])('is the client’s own if short and plain: %s', async (id) => {
    expect(await answered(id)).toBe(id);
  });

  it.each(['curto', 'com espaço no meio', 'a'.repeat(65), '<script>alert</script>'])(
    'is not the client’s own when that is %s',
    async (id) => {
      expect(await answered(id)).toMatch(UUID);
    },
  );

  it.each([
    ['is a key', (whole: string) => whole],
    ['has a key at its end', (whole: string) => `pedido-x${whole}`],
    ['has a key at its start', (whole: string) => `${whole}.1`],
    ['has a key in the middle, in capitals', (whole: string) => `Bearer-${whole.toUpperCase()}-1`],
    ['has a key without its prefix', (whole: string) => `x_${whole.slice(4)}`],
    ['has all of a key but its checksum', (whole: string) => `id-${whole.slice(0, -6)}`],
  ])('is not the client’s own, nor in the log, if that %s', async (_, idOf) => {
    expect(await answered(idOf(service.key))).toMatch(UUID);
  });
});

describe('gzip', () => {
  const target = () => `${BUSCA}?q=longa&limite=5`;
  beforeAll(() => {
    service.load(
      'stj',
      Array.from({ length: 5 }, (_, at) => acordao(`“Ação” – 🦜 ${'longa '.repeat(60)} ${at}`)),
    );
  });

  it.each(['gzip', 'GZIP', 'deflate, gzip;q=0.5', '*', 'br, *;q=0.1'])(
    'is used where %s is accepted and the answer is long',
    async (coding) => {
      const { headers } = await raw(service.url, 'GET', target(), [key(), `Accept-Encoding: ${coding}`]);
      expect(headers.get('content-encoding')).toBe('gzip');
      expect(headers.get('vary')).toMatch(/accept-encoding/i);
    },
  );

  it.each(['identity', 'br', 'gzip;q=0', 'gzip;q=0.000, *', '*;q=0', ''])(
    'is not used where only %j is accepted',
    async (coding) => {
      const { headers, body } = await raw(service.url, 'GET', target(), [
        key(),
        `Accept-Encoding: ${coding}`,
      ]);
      expect(headers.get('content-encoding')).toBeUndefined();
      expect(headers.get('vary')).toMatch(/accept-encoding/i);
      expect((JSON.parse(body) as { itens: unknown[] }).itens).toHaveLength(5);
    },
  );

  it('is not used for a short answer', async () => {
    const { headers } = await raw(service.url, 'GET', BUSCA, [key(), 'Accept-Encoding: gzip']);
    expect(headers.get('content-encoding')).toBeUndefined();
  });

  it('gives the same items when decompressed', async () => {
    const packed = await service.get(target(), { headers: { 'accept-encoding': 'gzip' } });
    const plain = await service.get(target(), { headers: { 'accept-encoding': 'identity' } });
    const itens = async (response: Response) => ((await response.json()) as Body).itens;
    const given = await itens(plain);
    expect(given.map(({ trecho_da_ementa }) => String(trecho_da_ementa).slice(0, 11))).toEqual(
      Array.from({ length: 5 }, () => '“Ação” – 🦜'),
    );
    expect(await itens(packed)).toEqual(given);
  });
});
