import { within, type Clock } from '../clock.ts';
import { explain } from '../process/fail.ts';

/** A fault of one answer, which a second try would meet again. */
export class Refused extends Error {}
/** The portal fails or is busy, and may ask for a wait: of one try, or after all of them. */
export class Unreachable extends Error {
  readonly waitMs: number | null;

  constructor(message: string, waitMs: number | null = null) {
    super(message);
    this.waitMs = waitMs;
  }
}

export interface ClientParts {
  /** Only addresses of its origin are asked: the list of files comes from outside, and may name any. */
  readonly url: URL;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly say: (line: string) => void;
}

/** Reads an answer with status 200 or 304; again, if a try failed. It calls `onBytes` as bytes arrive. */
type Read<T> = (response: Response, onBytes: () => void) => Promise<T>;
type Headers = Readonly<Record<string, string>>;

const TRIES = 5;
const REDIRECTS_MAX = 3;
/** Wait without `Retry-After`; it doubles with each try. */
const FIRST_WAIT_MS = 5_000;
/** A portal that asks for more is left alone until the next run. */
const WAIT_MS_MAX = 15 * 60_000;
/** Longest wait for the next bytes. */
export const STALL_MS = 60_000;
const MS_PER_S = 1_000;
/** Without compression, so that bytes can be counted; what is compressed all the same is decompressed. */
const HEADERS = { 'accept-encoding': 'identity', 'user-agent': 'jurisprudencia-sync' };

/** Asks one portal, one request at a time, and waits where it has to. */
export class Client {
  readonly #parts: ClientParts;

  constructor(parts: ClientParts) {
    this.#parts = parts;
  }

  /** @throws Refused, Unreachable, the errors of `read` but the network's, and the signal's reason. */
  async ask<T>(address: string, read: Read<T>, headers: Headers = {}): Promise<T> {
    const { signal, say, clock } = this.#parts;
    for (let tries = 1; ; tries += 1) {
      try {
        return await this.#once(address, read, headers);
      } catch (error) {
        signal.throwIfAborted();
        if (!isPassing(error)) throw error;
        const waitMs =
          (error instanceof Unreachable ? error.waitMs : null) ?? FIRST_WAIT_MS * 2 ** (tries - 1);
        const wait = `${Math.ceil(waitMs / MS_PER_S)} s`;
        if (tries === TRIES) throw new Unreachable(`${explain(error)}, ${TRIES} times`);
        if (waitMs > WAIT_MS_MAX) throw new Unreachable(`${explain(error)} and asks to wait ${wait}`);
        say(`${explain(error)}; waiting ${wait}`);
        await within(waitMs, new Promise(() => undefined), clock, signal);
        signal.throwIfAborted();
      }
    }
  }

  async #once<T>(address: string, read: Read<T>, headers: Headers): Promise<T> {
    const { clock, signal } = this.#parts;
    const stalled = new AbortController();
    const wait = () =>
      clock.after(STALL_MS, () => {
        stalled.abort(new Unreachable(`no bytes for ${STALL_MS / MS_PER_S} s`));
      });
    let cancel = wait();
    try {
      const response = await this.#follow(address, headers, AbortSignal.any([signal, stalled.signal]));
      return await read(response, () => {
        cancel();
        cancel = wait();
      });
    } catch (error) {
      throw stalled.signal.aborted ? stalled.signal.reason : error;
    } finally {
      cancel();
      // Ends an answer that was not read to its end.
      stalled.abort();
    }
  }

  /** Follows redirects within the origin. */
  async #follow(address: string, headers: Headers, signal: AbortSignal): Promise<Response> {
    let url = this.#own(address, this.#parts.url);
    for (let count = 0; count <= REDIRECTS_MAX; count += 1) {
      const init = { headers: { ...HEADERS, ...headers }, signal, redirect: 'manual' } as const;
      const response = await fetch(url.href, init);
      const { status } = response;
      if (status === 200 || status === 304) return response;
      await response.body?.cancel();
      const to = response.headers.get('location');
      if (status === 429 || status >= 500)
        throw new Unreachable(`the portal answers ${status}`, this.#askedWait(response));
      if (status < 300 || status >= 400 || to === null) throw new Refused(`the portal answers ${status}`);
      url = this.#own(to, url);
    }
    throw new Refused(`more than ${REDIRECTS_MAX} redirects`);
  }

  /** @throws Refused for an address outside the portal's origin. */
  #own(address: string, from: URL): URL {
    const url = URL.canParse(address, from.href) ? new URL(address, from.href) : null;
    const { origin } = this.#parts.url;
    if (url?.origin === origin && url.username === '') return url;
    throw new Refused(`leads to ${url?.origin ?? address}, and only ${origin} is asked`);
  }

  /** `Retry-After`, seconds or a date, in milliseconds; null if it is neither. */
  #askedWait({ headers }: Response): number | null {
    const text = headers.get('retry-after')?.trim() ?? '';
    if (/^\d{1,9}$/u.test(text)) return Number(text) * MS_PER_S;
    const at = Date.parse(text);
    return Number.isNaN(at) ? null : Math.max(0, at - this.#parts.clock.date().getTime());
  }
}

/** Bun's error for a connection that fails, or an answer that is cut, is a TypeError with a code. */
function isPassing(error: unknown): boolean {
  return error instanceof Unreachable || (error instanceof TypeError && 'code' in error);
}
