import { Elysia, type AnyElysia } from 'elysia';
import type { Registry } from '@prometheus-io/client';
import type { Tallies } from '../tallies.ts';
import { registerProcess } from './process.ts';
import { registerStates, type States } from './states.ts';

export interface MetricsOptions {
  readonly tallies: Tallies;
  /** Read at each `GET /metrics`. */
  readonly states: States;
  /** Adds metrics of what only some services have. */
  readonly registerMore: (registry: Registry) => void;
}

/** `GET /metrics`, in Prometheus's text format. Labels take few known values and never contain a key. */
export function metricsPart(options: MetricsOptions): AnyElysia {
  let opened: Promise<Registry> | null = null;
  return new Elysia().get('/metrics', async () => {
    const registry = await (opened ??= open(options));
    return new Response(await registry.metrics(), { headers: { 'content-type': registry.contentType } });
  });
}

async function open({ tallies, states, registerMore }: MetricsOptions): Promise<Registry> {
  // Loaded at the first `GET /metrics`: it would add 22 ms to every start.
  const prometheus = await import('@prometheus-io/client');
  const registry = new prometheus.Registry();
  registerProcess(registry);
  tallies.set.register(registry);
  registerStates(registry, states);
  registerMore(registry);
  return registry;
}
