import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpClient, targetOf } from '../../../src/tools/load/http-client.ts';
import { HttpReader, headerOf, type Answer } from '../../../src/tools/load/http-reader.ts';
import { ownPort } from '../../support/own-port.ts';

function read(...chunks: string[]): Answer | 'unframed' | null {
  const reader = new HttpReader();
  let last: Answer | 'unframed' | null = null;
  for (const chunk of chunks) last = reader.push(Buffer.from(chunk));
  return last;
}

const CHUNKED_HEAD = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';

describe('the reader of answers', () => {
  test('reads an answer wherever its bytes are cut', () => {
    const text = 'HTTP/1.1 200 OK\r\nServer-Timing: a\r\nContent-Length: 5\r\n\r\nabcde';
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(read(text.slice(0, cut))).toBeNull();
      const answer = read(text.slice(0, cut), text.slice(cut));
      expect(answer).toMatchObject({ status: 200, closes: false });
      expect((answer as Answer).body.toString()).toBe('abcde');
    }
  });

  test('recognises an answer without a body, and one without a known end', () => {
    expect(read('HTTP/1.1 304 Not Modified\r\n\r\n')).toMatchObject({ status: 304 });
    expect(read('HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nabcde')).toBe('unframed');
    expect(read('SSH-2.0-OpenSSH\r\n\r\n')).toBe('unframed');
  });

  test('skips informational answers, wherever their bytes are cut', () => {
    const early = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n';
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
    const text = `${early}${hints}HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok`;
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(read(text.slice(0, cut))).toBeNull();
      expect(read(text.slice(0, cut), text.slice(cut))).toMatchObject({
        status: 200,
        body: Buffer.from('ok'),
      });
    }
  });

  test('ends a body without a length at the close, and no other', () => {
    const ended = (text: string) => {
      const reader = new HttpReader();
      expect(reader.push(Buffer.from(text))).toBeNull();
      return reader.end()?.body.toString() ?? null;
    };
    expect(ended('HTTP/1.1 200 OK\r\n\r\numa ementa')).toBe('uma ementa');
    expect(ended('HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')).toBe('0\r\n\r\n');
    expect(ended('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\numa')).toBeNull();
    expect(ended(`${CHUNKED_HEAD}4\r\numa \r\n`)).toBeNull();
    expect(ended('HTTP/1.1 200 OK\r\nContent-Le')).toBeNull();
  });

  test.each([
    ['1.1', '', false],
    ['1.1', 'Connection: keep-alive, Close\r\n', true],
    ['1.0', '', true],
    ['1.0', 'Connection: Keep-Alive\r\n', false],
  ])('knows whether the connection of an answer in HTTP/%s %j closes', (version, header, closes) => {
    expect(read(`HTTP/${version} 200 OK\r\n${header}Content-Length: 0\r\n\r\n`)).toMatchObject({ closes });
  });

  test('joins a body that comes in chunks, wherever the bytes are cut', () => {
    const text = `${CHUNKED_HEAD}4\r\numa \r\n6;nome=x\r\nemenda\r\n0\r\nX-Fim: 1\r\n\r\n`;
    for (let cut = 1; cut < text.length; cut += 1) {
      const answer = read(text.slice(0, cut), text.slice(cut));
      expect((answer as Answer).body.toString()).toBe('uma emenda');
    }
  });

  test('waits for the last chunk of a body', () => {
    expect(read(`${CHUNKED_HEAD}4\r\numa \r\n0\r\n`)).toBeNull();
  });

  test.each(['zz\r\numa \r\n', '4\r\numa xx6\r\n'])('takes %j for no chunk', (body) => {
    expect(read(CHUNKED_HEAD + body)).toBe('unframed');
  });
});

describe('where requests go', () => {
  test.each([
    ['http://127.0.0.1:3000', '127.0.0.1', 3000, false, '127.0.0.1:3000', ''],
    ['http://[::1]:81/', '::1', 81, false, '[::1]:81', ''],
    ['https://casos.example/api/', 'casos.example', 443, true, 'casos.example', '/api'],
  ])('is read from %s', (url, host, port, isTls, authority, prefix) => {
    expect(targetOf(url)).toEqual({ host, port, isTls, authority, prefix });
  });
});

describe('the client', () => {
  /** More than a socket takes at once. */
  const LONG = 'é'.repeat(40_000);
  let server: Bun.Server<undefined>;
  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => {
        const { pathname, host } = new URL(request.url);
        if (pathname === '/close') return new Response('{}', { headers: { connection: 'close' } });
        if (pathname.startsWith('/long/')) return new Response(LONG, { headers: { 'x-path': pathname } });
        return new Response(`${pathname} ${host} ${request.headers.get('authorization')}`);
      },
    });
  });
  afterAll(async () => server.stop(true));

  test('sends the path below the target’s own, its host and the key', async () => {
    using client = new HttpClient(`http://127.0.0.1:${server.port}/api`, 1);
    const { result } = await client.send({ path: '/v1/busca', key: 'jur_x' });
    expect((result as Answer).body.toString()).toBe(`/api/v1/busca 127.0.0.1:${server.port} Bearer jur_x`);
  });

  test('reads every answer to its own request, over connections that it uses again', async () => {
    using client = new HttpClient(server.url.href, 8);
    const asks = Array.from({ length: 100 }, (_, at) => ({ path: at % 10 === 0 ? '/close' : `/long/${at}` }));
    const replies = await Promise.all(asks.map((ask) => client.send(ask)));
    for (const [at, { result }] of replies.entries()) {
      if (typeof result === 'string') throw new Error(`request ${at}: ${result}`);
      const isShort = at % 10 === 0;
      expect(result.body.toString()).toBe(isShort ? '{}' : LONG);
      if (!isShort) expect(headerOf(result.head, 'x-path')).toBe(`/long/${at}`);
    }
  });

  test('sends requests beyond its connections when one is free, in order', async () => {
    using client = new HttpClient(`http://127.0.0.1:${server.port}`, 2);
    const replies = await Promise.all(Array.from({ length: 20 }, (_, at) => client.send({ path: `/${at}` })));
    expect(replies.map(({ result }) => (result as Answer).body.toString().split(' ')[0])).toEqual(
      Array.from({ length: 20 }, (_, at) => `/${at}`),
    );
  });

  test('reports that nothing listens', async () => {
    using client = new HttpClient(`http://127.0.0.1:${ownPort()}`, 1);
    expect((await client.send({ path: '/' })).result).toBe('connect');
  });
});
