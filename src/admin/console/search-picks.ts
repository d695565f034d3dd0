import type { BaseSemResposta, PorBase } from '../../contract/busca.ts';
import type { Base } from '../../contract/vocabulary.ts';
import type { Step } from '../../engine/steps.ts';
import type { RequestNotes } from '../../http/observer.ts';
import { queryOf } from '../../http/routing.ts';
import { hundredths } from '../../http/server-timing.ts';
import { withoutKeys } from '../../keys/key.ts';

/** Where `SLOW_MS` is 0, the console lists requests that take this long, without their text. */
export const SLOW_MS_SHOWN = 500;
/** Requests per second and process that the console lists, slow and incomplete ones separately. */
export const SLOW_PICKS_MAX = 5;

/** A request to a base as the console shows it: times in milliseconds from the arrival of the search. */
export type Passo = Readonly<ReturnType<typeof passoOf>>;

/** A request that asked bases, with every base's steps. */
export type SearchRecord = Readonly<ReturnType<typeof recordOf>>;

export interface Seen {
  readonly notes: RequestNotes;
  readonly status: number;
  /** From its arrival to its answer. */
  readonly ms: number;
  readonly url: string;
  readonly em: number;
}

/** The chosen requests: slow and incomplete ones for the list, and the slowest on every base. */
export interface Picked {
  readonly listed: readonly SearchRecord[];
  readonly slowest: readonly (readonly [Base, SearchRecord])[];
}

/** Chooses the slowest of the slow requests, the first of the incomplete and failed ones, and the slowest of each base. */
export class SearchPicks {
  readonly #slowMs: number;
  #slow: SearchRecord[] = [];
  #incomplete: SearchRecord[] = [];
  #slowest = new Map<Base, { ms: number; record: SearchRecord }>();

  /** @param slowMs the setting: requests that take this long show their text; 0: none do. */
  constructor(slowMs: number) {
    this.#slowMs = slowMs;
  }

  note(seen: Seen): void {
    const { notes, status, ms } = seen;
    if (notes.pedido === null && notes.steps.length === 0) return;
    const isSlow = ms >= (this.#slowMs === 0 ? SLOW_MS_SHOWN : this.#slowMs);
    const isIncomplete = status >= 500 || (notes.page?.bases_sem_resposta.length ?? 0) > 0;
    const hasText = this.#slowMs > 0 && isSlow;
    let record: SearchRecord | null = null;
    const make = () => (record ??= recordOf(seen, isSlow, hasText));
    if (isIncomplete) {
      if (this.#incomplete.length < SLOW_PICKS_MAX) this.#incomplete.push(make());
    } else if (isSlow) this.#noteSlow(ms, make);
    for (const [base, baseMs] of timesOf(notes)) {
      if (baseMs > (this.#slowest.get(base)?.ms ?? 0))
        this.#slowest.set(base, { ms: baseMs, record: make() });
    }
  }

  /** The requests chosen since the last call. */
  take(): Picked {
    const listed = [...this.#slow, ...this.#incomplete].toSorted((a, b) => a.em - b.em);
    const slowest = [...this.#slowest].map(([base, { record }]) => [base, record] as const);
    this.#slow = [];
    this.#incomplete = [];
    this.#slowest = new Map();
    return { listed, slowest };
  }

  #noteSlow(ms: number, make: () => SearchRecord): void {
    const least = this.#slow.at(-1);
    if (this.#slow.length === SLOW_PICKS_MAX && least !== undefined && ms <= least.ms) return;
    this.#slow = [...this.#slow, make()].toSorted((a, b) => b.ms - a.ms).slice(0, SLOW_PICKS_MAX);
  }
}

/** Milliseconds by base. */
export function timesOf({ steps }: Pick<RequestNotes, 'steps'>): ReadonlyMap<Base, number> {
  const times = new Map<Base, number>();
  for (const { base, queueMs, runMs } of steps) times.set(base, (times.get(base) ?? 0) + queueMs + runMs);
  return times;
}

function recordOf({ notes, status, ms, url, em }: Seen, lenta: boolean, hasText: boolean) {
  const { requestId, pedido, page, steps, startedAt } = notes;
  const rota: 'busca' | 'decisao' = pedido === null ? 'decisao' : 'busca';
  const por_base: readonly PorBase[] = page?.por_base ?? [];
  const bases_sem_resposta: readonly BaseSemResposta[] = page?.bases_sem_resposta ?? [];
  return {
    id: requestId,
    /** When it was answered, seconds since 1970. */
    em,
    rota,
    status,
    ms: hundredths(ms),
    lenta,
    parametros: pedido === null ? NONE : parametersOf(url, hasText),
    itens: page === null ? null : page.itens.length,
    por_base,
    bases_sem_resposta,
    passos: steps.map((step) => passoOf(step, startedAt)),
  };
}

/** A search's parameters as sent; without `q` if the text must not be shown. The query is known to be valid. */
function parametersOf(url: string, hasText: boolean): Record<string, string> {
  const { q, ...others } = Object.fromEntries(new URLSearchParams(queryOf(url)));
  return hasText && q !== undefined ? { q: withoutKeys(q), ...others } : others;
}

const NONE: Record<string, string> = {};

/** @param startedAt the arrival, on the clock of the steps. */
export function passoOf(step: Step, startedAt: number) {
  return {
    base: step.base,
    passo: step.kind,
    inicio_ms: hundredths(step.startedAt - startedAt),
    fila_ms: hundredths(step.queueMs),
    exec_ms: hundredths(step.runMs),
    contagem_ms: hundredths(step.countMs),
    linhas_ms: hundredths(step.rowsMs),
    resultado: step.outcome,
  };
}
