import type { ServiceLoad } from '../admin/console/service-figures.ts';
import type { LoadMeter, ProcessLoad } from '../observe/process-load.ts';

/** The load of this process and of its children together, from one reading to the next. */
export class SummedLoad {
  readonly #own: Pick<LoadMeter, 'take'>;
  #cpuMs = 0;
  #delayMs = 0;

  /** @param own of the parent. */
  constructor(own: Pick<LoadMeter, 'take'>) {
    this.#own = own;
  }

  /** What a child used since its last report. */
  note({ cpu_ms, loop_delay_ms }: ProcessLoad): void {
    this.#cpuMs += cpu_ms;
    this.#delayMs = Math.max(this.#delayMs, loop_delay_ms);
  }

  /**
   * What all have used since this was last taken.
   * @param reports the latest load of each child that reported in time. @param processes how many there should be.
   */
  take(reports: readonly ProcessLoad[], processes: number): ServiceLoad {
    const own = this.#own.take();
    const memories = [own, ...reports].map(({ memory_bytes }) => memory_bytes ?? Number.NaN);
    const memory = memories.reduce((sum, bytes) => sum + bytes, 0);
    const load: ServiceLoad = {
      cpu_ms: this.#cpuMs + own.cpu_ms,
      // No child has reported its event loop's delay, and the parent's serves nobody.
      loop_delay_ms: reports.length === 0 ? null : this.#delayMs,
      memory_bytes: Number.isNaN(memory) ? null : memory,
      processes,
      reporting: reports.length,
    };
    this.#cpuMs = 0;
    this.#delayMs = 0;
    return load;
  }
}
