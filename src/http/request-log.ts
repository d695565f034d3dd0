import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import { describeRequest, type DescribedRequest, type Seen } from './described-request.ts';
import type { LatestRequests } from './latest-requests.ts';
import { lineBound } from './line-bound.ts';

/** Log lines a second, for failed and for slow requests separately; one more line counts the rest. */
export const LOG_LINES_MAX = 10;
const LOG_WINDOW_MS = 1_000;

export interface RequestLogOptions {
  readonly log: Logger;
  readonly clock: Clock;
  /** Requests that take this long are logged with the bases' work; 0: none. */
  readonly slowMs: number;
  /** Gets what is logged with the bases' work, and searches that lack a base. */
  readonly latest: Pick<LatestRequests, 'add'>;
}

/**
 * Writes at most one log line for a request: always for failed and slow ones, within a bound, and at `debug` for others. Only a
 * failed or slow request's line has the query text; no line has a key, or a path as the client sent it.
 */
export class RequestLog {
  readonly #options: RequestLogOptions;
  /** Each counts a line, and tells whether it may be written. */
  readonly #admits: Readonly<Record<'failure' | 'slow' | 'incomplete', () => boolean>>;

  constructor(options: RequestLogOptions) {
    const { log, clock } = options;
    this.#options = options;
    const bound = (report: (requests: number) => void) =>
      lineBound(clock, LOG_LINES_MAX, LOG_WINDOW_MS, report);
    this.#admits = {
      failure: bound((requests) => {
        log.error({ requests }, 'more requests failed');
      }),
      slow: bound((requests) => {
        log.warn({ requests }, 'more requests were slow');
      }),
      incomplete: bound(() => undefined),
    };
  }

  observe(seen: Seen): void {
    const { notes, status, ms } = seen;
    const { log, slowMs } = this.#options;
    const isSlow = slowMs > 0 && ms >= slowMs;
    if (notes.isAbandoned) this.#debug(seen, 'request abandoned');
    else if (status >= 500) {
      if (this.#admits.failure()) this.#fail(seen, slowMs > 0);
    } else if (isSlow) {
      if (this.#admits.slow()) log.warn(lineOf(this.#listed(seen, true)), 'slow request');
    } else {
      const isIncomplete = (notes.page?.bases_sem_resposta.length ?? 0) > 0;
      if (isIncomplete && this.#admits.incomplete()) this.#listed(seen, false);
      this.#debug(seen, 'request');
    }
  }

  /** A fault of the service is an error; a record whose base fails to answer is a warning. */
  #fail(seen: Seen, hasText: boolean): void {
    const { log } = this.#options;
    const { fault } = seen.notes;
    const line = lineOf(this.#listed(seen, hasText));
    if (fault === null) log.warn(line, 'request not answered');
    else log.error({ ...line, err: fault }, 'request failed');
  }

  #listed(seen: Seen, hasText: boolean): DescribedRequest {
    const described = describeRequest(seen, hasText);
    this.#options.latest.add(described);
    return described;
  }

  #debug(seen: Seen, message: string): void {
    const { log } = this.#options;
    if (log.isLevelEnabled('debug')) log.debug(factsOf(describeRequest(seen, false)), message);
  }
}

function factsOf({ request_id, trace_id, route, status, refusal, cached, ms }: DescribedRequest) {
  return { request_id, trace_id, route, status, refusal, cached, ms };
}

function lineOf(described: DescribedRequest) {
  const { parametros, leitura, ordem, limite, itens, por_base, bases_sem_resposta, steps } = described;
  return {
    ...factsOf(described),
    q: parametros['q'],
    leitura,
    ordem,
    limite,
    ...(itens === undefined
      ? {}
      : {
          ordem_aplicada: Object.fromEntries(por_base.map((one) => [one.base, one.ordem_aplicada])),
          bases_sem_resposta: bases_sem_resposta.map(({ base }) => base),
        }),
    steps,
  };
}
