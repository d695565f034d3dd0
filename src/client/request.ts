import { errorOf, JurisprudenciaError } from './error.ts';

export interface ClientOptions {
  /** Address of the service, without `/v1`: for instance `https://api.exemplo.br`. */
  readonly url: string;
  /** Required for searches and records. */
  readonly key?: string | undefined;
  /** Longest total wait of a call for the `Retry-After` of 429 answers, milliseconds; 0 throws immediately. */
  readonly waitMsMax?: number;
  /** Retries after a 504 or a page with missing bases. Each one costs a unit of quota. */
  readonly retries?: number;
  /** For proxies and tests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

const WAIT_MS_MAX = 10_000;

/** Sends requests. Waits for rate limits up to a maximum, retries as configured, and throws a single class of error. */
export class Sender {
  readonly retries: number;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #waitMsMax: number;
  readonly #fetch: NonNullable<ClientOptions['fetch']>;
  readonly #wait: NonNullable<ClientOptions['wait']>;

  constructor({ url, key, waitMsMax, retries, fetch: given, wait }: ClientOptions) {
    this.#url = url.replace(/\/+$/u, '');
    this.#headers = key === undefined ? {} : { authorization: `Bearer ${key.trim()}` };
    this.#waitMsMax = waitMsMax ?? WAIT_MS_MAX;
    this.retries = retries ?? 0;
    this.#fetch = given ?? ((address, init) => fetch(address, init));
    this.#wait = wait ?? sleep;
  }

  /** @param isPublic sends no key. @returns the body and headers of a 200. @throws JurisprudenciaError for other results, and the reason of an abort. */
  async get(
    path: string,
    { signal }: CallOptions,
    isPublic = false,
  ): Promise<{ body: unknown; headers: Headers }> {
    let waitedMs = 0;
    let retried = 0;
    for (;;) {
      const response = await this.#send(path, signal, isPublic ? {} : this.#headers);
      if (response.ok) return { body: await readJson(response, signal), headers: response.headers };
      const error = await errorOf(response);
      const waitMs = response.status === 429 ? error.retryAfterMs : null;
      if (waitMs !== null && waitedMs + waitMs <= this.#waitMsMax) {
        waitedMs += waitMs;
        await this.#wait(waitMs, signal);
      } else if (response.status === 504 && retried < this.retries) retried += 1;
      else throw error;
    }
  }

  async #send(
    path: string,
    signal: AbortSignal | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Response> {
    // Not valid in a header; runtimes report it differently.
    if (!/^[ -~]*$/u.test(headers['authorization'] ?? '')) {
      const message = 'a chave tem um sinal que nenhuma chave tem; copie-a outra vez, inteira';
      throw new JurisprudenciaError(message, { status: null, codigo: 'NAO_AUTORIZADO' });
    }
    try {
      // Whoever is behind a redirect must not get the key.
      const init = { headers, signal: signal ?? null, redirect: 'manual' } as const;
      return notRedirected(await this.#fetch(this.#url + path, init), this.#url);
    } catch (error) {
      signal?.throwIfAborted();
      if (error instanceof JurisprudenciaError) throw error;
      const message =
        this.#url === ''
          ? 'falta o endereço do serviço; dê-o em url'
          : `o serviço em ${this.#url} não foi alcançado; confira o endereço, e se ele está no ar`;
      throw new JurisprudenciaError(message, { status: null, cause: error });
    }
  }
}

/** The service never redirects. A browser shows neither status nor place of one. */
function notRedirected(response: Response, url: string): Response {
  const { status, type, headers } = response;
  if (type !== 'opaqueredirect' && (status < 300 || status === 304 || status > 399)) return response;
  const place = headers.get('location');
  const message = `${url} manda para ${place ?? 'outro endereço'}, onde a chave não vai; se é o serviço, dê esse endereço`;
  throw new JurisprudenciaError(message, { status: null });
}

async function readJson(response: Response, signal: AbortSignal | undefined): Promise<unknown> {
  try {
    return await response.json();
  } catch (error) {
    signal?.throwIfAborted();
    const requestId = response.headers.get('x-request-id');
    throw new JurisprudenciaError('a resposta não pôde ser lida até o fim como JSON', {
      status: response.status,
      requestId,
      cause: error,
    });
  }
}

async function sleep(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await new Promise<void>((resolve) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal?.addEventListener('abort', end);
    if (signal?.aborted === true) end();
  });
  signal?.throwIfAborted();
}
