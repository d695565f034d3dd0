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
  /** Longest wait for a whole answer, milliseconds. The service answers a search in seconds, whatever its bases do. */
  readonly answerMsMax?: number;
  /** For proxies and tests. */
  readonly fetch?: (url: string, init: RequestInit) => Promise<Response>;
  readonly wait?: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
}

export interface CallOptions {
  readonly signal?: AbortSignal | undefined;
}

const WAIT_MS_MAX = 10_000;
const ANSWER_MS_MAX = 30_000;

interface Answer {
  readonly body: unknown;
  readonly headers: Headers;
}

/** Sends requests. Waits for rate limits up to a maximum, retries as configured, and throws a single class of error. */
export class Sender {
  readonly retries: number;
  readonly #url: string;
  readonly #headers: Record<string, string>;
  readonly #waitMsMax: number;
  readonly #answerMsMax: number;
  readonly #fetch: NonNullable<ClientOptions['fetch']>;
  readonly #wait: NonNullable<ClientOptions['wait']>;

  constructor({ url, key, waitMsMax, answerMsMax, retries, fetch: given, wait }: ClientOptions) {
    this.#url = url.replace(/\/+$/u, '');
    this.#headers = key === undefined ? {} : { authorization: `Bearer ${key.trim()}` };
    this.#waitMsMax = waitMsMax ?? WAIT_MS_MAX;
    this.#answerMsMax = answerMsMax ?? ANSWER_MS_MAX;
    this.retries = retries ?? 0;
    this.#fetch = given ?? ((address, init) => fetch(address, init));
    this.#wait = wait ?? sleep;
  }

  /** @param isPublic sends no key. @returns the body and headers of a 200. @throws JurisprudenciaError for other results, and the reason of an abort. */
  async get(path: string, { signal }: CallOptions, isPublic = false): Promise<Answer> {
    let waitedMs = 0;
    let retried = 0;
    for (;;) {
      const answer = await this.#once(path, signal, isPublic ? {} : this.#headers);
      if (!(answer instanceof JurisprudenciaError)) return answer;
      const waitMs = answer.status === 429 ? answer.retryAfterMs : null;
      if (waitMs !== null && waitedMs + waitMs <= this.#waitMsMax) {
        waitedMs += waitMs;
        await this.#wait(waitMs, signal);
      } else if (answer.status === 504 && retried < this.retries) retried += 1;
      else throw answer;
    }
  }

  /** One request. @returns what the service answered, if that is another status, as an error. */
  async #once(
    path: string,
    signal: AbortSignal | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<Answer | JurisprudenciaError> {
    // Not valid in a header; runtimes report it differently.
    if (!/^[ -~]*$/u.test(headers['authorization'] ?? '')) {
      const message = 'a chave tem um sinal que nenhuma chave tem; copie-a outra vez, inteira';
      throw new JurisprudenciaError(message, { status: null, codigo: 'NAO_AUTORIZADO' });
    }
    const timeout = new AbortController();
    const timer = setTimeout(() => {
      timeout.abort();
    }, this.#answerMsMax);
    try {
      const end = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
      // Whoever is behind a redirect must not get the key.
      const init = { headers, signal: end, redirect: 'manual' } as const;
      const response = notRedirected(await this.#fetch(this.#url + path, init), this.#url);
      if (!response.ok) return await errorOf(response);
      return { body: await readJson(response), headers: response.headers };
    } catch (error) {
      signal?.throwIfAborted();
      throw this.#failure(error, timeout.signal.aborted);
    } finally {
      clearTimeout(timer);
    }
  }

  #failure(cause: unknown, isTimeout: boolean): JurisprudenciaError {
    const mend = 'confira o endereço, e se ele está no ar';
    if (isTimeout) {
      const seconds = String(this.#answerMsMax / 1000).replace('.', ',');
      const message = `o serviço em ${this.#url} não respondeu em ${seconds} s; ${mend}`;
      return new JurisprudenciaError(message, { status: null, cause });
    }
    if (cause instanceof JurisprudenciaError) return cause;
    const message =
      this.#url === ''
        ? 'falta o endereço do serviço; dê-o em url'
        : `o serviço em ${this.#url} não foi alcançado; ${mend}`;
    return new JurisprudenciaError(message, { status: null, cause });
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

async function readJson(response: Response): Promise<unknown> {
  try {
    return await response.json();
  } catch (cause) {
    const message = 'a resposta não pôde ser lida até o fim como JSON';
    const requestId = response.headers.get('x-request-id');
    throw new JurisprudenciaError(message, { status: response.status, requestId, cause });
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
