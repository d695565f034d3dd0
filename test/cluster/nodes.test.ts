import { expect, test } from 'vitest';
import { VERSION, type Heartbeat } from '../../src/cluster/messages.ts';
import { Nodes, type Published } from '../../src/cluster/nodes.ts';
import { mergedStatus } from '../../src/processes/merged-status.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { LocalBroker } from './local-bus.ts';

function heartbeat(generation: number): Heartbeat {
  const status = { ...mergedStatus([]), state: 'up' as const, generation };
  return { v: VERSION, stopping: false, bases: { stj: { status, late: false } } };
}

/** @param published of `stj`; of no other base. */
function nodesWith(clock: SimulatedClock, published: () => Published | null) {
  let looks = 0;
  const bus = new LocalBroker().join('f1');
  const nodes = new Nodes({
    bus,
    clock,
    random: () => 0,
    published: (base) => (base === 'stj' ? published() : null),
    onNewer: () => (looks += 1),
  });
  return { nodes, bus, looks: () => looks };
}

test('what nodes say of their generation counts up to what was published, once that was read after their word', async () => {
  const clock = new SimulatedClock();
  let published: Published = { generation: 7, readAt: -1 };
  const { nodes, looks } = nodesWith(clock, () => published);
  nodes.take('n1', heartbeat(7));
  expect([nodes.newest('stj'), looks()]).toEqual([7, 0]);
  nodes.take('eve', heartbeat(999_999_999));
  expect([nodes.newest('stj'), looks()]).toEqual([999_999_999, 1]);
  await clock.advance(1);
  published = { generation: 8, readAt: clock.now() };
  expect(nodes.newest('stj')).toBe(8);
  nodes.take('eve', heartbeat(999_999_999));
  expect([nodes.newest('stj'), looks()]).toEqual([8, 1]);
  nodes.noteAnswer('eve', 'stj', 1_000_000_000);
  expect([nodes.newest('stj'), looks()]).toEqual([1_000_000_000, 2]);
  await clock.advance(1);
  published = { generation: 8, readAt: clock.now() };
  expect(nodes.newest('stj')).toBe(8);
});

test('an answer from older data takes nothing back of what its node has', () => {
  const { nodes } = nodesWith(new SimulatedClock(), () => null);
  nodes.take('n1', heartbeat(7));
  nodes.noteAnswer('n1', 'stj', 6);
  expect(nodes.newest('stj')).toBe(7);
});

test('newer data may be on their way while the broker is heard, and no longer', () => {
  const { nodes, bus } = nodesWith(new SimulatedClock(), () => null);
  nodes.take('n1', heartbeat(7));
  expect([7, 8].map((generation) => nodes.mayAnswerSoon('stj', generation))).toEqual([false, true]);
  bus.isConnected = false;
  expect(nodes.mayAnswerSoon('stj', 8)).toBe(false);
});
