import { availableParallelism, loadavg } from 'node:os';
import { HostMeter } from '../../observe/process-load.ts';
import type { Clock } from '../../engine/clock.ts';
import { FIGURES_RECENT_S } from '../../config/limits.ts';
import type { Tallies } from '../../observe/tallies.ts';
import {
  percentiles,
  RecentTotals,
  totalsOfService,
  type Percentiles,
  type ServiceTotals,
} from './totals.ts';

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
export interface ServiceRecent extends ServiceTotals {
  /** How long these figures reach back. */
  readonly segundos: number;
  readonly respostas_por_s: number;
  /** From a request's arrival to its answer, milliseconds; answers from the result cache and refusals included. */
  readonly servidas: Percentiles;
  /** The seconds since 1970 that had the latest 429 and the latest 5xx; null if none since the start. */
  readonly ultima_429: number | null;
  readonly ultimo_5xx: number | null;
  /** Mean use of CPU, in cores, and how many there are. */
  readonly cpu: number | null;
  readonly nucleos: number;
  /** The same of all programs of the host, and its load average of a minute. */
  readonly cpu_da_maquina: number | null;
  readonly carga_da_maquina: number;
  /** The longest delay of an event loop, milliseconds. */
  readonly atraso_ms: number | null;
  readonly memoria_bytes: number | null;
  readonly processos: number;
  readonly processos_que_relatam: number;
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
  #last: { refusal: number | null; fault: number | null } = { refusal: null, fault: null };
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
    if (recusas_429 > 0) this.#last.refusal = em;
    if (erros_5xx > 0) this.#last.fault = em;
    this.#seconds = [...this.#seconds, second].slice(-FIGURES_RECENT_S);
    this.recent = this.#sum(second.load);
  }

  #sum({ memory_bytes, processes, reporting }: ServiceLoad): ServiceRecent {
    const ms = this.#seconds.reduce((sum, second) => sum + second.ms, 0);
    const { counts, times } = this.#totals.over(FIGURES_RECENT_S);
    const cpuMs = known(this.#seconds.map(({ load }) => load.cpu_ms));
    const hostCores = known(this.#seconds.map((second) => second.hostCores));
    const delays = known(this.#seconds.map(({ load }) => load.loop_delay_ms));
    return {
      ...counts,
      segundos: Math.round(ms / 1_000),
      respostas_por_s: counts.respostas / (ms / 1_000),
      servidas: percentiles(times.served),
      ultima_429: this.#last.refusal,
      ultimo_5xx: this.#last.fault,
      cpu: cpuMs === null ? null : cpuMs.reduce((sum, one) => sum + one, 0) / ms,
      nucleos: availableParallelism(),
      cpu_da_maquina:
        hostCores === null ? null : hostCores.reduce((sum, one) => sum + one, 0) / hostCores.length,
      carga_da_maquina: loadavg()[0] ?? 0,
      atraso_ms: delays === null ? null : Math.max(...delays),
      memoria_bytes: memory_bytes,
      processos: processes,
      processos_que_relatam: reporting,
    };
  }
}

/** All of them, or null if any is unknown: a sum of some would look like a sum of all. */
function known(values: readonly (number | null)[]): readonly number[] | null {
  const all = values.filter((value) => value !== null);
  return all.length === values.length ? all : null;
}
