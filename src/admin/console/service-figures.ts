import { availableParallelism, loadavg } from 'node:os';
import { HostMeter } from '../../observe/process-load.ts';
import type { Clock } from '../../engine/clock.ts';
import { FIGURES_RECENT_S } from '../../config/limits.ts';
import type { Tallies } from '../../observe/tallies.ts';
import { percentiles, RecentTotals, totalsOfService } from './totals.ts';

/** What the processes of the service used since the last reading; null if unknown. */
export interface ServiceLoad {
  /** Of all processes that report. */
  readonly cpu_ms: number | null;
  /** Of the process with the longest. */
  readonly loop_delay_ms: number | null;
  /** Of all processes that report, at this moment. */
  readonly memory_bytes: number | null;
  /** The configured number of processes, and how many reported in time. */
  readonly processes: number;
  readonly reporting: number;
}

/** The service as its users see it, over the latest ten seconds. */
export type ServiceRecent = Readonly<ReturnType<typeof recentOf> & Last>;

/** The seconds since 1970 that had the latest of each; null if none since the start. */
interface Last {
  ultima_429: number | null;
  ultimo_5xx: number | null;
}

/** An ended second, which may have been longer than one. */
interface Second {
  readonly ms: number;
  readonly load: ServiceLoad;
  readonly hostCores: number | null;
}

/** What users got, over the latest ended seconds. */
export class ServiceFigures {
  readonly #tallies: Tallies;
  readonly #totals;
  readonly #clock: Clock;
  readonly #readLoad: () => ServiceLoad;
  readonly #host = new HostMeter();
  #seconds: Second[] = [];
  #endedAt: number;
  #last: Last = { ultima_429: null, ultimo_5xx: null };
  /** Null until a second has ended. */
  recent: ServiceRecent | null = null;

  constructor(clock: Clock, tallies: Tallies, readLoad: () => ServiceLoad) {
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
  { memory_bytes, processes, reporting }: ServiceLoad,
) {
  const ms = sum(seconds.map((second) => second.ms));
  const cpuMs = known(seconds.map(({ load }) => load.cpu_ms));
  const hostCores = known(seconds.map((second) => second.hostCores));
  const delays = known(seconds.map(({ load }) => load.loop_delay_ms));
  return {
    ...counts,
    /** How long these figures reach back. */
    segundos: Math.round(ms / 1_000),
    respostas_por_s: counts.respostas / (ms / 1_000),
    /** From a request's arrival to its answer; answers from the result cache and refusals included. */
    servidas: percentiles(times.served),
    /** Mean use of CPU, in cores, and how many there are. */
    cpu: cpuMs && sum(cpuMs) / ms,
    nucleos: availableParallelism(),
    /** The same of all programs of the host, and its load average of a minute. */
    cpu_da_maquina: hostCores && sum(hostCores) / hostCores.length,
    carga_da_maquina: loadavg()[0] ?? 0,
    /** The longest delay of an event loop. */
    atraso_ms: delays && Math.max(...delays),
    memoria_bytes: memory_bytes,
    processos: processes,
    processos_que_relatam: reporting,
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

/** All of them, or null if any is unknown: a sum of some would look like a sum of all. */
function known(values: readonly (number | null)[]): readonly number[] | null {
  const all = values.filter((value) => value !== null);
  return all.length === values.length ? all : null;
}
