import { connect } from 'node:net';

/** One answer as it stood on the wire; header names in lower case. */
export interface WireAnswer {
  readonly status: number;
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Longest wait for a server that does not close: a hang becomes a failing test instead of a stuck run. */
const EXCHANGE_MS_MAX = 25_000;

/**
 * Sends bytes as they are, which no HTTP client would, and reads until the server closes.
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
      resolve(readAnswers(Buffer.concat(chunks)));
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

/** Splits what came over one connection into its answers. */
function readAnswers(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    if (end < 0) throw new Error(`not an HTTP answer: ${rest.toString()}`);
    const [statusLine = '', ...lines] = rest.subarray(0, end).toString('latin1').split('\r\n');
    const headers = new Map(
      lines.map((line) => {
        const colon = line.indexOf(':');
        return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
      }),
    );
    const status = Number(statusLine.split(' ')[1]);
    const from = end + 4;
    const length = Number(headers.get('content-length') ?? 0);
    answers.push({ status, headers, body: rest.subarray(from, from + length).toString() });
    rest = rest.subarray(from + length);
  }
  return answers;
}
