import { availableParallelism, loadavg } from 'node:os';
import { bug } from '../../bug.ts';
import { HostMeter, type ProcessLoad } from '../../observe/process-load.ts';
import type { Clock } from '../../clock.ts';
import type { Tallies } from '../../observe/tallies.ts';
import { percentiles, RecentTotals, totalsOfService, FIGURES_RECENT_S } from './totals.ts';

/** The service as users see it, over the latest ten seconds. */
export type ServiceRecent = Readonly<ReturnType<typeof recentOf> & Last>;

/** When each last occurred, seconds since 1970; null if never since the start. */
interface Last {
  ultima_429: number | null;
  ultimo_5xx: number | null;
}

/** A completed interval, which may be longer than a second. */
interface Second {
  readonly ms: number;
  readonly load: ProcessLoad;
  readonly hostCores: number | null;
}

export class ServiceFigures {
  readonly #tallies: Tallies;
  readonly #totals;
  readonly #clock: Clock;
  readonly #readLoad: () => ProcessLoad;
  readonly #host = new HostMeter();
  #seconds: Second[] = [];
  #endedAt: number;
  #last: Last = { ultima_429: null, ultimo_5xx: null };
  /** Null during the first second. */
  recent: ServiceRecent | null = null;

  constructor(clock: Clock, tallies: Tallies, readLoad: () => ProcessLoad) {
    this.#tallies = tallies;
    this.#totals = new RecentTotals(totalsOfService(tallies));
    this.#clock = clock;
    this.#readLoad = readLoad;
    this.#endedAt = clock.now();
  }

  endSecond(em: number): void {
    const now = this.#clock.now();
    this.#totals.endSecond(totalsOfService(this.#tallies));
    const { recusas_429, erros_5xx } = this.#totals.over(1).counts;
    const second = {
      ms: now - this.#endedAt,
      load: this.#readLoad(),
      hostCores: this.#host.take(),
    };
    this.#endedAt = now;
    if (recusas_429 > 0) this.#last.ultima_429 = em;
    if (erros_5xx > 0) this.#last.ultimo_5xx = em;
    this.#seconds = [...this.#seconds, second].slice(-FIGURES_RECENT_S);
    this.recent = {
      ...recentOf(this.#totals.over(FIGURES_RECENT_S), this.#seconds, second.load),
      ...this.#last,
    };
  }
}

function recentOf(
  { counts, times }: ReturnType<typeof totalsOfService>,
  seconds: readonly Second[],
  { memory_bytes }: ProcessLoad,
) {
  const ms = sum(seconds.map((second) => second.ms));
  const hostCores = seconds.flatMap((second) => second.hostCores ?? []);
  return {
    ...counts,
    segundos: Math.round(ms / 1_000),
    respostas_por_s: counts.respostas / (ms / 1_000),
    /** From a request's arrival to its answer, including cached answers and refusals. */
    servidas: percentiles(times.served),
    /** Mean CPU use in cores, and the number of cores. */
    cpu: sum(seconds.map(({ load }) => load.cpu_ms)) / ms,
    nucleos: availableParallelism(),
    /** The same for all programs on the host, and its one-minute load average. */
    cpu_da_maquina: hostCores.length === 0 ? null : sum(hostCores) / hostCores.length,
    carga_da_maquina: loadavg()[0] ?? bug('no load average'),
    /** The longest delay of the event loop. */
    atraso_ms: Math.max(...seconds.map(({ load }) => load.loop_delay_ms)),
    memoria_bytes: memory_bytes,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
