import { Elysia, type AnyElysia } from 'elysia';
import type { Registry } from '@prometheus-io/client';
import type { Clock } from '../../clock.ts';
import { Tallies } from '../tallies.ts';
import { watchLoopDelay } from '../process-load.ts';
import { registerProcess } from './process.ts';
import { registerStates, type States } from './states.ts';

/** Tallies, and gauges read at each `GET /metrics`. Labels take few known values and never contain a key. */
export class Metrics {
  readonly tallies: Tallies;
  #states: States | null = null;
  #more: (registry: Registry) => void = () => undefined;
  #registry: Promise<Registry> | null = null;
  readonly #stopWatch: () => void;

  constructor(clock: Clock, tallies = new Tallies()) {
    this.tallies = tallies;
    this.#stopWatch = watchLoopDelay(clock, (delayMs) => {
      tallies.loopDelay.observe(delayMs);
    });
  }

  /** Sets the states to read with the metrics. Call this before the first read. */
  registerStates(states: States): void {
    this.#states = states;
  }

  /** Adds metrics of what only some services have. Call this before the first read. */
  registerMore(register: (registry: Registry) => void): void {
    this.#more = register;
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
    // Loaded at the first `GET /metrics`: it would add 22 ms to every start.
    const prometheus = await import('@prometheus-io/client');
    const registry = new prometheus.Registry();
    registerProcess(registry);
    this.tallies.set.register(registry);
    if (this.#states !== null) registerStates(registry, this.#states);
    this.#more(registry);
    return registry;
  }

  close(): void {
    this.#stopWatch();
  }
}

/** A registry in Prometheus's text format. */
export async function textOf(registry: Registry): Promise<Response> {
  return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
}
