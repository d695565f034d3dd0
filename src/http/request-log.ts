import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { Step } from '../engine/steps.ts';
import { withoutKeys } from '../keys/key.ts';
import type { Pedido } from '../query/parameters.ts';
import { LineBound, LOG_LINES_MAX } from './line-bound.ts';
import type { RequestNotes } from './observer.ts';
import { hundredths } from './server-timing.ts';
import { LEITURA_LENGTH_MAX } from '../contract/rotas.ts';

export interface RequestLogOptions {
  readonly log: Logger;
  readonly clock: Clock;
  /** Requests that take this long are logged with the bases' work; 0: none. */
  readonly slowMs: number;
}

const Q_LENGTH_MAX = 300;

/**
 * Writes at most one log line for a request: always for failed and slow ones, within a bound, and at `debug` for others. Only a
 * failed or slow request's line has the query text; no line has a key, or a path as the client sent it.
 */
export class RequestLog {
  readonly #options: RequestLogOptions;
  readonly #failures: LineBound;
  readonly #slow: LineBound;

  constructor(options: RequestLogOptions) {
    const { log, clock } = options;
    this.#options = options;
    this.#failures = new LineBound(clock, LOG_LINES_MAX, (requests) => {
      log.error({ requests }, 'more requests failed');
    });
    this.#slow = new LineBound(clock, LOG_LINES_MAX, (requests) => {
      log.warn({ requests }, 'more requests were slow');
    });
  }

  observe(notes: RequestNotes, status: number): void {
    const { log, clock, slowMs } = this.#options;
    const ms = clock.now() - notes.startedAt;
    if (notes.isAbandoned) {
      if (log.isLevelEnabled('debug')) log.debug(facts(notes, 'none', ms), 'request abandoned');
    } else if (status >= 500) {
      if (this.#failures.admits()) this.#logFailure(notes, status, ms);
    } else if (slowMs > 0 && ms >= slowMs) {
      if (this.#slow.admits()) log.warn({ ...facts(notes, status, ms), ...work(notes) }, 'slow request');
    } else if (log.isLevelEnabled('debug')) log.debug(facts(notes, status, ms), 'request');
  }

  /** A fault of the service is an error; a record whose base fails to answer is a warning. */
  #logFailure(notes: RequestNotes, status: number, ms: number): void {
    const { log } = this.#options;
    const line = { ...facts(notes, status, ms), ...work(notes) };
    if (notes.fault === null) log.warn(line, 'request not answered');
    else log.error({ ...line, err: notes.fault }, 'request failed');
  }
}

/** @param status `none` when no answer was sent. */
function facts({ requestId, route, refusal, isKept }: RequestNotes, status: number | 'none', ms: number) {
  return {
    request_id: requestId,
    route,
    ...(status === 'none' ? {} : { status }),
    ...(refusal === null ? {} : { refusal }),
    ...(isKept ? { cached: true } : {}),
    ms: hundredths(ms),
  };
}

/** The bases' work: each request to a base, with its start relative to the arrival and its times. */
function work({ startedAt, pedido, page, steps }: RequestNotes) {
  return {
    ...(pedido === null ? {} : asked(pedido)),
    ...(page === null
      ? {}
      : {
          ordem_aplicada: Object.fromEntries(page.por_base.map((one) => [one.base, one.ordem_aplicada])),
          bases_sem_resposta: page.bases_sem_resposta.map(({ base }) => base),
        }),
    steps: steps.map((step) => timed(step, startedAt)),
  };
}

function timed(step: Step, since: number) {
  const { base, kind, outcome, startedAt, queueMs, runMs, countMs, rowsMs } = step;
  return {
    base,
    kind,
    outcome,
    at_ms: hundredths(startedAt - since),
    queue_ms: hundredths(queueMs),
    run_ms: hundredths(runMs),
    count_ms: hundredths(countMs),
    rows_ms: hundredths(rowsMs),
  };
}

/** In `leitura` a key would be split into parts that are not recognised as a key. */
function asked({ q, consulta, ordem, limite }: Pedido) {
  const shown = withoutKeys(q);
  return {
    q: shown.slice(0, Q_LENGTH_MAX),
    ...(shown === q ? { leitura: consulta.leitura.slice(0, LEITURA_LENGTH_MAX) } : {}),
    ordem,
    limite,
  };
}
