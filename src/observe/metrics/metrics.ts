import { Elysia } from 'elysia';
import Registry from 'prom-client/lib/registry.js';
import type { Clock } from '../../engine/clock.ts';
import type { Step } from '../../engine/steps.ts';
import type { RequestNotes } from '../../http/observer.ts';
import type { AdminPart } from '../../admin/app.ts';
import { watchLoopDelay } from './loop-delay.ts';
import { PREFIX } from './naming.ts';
import { registerProcess } from './process.ts';
import { RequestMetrics } from './requests.ts';
import { BaseMetrics } from './searches.ts';
import { SecondsHistogram } from './seconds-histogram.ts';
import { registerStates, type States } from './states.ts';

/**
 * The service's Prometheus metrics. Requests and requests to bases are counted as they end, each in less than a
 * microsecond; gauges are read when `/metrics` is. Labels take few known values and never contain a key.
 */
export class Metrics {
  readonly #registry = new Registry();
  readonly #requests = new RequestMetrics(this.#registry);
  readonly #bases = new BaseMetrics(this.#registry);
  readonly #stopWatch: () => void;

  constructor(clock: Clock) {
    registerProcess(this.#registry);
    const delays = new SecondsHistogram(this.#registry, {
      name: `${PREFIX}event_loop_delay_seconds`,
      help: 'How late timers of the main thread run, looked at twenty times a second',
      isEmptyShown: true,
    }).series();
    this.#stopWatch = watchLoopDelay(clock, (delayMs) => {
      delays.observe(delayMs / 1_000);
    });
  }

  /** Counts an answer of the public listener. */
  observe(notes: RequestNotes, status: number): void {
    this.#requests.observe(notes, status);
    this.#bases.observe(notes);
  }

  step(step: Step): void {
    this.#bases.step(step);
  }

  rejected(): void {
    this.#requests.rejected();
  }

  /** `GET /metrics`, in Prometheus's text format. */
  part(states: States): AdminPart {
    const registry = this.#registry;
    registerStates(registry, states);
    return new Elysia().get('/metrics', async () => {
      const text = await registry.metrics();
      return new Response(text, { headers: { 'content-type': registry.contentType } });
    });
  }

  close(): void {
    this.#stopWatch();
  }
}
