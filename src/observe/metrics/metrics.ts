import { Elysia, type AnyElysia } from 'elysia';
import type { Registry } from 'prom-client';
import type { Clock } from '../../engine/clock.ts';
import type { Step } from '../../engine/steps.ts';
import type { RequestNotes } from '../../http/observer.ts';
import { watchLoopDelay } from './loop-delay.ts';
import { MetricSet, type PromClient } from './metric-set.ts';
import { PREFIX } from './naming.ts';
import { registerProcess } from './process.ts';
import { RequestMetrics } from './requests.ts';
import { BaseMetrics } from './searches.ts';
import { registerStates, type States } from './states.ts';

/**
 * The service's Prometheus metrics. Requests and requests to bases are counted as they end, each in less than a
 * microsecond; gauges are read when `/metrics` is. Labels take few known values and never contain a key.
 */
export class Metrics {
  readonly #metrics = new MetricSet();
  readonly #requests = new RequestMetrics(this.#metrics);
  readonly #bases = new BaseMetrics(this.#metrics);
  #states: States | null = null;
  #more: (client: PromClient, registry: Registry) => void = () => undefined;
  #registry: Promise<Registry> | null = null;
  readonly #stopWatch: () => void;

  constructor(clock: Clock) {
    const delays = this.#metrics
      .histogram({
        name: `${PREFIX}event_loop_delay_seconds`,
        help: 'How late timers of the main thread run, looked at twenty times a second',
        isEmptyShown: true,
      })
      .series();
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

  /** The states to read when metrics are. To be called before they are. */
  registerStates(states: States): void {
    this.#states = states;
  }

  /** Further metrics, for a part that only some services have. To be called before metrics are read. */
  registerMore(register: (client: PromClient, registry: Registry) => void): void {
    this.#more = register;
  }

  /** All metrics at this moment, as prom-client's own objects. */
  async read(): Promise<Awaited<ReturnType<Registry['getMetricsAsJSON']>>> {
    const registry = await this.#open();
    return registry.getMetricsAsJSON();
  }

  /** A part of the admin app: `GET /metrics`, in Prometheus's text format. */
  part(): AnyElysia {
    return new Elysia().get('/metrics', async () => {
      const registry = await this.#open();
      const text = await registry.metrics();
      return new Response(text, { headers: { 'content-type': registry.contentType } });
    });
  }

  #open(): Promise<Registry> {
    this.#registry ??= this.#register();
    return this.#registry;
  }

  async #register(): Promise<Registry> {
    const client = await import('prom-client');
    const registry = new client.Registry();
    registerProcess(client, registry);
    this.#metrics.register(client, registry);
    if (this.#states !== null) registerStates(client, registry, this.#states);
    this.#more(client, registry);
    return registry;
  }

  close(): void {
    this.#stopWatch();
  }
}
