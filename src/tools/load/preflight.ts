import { bug } from '../../bug.ts';
import { CAMINHOS } from '../../contract/rotas.ts';
import { PlainError } from '../../process/fail.ts';
import { searchEnd } from './answer.ts';
import { HttpClient } from './http-client.ts';
import { headerOf, type Answer } from './http-reader.ts';
import type { Load } from './plan.ts';

/**
 * Sends one search before the load, to report a wrong address or key once.
 * @returns the remaining quota of the key today, and the data's version; null if the service does not report it.
 * @throws PlainError with a correction.
 */
export async function preflight({ url, key, plan, searches }: Load): Promise<{
  readonly quotaLeft: number | null;
  readonly data: string | null;
}> {
  const timeoutMs = plan.timeout_s * 1_000;
  using client = new HttpClient(url, 1, timeoutMs);
  const { result } = await client.send({
    path: `${CAMINHOS.busca}?${searches[0] ?? bug('no search')}&limite=1`,
    key,
  });
  if (typeof result === 'string') throw new PlainError(noAnswer(url, result, timeoutMs));
  if (result.status !== 200) throw new PlainError(refused(url, result));
  try {
    searchEnd(result);
  } catch {
    throw new PlainError(`${url} answers, but not like this service; is it another one?`);
  }
  const left = /;r=(\d+)/u.exec(headerOf(result.head, 'ratelimit') ?? '')?.[1];
  return {
    quotaLeft: left === undefined ? null : Number(left),
    data: headerOf(result.head, 'jurisprudencia-versao'),
  };
}

function noAnswer(url: string, mishap: string, timeoutMs: number): string {
  if (mishap === 'connect' && url.startsWith('https:'))
    return `no trusted connection to ${url}; is it https? for a certificate of your own set NODE_EXTRA_CA_CERTS`;
  if (mishap === 'connect') return `nothing listens at ${url}; start the service or correct the address`;
  if (mishap === 'timeout') return `no answer from ${url} within ${timeoutMs / 1000} s; see its log`;
  return `${url} does not speak plain HTTP/1.1; is it https, or another port?`;
}

function refused(url: string, { status, body }: Answer): string {
  const text = body.toString('utf8', 0, 1_024);
  if (status === 401) return 'the service does not know this key; issue one with: bun run keys issue NAME';
  if (status === 404)
    return `${url} has no such route; give the address and port of the service, without /v1`;
  if (status === 429 && text.includes('COTA_ESGOTADA'))
    return 'the key has used up its quota of the day; issue another with a greater --quota';
  if (status === 429) return 'the per-IP limit refuses already; start the service with a greater IP_REQUESTS';
  if (status === 400) return `the service rejects the first search: ${text.trim()}`;
  return `${url} answers with status ${status}; see its log`;
}
