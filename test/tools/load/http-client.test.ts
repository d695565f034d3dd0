import { afterAll, describe, expect, test } from 'vitest';
import { HttpClient, targetOf } from '../../../src/tools/load/http-client.ts';
import { HttpReader, type Answer } from '../../../src/tools/load/http-reader.ts';

function read(...chunks: string[]): Answer | 'unframed' | null {
  const reader = new HttpReader();
  return chunks.map((chunk) => reader.push(Buffer.from(chunk))).at(-1) ?? null;
}

const bodyOf = (answer: Answer | string | null) =>
  typeof answer === 'object' && answer !== null ? answer.body.toString() : answer;

const CHUNKED = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n';
const EARLY =
  'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 102 Processing\r\n\r\n' +
  'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';

describe('the reader of answers', () => {
  test.each([
    ['with a length', 'HTTP/1.1 200 OK\r\nServer-Timing: a\r\nContent-Length: 10\r\n\r\n', 'uma emenda'],
    ['after informational ones', `${EARLY}HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n`, 'uma emenda'],
    ['in chunks', CHUNKED, '4\r\numa \r\n6;nome=x\r\nemenda\r\n0\r\nX-Fim: 1\r\n\r\n'],
  ])('reads an answer %s wherever its bytes are cut', (_, head, body) => {
    const text = head + body;
    for (let cut = 1; cut < text.length; cut += 1) {
      expect(read(text.slice(0, cut))).toBeNull();
      const answer = read(text.slice(0, cut), text.slice(cut));
      expect(answer).toMatchObject({ status: 200, closes: false });
      expect(bodyOf(answer)).toBe('uma emenda');
    }
  });

  test('recognises an answer without a body', () => {
    expect(read('HTTP/1.1 304 Not Modified\r\n\r\n')).toMatchObject({ status: 304 });
  });

  test('takes a close as the end of a body only if the body has neither a length nor chunks', () => {
    const ended = (text: string) => {
      const reader = new HttpReader();
      expect(reader.push(Buffer.from(text))).toBeNull();
      return bodyOf(reader.end());
    };
    expect(ended('HTTP/1.1 200 OK\r\n\r\numa ementa')).toBe('uma ementa');
    expect(ended('HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n')).toBe('0\r\n\r\n');
    expect(ended('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\numa')).toBeNull();
    expect(ended(`${CHUNKED}4\r\numa \r\n`)).toBeNull();
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

  test.each([
    'HTTP/1.1 200 OK\r\nContent-Length: 5, 6\r\n\r\nabcde',
    'SSH-2.0-OpenSSH\r\n\r\n',
    `${CHUNKED}zz\r\numa \r\n`,
    `${CHUNKED}4\r\numa xx6\r\n`,
  ])('refuses %j as no HTTP answer', (text) => {
    expect(read(text)).toBe('unframed');
  });
});

test.each([
  ['http://127.0.0.1:3000', '127.0.0.1', 3000, false, '127.0.0.1:3000', ''],
  ['http://[::1]:81/', '::1', 81, false, '[::1]:81', ''],
  ['https://casos.example/api/', 'casos.example', 443, true, 'casos.example', '/api'],
])('requests go to the host, port and path of %s', (url, host, port, isTls, authority, prefix) => {
  expect(targetOf(url)).toEqual({ host, port, isTls, authority, prefix });
});

describe('the client', () => {
  /** More than a socket takes at once. */
  const LONG = 'é'.repeat(40_000);
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch: ({ url, headers }) => {
      const { pathname, host } = new URL(url);
      if (pathname.endsWith('/close')) return new Response('{}', { headers: { connection: 'close' } });
      return new Response(`${pathname} ${host} ${headers.get('authorization')} ${LONG}`);
    },
  });
  afterAll(async () => server.stop(true));

  test('reads every answer to its own request over connections that it uses again', async () => {
    using client = new HttpClient(`http://127.0.0.1:${server.port}/api`, 4);
    const paths = Array.from({ length: 100 }, (_, at) => (at % 10 === 0 ? '/close' : `/${at}`));
    const replies = await Promise.all(paths.map((path) => client.send({ path, key: 'jur_x' })));
    expect(replies.map(({ result }) => bodyOf(result))).toEqual(
      paths.map((path) =>
        path === '/close' ? '{}' : `/api${path} 127.0.0.1:${server.port} Bearer jur_x ${LONG}`,
      ),
    );
  });

  test('reports that a request found all connections busy, but not that a new one was opened for it', async () => {
    const found = async (connections: number) => {
      using client = new HttpClient(`http://127.0.0.1:${server.port}`, connections);
      const replies = await Promise.all([client.send({ path: '/a' }), client.send({ path: '/b' })]);
      return replies.map(({ foundNoConnection }) => foundNoConnection);
    };
    expect(await found(2)).toEqual([false, false]);
    expect(await found(1)).toEqual([false, true]);
  });
});
