import { Elysia, type AnyElysia } from 'elysia';
import type * as Prom from 'prom-client';
import type { Registry } from 'prom-client';
import type { Clock } from '../../engine/clock.ts';
import type { AnyRegistry } from '../tally-set.ts';
import { Tallies } from '../tallies.ts';
import { watchLoopDelay } from '../process-load.ts';
import { registerProcess } from './process.ts';
import { registerStates, type States } from './states.ts';

/** The library, which is loaded at the first `GET /metrics`: it would take 22 ms of every start. */
export type PromClient = typeof Prom;

/**
 * The service's Prometheus metrics: its tallies, and gauges that are read when `/metrics` is. Labels take few known values
 * and never contain a key.
 */
export class Metrics {
  readonly tallies: Tallies;
  #states: States | null = null;
  #more: (client: PromClient, registry: Registry) => void = () => undefined;
  #registry: Promise<Registry> | null = null;
  readonly #stopWatch: () => void;

  constructor(clock: Clock, tallies = new Tallies()) {
    this.tallies = tallies;
    this.#stopWatch = watchLoopDelay(clock, (delayMs) => {
      tallies.loopDelay.observe(delayMs);
    });
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
    return new Elysia().get('/metrics', async () => textOf(await this.#open()));
  }

  #open(): Promise<Registry> {
    this.#registry ??= this.#register();
    return this.#registry;
  }

  async #register(): Promise<Registry> {
    const client = await import('prom-client');
    const registry = new client.Registry();
    registerProcess(registry);
    this.tallies.set.register(registry);
    if (this.#states !== null) registerStates(registry, this.#states);
    this.#more(client, registry);
    return registry;
  }

  close(): void {
    this.#stopWatch();
  }
}

/** A registry in Prometheus's text format. */
export async function textOf(registry: AnyRegistry): Promise<Response> {
  return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
}
