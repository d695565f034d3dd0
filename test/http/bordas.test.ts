import { describe, expect, it } from 'vitest';
import { served } from '../support/served.ts';
import { acordao, BUSCA, COBERTURA, expectErroText } from './checks.ts';
import { exchange, type WireAnswer } from './wire.ts';

const service = served({ stj: [acordao('dano e moral')] });

/** The single answer to bytes sent unchanged. */
async function answerTo(bytes: string | Buffer): Promise<WireAnswer> {
  const [answer] = await exchange(service.url, bytes);
  if (answer === undefined) throw new Error('no answer');
  return answer;
}

describe('a request at the edge of HTTP', () => {
  it.each([100, 70_000, 200_000_000])('with a body of %i bytes is 405, not 413', async (length) => {
    const answer = await answerTo(
      `POST ${BUSCA} HTTP/1.1\r\nHost: x\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n{`,
    );
    expectErroText(answer.status, answer.body, 'METODO_NAO_PERMITIDO');
    expect(answer.headers.get('allow')).toBe('GET');
  });

  it.each(['HTTP/1.0\r\n', 'HTTP/1.1\r\nHost: \r\nConnection: close\r\n'])(
    'without a host (%j) still reaches its route',
    async (rest) => {
      const auth = `Authorization: Bearer ${service.key}\r\n`;
      expect((await answerTo(`GET ${COBERTURA} ${rest}\r\n`)).status).toBe(200);
      const found = await answerTo(`GET ${BUSCA}?q=dano ${rest}${auth}\r\n`);
      expect(found.status).toBe(200);
      expect(found.body).toContain('"id":"stj:1"');
      expect((await answerTo(`GET ${BUSCA}?q=dano ${rest}\r\n`)).status).toBe(401);
      expect((await answerTo(`GET /x${COBERTURA} ${rest}\r\n`)).status).toBe(404);
      expect((await answerTo(`HEAD /x${COBERTURA} ${rest}\r\n`)).status).toBe(404);
    },
  );
});

it.each(['x', 'um-host-qualquer:3000'])(
  'a path with dots is no fault of the service (host %s)',
  async (host) => {
    for (const path of ['/v1/jurisprudencia/./cobertura', '/v1/x/../jurisprudencia/cobertura']) {
      const answer = await answerTo(`GET ${path} HTTP/1.1\r\nHost: ${host}\r\nConnection: close\r\n\r\n`);
      if (answer.status !== 200) expectErroText(answer.status, answer.body, 'ROTA_NAO_ENCONTRADA');
    }
  },
);

describe('the text of a query', () => {
  it.each(['%C2%A0', '%E2%80%89', '%0B', '%0C', '%E3%80%80'])(
    'may have any Unicode space (%s) around an operator',
    async (space) => {
      const { status, body } = await read(`q=dano${space}AND${space}moral`);
      expect(status).toBe(200);
      expect(body).toContain('"id":"stj:1"');
    },
  );

  it('that is not UTF-8 is refused if percent-encoded; in raw bytes it becomes U+FFFD, which separates words', async () => {
    const encoded = await read('q=a%E7%E3o');
    expectErroText(encoded.status, encoded.body, 'PARAMETRO_INVALIDO');
    expect((await read('q=%EF%BF%BDdano')).body).toContain('"id":"stj:1"');
    const request = Buffer.from(
      `GET ${BUSCA}?q=a\u00e7\u00e3o HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${service.key}\r\nConnection: close\r\n\r\n`,
      'latin1',
    );
    const answer = await answerTo(request);
    expect(answer.status).toBe(200);
    expect(answer.body).toContain('"itens":[]');
  });

  async function read(query: string): Promise<{ status: number; body: string }> {
    const response = await service.get(`${BUSCA}?${query}`);
    return { status: response.status, body: await response.text() };
  }
});
