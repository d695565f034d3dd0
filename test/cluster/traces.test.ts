import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import {
  childrenOf,
  endOf,
  startCollector,
  startOf,
  valueOf,
  type Received,
} from '../observe/traces/collector.ts';
import { BASES } from '../../src/contract/vocabulary.ts';
import { BUSCA } from '../http/checks.ts';
import { hasNatsServer } from './nats-server.ts';
import { startProcesses, type Member, type Processes } from './support-cluster.ts';

/** More than the front and a node can differ, in nanoseconds: they read clocks of their own. */
const SLACK = 1_000n;

function only<T>(items: readonly T[]): T {
  const [item] = items;
  if (item === undefined) throw new Error('there is none');
  return item;
}

describe.skipIf(!hasNatsServer())('a search of a cluster that is traced', () => {
  expectNoUnhandledRejection();
  const collector = startCollector();
  let cluster: Processes;
  beforeAll(async () => {
    const traces = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, OTEL_BSP_SCHEDULE_DELAY: '50' };
    // The nodes have these settings too. A result cache has no queue.
    const environment = { ...traces, BASES_RESULT_CACHE_MB: '0' };
    cluster = await startProcesses({ fronts: 1, environment });
  });
  afterAll(async () => {
    await cluster.stop();
    await collector.stop();
  });

  const front = (): Member => only(cluster.fronts);
  const searches = (): Received[] => collector.spans.filter(({ name }) => name === `GET ${BUSCA}`);
  const below = (parents: readonly Received[]) => parents.flatMap((one) => childrenOf(collector.spans, one));
  const nodesOf = (search: Received) =>
    below(below(below([search]))).filter(({ name }) => /^node n\d$/u.test(name));

  test('shows for each base the node that answered, its queue and run inside the ask, all sent by the front', async () => {
    const known = searches().length;
    await cluster.search(front());
    await until('its spans came', () => searches().length > known);
    const search = searches().at(-1)!;
    const bases = childrenOf(collector.spans, search);
    expect(bases.map(({ name }) => name).toSorted()).toEqual(BASES.map((base) => `base ${base}`).toSorted());
    for (const base of bases) {
      const ask = only(childrenOf(collector.spans, base));
      const asked = childrenOf(collector.spans, ask);
      expect(asked.map(({ attributes }) => valueOf(attributes, 'jurisprudencia.ask'))).toContain('first');
      // On a busy machine there may be a second one.
      const node = only(
        asked.filter(({ attributes }) => valueOf(attributes, 'jurisprudencia.outcome') === 'ok'),
      );
      expect(node.name).toBe(`node ${String(valueOf(base.attributes, 'jurisprudencia.node'))}`);
      const parts = childrenOf(collector.spans, node);
      expect(parts.map(({ name }) => name)).toEqual(['queue', 'run']);
      for (const [inner, outer] of [
        ...parts.map((part) => [part, node]),
        [node, ask],
        [ask, base],
      ] as Received[][]) {
        expect(startOf(inner!)).toBeGreaterThanOrEqual(startOf(outer!) - SLACK);
        expect(endOf(inner!)).toBeLessThanOrEqual(endOf(outer!) + SLACK);
      }
      const ms = parts.reduce((sum, part) => sum + Number(endOf(part) - startOf(part)), 0) / 1e6;
      const networkMs = Number(valueOf(node.attributes, 'jurisprudencia.network_ms'));
      expect(networkMs).toBeGreaterThan(0);
      expect(networkMs + ms).toBeCloseTo(Number(endOf(node) - startOf(node)) / 1e6, 1);
    }
    // A node would begin traces of its own.
    const roots = collector.spans.filter(({ parentSpanId = '' }) => parentSpanId === '');
    expect(new Set(roots.map(({ name }) => name))).toEqual(new Set([search.name]));
  });

  test('shows the node that hangs, and the second one that was asked because of it', async () => {
    const stopped = cluster.nodes[0]!;
    const since = BigInt(Date.now()) * 1_000_000n;
    stopped.child.kill('SIGSTOP');
    try {
      const hedged = () =>
        searches()
          .filter((search) => startOf(search) > since)
          .flatMap(nodesOf)
          .find(
            ({ name, attributes }) =>
              name === 'node n2' && valueOf(attributes, 'jurisprudencia.ask') === 'hedge',
          );
      await until('a search was sent to a second node', async () => {
        await cluster.search(front());
        return hedged() !== undefined;
      });
      const second = hedged()!;
      const ask = collector.spans.find(({ spanId }) => spanId === second.parentSpanId)!;
      const asked = childrenOf(collector.spans, ask).toSorted((a, b) => Number(startOf(a) - startOf(b)));
      expect(asked.map(({ name }) => name)).toEqual(['node n1', 'node n2']);
      expect(asked.map(({ attributes }) => valueOf(attributes, 'jurisprudencia.outcome'))).toEqual([
        'unanswered',
        'ok',
      ]);
      // 30 ms after the first.
      expect(startOf(second) - startOf(only(asked))).toBeGreaterThan(25_000_000n);
      expect(valueOf(ask.attributes, 'jurisprudencia.node')).toBe('n2');
    } finally {
      stopped.child.kill('SIGCONT');
    }
  });
});
