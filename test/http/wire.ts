import { connect } from 'node:net';
import { gunzipSync } from 'node:zlib';
import { checkDocumented } from '../support/documented.ts';
import { framedBody } from '../support/framing.ts';

/** One answer as received; header names in lower case. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
  /** The body, not decoded. */
  readonly bytes: Uint8Array;
}

/** Longest wait for a server that does not close: a hang becomes a failing test instead of a stuck run. */
const EXCHANGE_MS_MAX = 120_000;

/**
 * Sends bytes as they are, which no HTTP client would, and reads until the server closes. Each answer of the service
 * must match the OpenAPI document.
 * @param piece so many bytes a packet; by default all at once.
 */
export function exchange(
  url: string,
  bytes: string | Buffer,
  piece = Number.POSITIVE_INFINITY,
): Promise<WireAnswer[]> {
  const { hostname, port } = new URL(url);
  const out = Buffer.from(bytes);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port), noDelay: true }, () => {
      for (let at = 0; at < out.length; at += piece) socket.write(out.subarray(at, at + piece));
    });
    socket.setTimeout(EXCHANGE_MS_MAX, () => {
      socket.destroy(new Error(`no end after ${EXCHANGE_MS_MAX} ms: ${Buffer.concat(chunks).toString()}`));
    });
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', reject);
    socket.on('close', () => {
      try {
        const answers = readAnswers(Buffer.concat(chunks));
        checkAnswers(out, answers);
        resolve(answers);
      } catch (error) {
        reject(error);
      }
    });
  });
}

/** One request whose target and headers go out exactly as written; the last header asks for the close. */
export async function raw(
  url: string,
  method: string,
  target: string | Buffer,
  headers: readonly string[] = [],
  body = '',
): Promise<WireAnswer> {
  const tail = ['Host: teste', ...headers, 'Connection: close', '', body].join('\r\n');
  const bytes = Buffer.concat([
    Buffer.from(`${method} `),
    Buffer.from(target),
    Buffer.from(` HTTP/1.1\r\n${tail}`),
  ]);
  const [answer] = await exchange(url, bytes);
  if (answer === undefined) throw new Error(`no answer to ${method} ${target.toString()}`);
  return answer;
}

/** Each request line is at the start or after a request without a body. */
const REQUEST_LINE = /(?:^|\r\n\r\n)([!-~]+) ([^\r\n]*?) HTTP\/1\.[01]\r\n/gu;

/**
 * Answers come in the order of the requests. What the server takes for no request at all it refuses by itself,
 * with neither a body nor an X-Request-Id.
 */
function checkAnswers(out: Buffer, answers: readonly WireAnswer[]): void {
  const lines = [...out.toString('latin1').matchAll(REQUEST_LINE)];
  for (const [at, { status, headers, body, bytes }] of answers.entries()) {
    if (!headers.has('x-request-id') && status >= 400 && body === '') continue;
    const [, method = '', target = ''] = lines[at] ?? [];
    const isPacked = headers.get('content-encoding') === 'gzip';
    const text = isPacked && bytes.length > 0 ? gunzipSync(bytes).toString() : body;
    checkDocumented({ method, target, status, headers, body: text });
  }
}

/** Splits what came over one connection into its answers. */
function readAnswers(stream: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = stream;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`not an HTTP answer: ${rest.toString()}`);
    const head = rest.subarray(0, end).toString('latin1');
    const [statusLine = '', ...lines] = head.split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    // An answer to HEAD tells the length of a body that does not follow.
    const { body: bytes, next } = framedBody(rest, head, end + 4) ?? {
      body: rest.subarray(end + 4),
      next: rest.length,
    };
    answers.push({ status: Number(statusLine.split(' ')[1]), headers, body: bytes.toString(), bytes });
    rest = rest.subarray(next);
  }
  return answers;
}
