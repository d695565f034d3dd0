import { availableParallelism, loadavg } from 'node:os';
import { bug } from '../../bug.ts';
import { hostMeter, type ProcessLoad } from '../../observe/process-load.ts';
import type { Clock } from '../../clock.ts';
import type { Tallies } from '../../observe/tallies.ts';
import { FIGURES_RECENT_S, type Increase } from './increase.ts';

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
  readonly #clock: Clock;
  readonly #readLoad: () => ProcessLoad;
  readonly #readHost = hostMeter();
  readonly #last: Last = { ultima_429: null, ultimo_5xx: null };
  #seconds: Second[] = [];
  #endedAt: number;
  /** Null during the first second. */
  recent: ServiceRecent | null = null;

  constructor(clock: Clock, tallies: Tallies, readLoad: () => ProcessLoad) {
    this.#tallies = tallies;
    this.#clock = clock;
    this.#readLoad = readLoad;
    this.#endedAt = clock.now();
  }

  /** @param recent the ten seconds that end with this one. */
  endSecond(em: number, second: Increase, recent: Increase): void {
    const now = this.#clock.now();
    const load = this.#readLoad();
    const ended = { ms: now - this.#endedAt, load, hostCores: this.#readHost() };
    this.#seconds = [...this.#seconds, ended].slice(-FIGURES_RECENT_S);
    this.#endedAt = now;
    const { recusas_429, erros_5xx } = answersOf(this.#tallies, second);
    if (recusas_429 > 0) this.#last.ultima_429 = em;
    if (erros_5xx > 0) this.#last.ultimo_5xx = em;
    this.recent = { ...recentOf(this.#tallies, recent, this.#seconds), ...this.#last };
  }
}

function recentOf(tallies: Tallies, recent: Increase, seconds: readonly Second[]) {
  const { durations, incomplete, byBases, fromCache, answers } = tallies;
  const ms = sum(seconds.map((second) => second.ms));
  const hostCores = seconds.flatMap((second) => second.hostCores ?? []);
  const counted = answersOf(tallies, recent);
  const ok = answers.busca.get(200);
  const buscas = ok === undefined ? 0 : recent.of(ok);
  return {
    ...counted,
    /** Searches answered with 200, and how many of these are complete. */
    buscas,
    completas: buscas - recent.of(incomplete),
    /** Answers that needed a base, and how many of these came from the cache. */
    pelas_bases: recent.of(byBases),
    do_cache: recent.of(fromCache),
    segundos: Math.round(ms / 1_000),
    respostas_por_s: counted.respostas / (ms / 1_000),
    /** From a request's arrival to its answer, including cached answers and refusals. */
    servidas: recent.percentiles(Object.values(durations)),
    /** Mean CPU use in cores, and the number of cores. */
    cpu: sum(seconds.map(({ load }) => load.cpu_ms)) / ms,
    nucleos: availableParallelism(),
    /** The same for all programs on the host, and its one-minute load average. */
    cpu_da_maquina: hostCores.length === 0 ? null : sum(hostCores) / hostCores.length,
    carga_da_maquina: loadavg()[0] ?? bug('no load average'),
    /** The longest delay of the event loop. */
    atraso_ms: Math.max(...seconds.map(({ load }) => load.loop_delay_ms)),
    memoria_bytes: seconds.at(-1)?.load.memory_bytes ?? null,
  };
}

/** All answers, refusals included. */
function answersOf({ answers }: Tallies, increase: Increase) {
  const byStatus = Object.values(answers).flatMap((ofRoute) => Array.from(ofRoute));
  const count = (isCounted: (status: number) => boolean) =>
    increase.sum(byStatus.flatMap(([status, tally]) => (isCounted(status) ? tally : [])));
  return {
    respostas: count(() => true),
    recusas_429: count((status) => status === 429),
    erros_5xx: count((status) => status >= 500),
  };
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
