import { expect, test } from 'vitest';
import { CLOCK_LOOK_MS, CounterTime } from '../../src/cluster/counter-time.ts';
import { openSharedState } from '../../src/cluster/shared-state.ts';
import { readConfig } from '../../src/config/config.ts';
import { systemClock } from '../../src/clock.ts';
import { createLog } from '../../src/observe/log.ts';
import { counterName, DAY_MS, dayOfTime } from '../../src/shared/counters.ts';
import { temporaryFolder } from '../support/service.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { until } from '../tools/faults/support-poll.ts';
import { LocalBroker } from './local-bus.ts';
import { hasNatsServer } from './nats-server.ts';
import { frontOn } from './small-cluster.ts';
import { natsOfTests } from './support-nats.ts';

const { ends, servers, countersOf } = natsOfTests();

test.skipIf(!hasNatsServer())('a front counts by the clock of NATS from its start', async () => {
  const nats = await servers(1);
  const { broker, counters } = await countersOf(nats, 'a');
  const config = readConfig({ DATA_DIR: temporaryFolder() });
  const clock = { ...systemClock, date: () => new Date(Date.now() + DAY_MS) };
  const front = frontOn(new LocalBroker().join('a'));
  const state = await openSharedState(config, broker, front.nodes, createLog('silent').log, clock);
  ends.unshift(() => {
    front.close();
    state.close();
  });
  expect(Math.round(state.clockSkewMs() / DAY_MS)).toBe(1);
  const before = new Date();
  await state.quota.charge('k', 5);
  const names = [before, new Date()].map((date) => counterName(dayOfTime(date), 'k'));
  await until('it is counted', async () =>
    (await Promise.all(names.map((name) => counters.read(name)))).includes(1),
  );
});

test('the time of the counters goes on while nobody tells it, whatever is done to the clock of the host, and a skew is reported once', async () => {
  const clock = new SimulatedClock('2026-03-10T23:59:00Z', 5_000);
  const theirs = () => Date.parse('2026-03-10T23:50:00Z') + clock.now() - 5_000;
  let isAway = false;
  const skews: [boolean, number][] = [];
  const read = () => (isAway ? Promise.reject(new Error('away')) : Promise.resolve(theirs()));
  const time = new CounterTime(clock, read, (...skew) => skews.push(skew));
  expect(time.skewMs).toBe(0);
  await time.look();
  expect(skews).toEqual([[true, 540_000]]);
  isAway = true;
  clock.stepWall(-540_000);
  await clock.advance(3 * CLOCK_LOOK_MS);
  expect([time.clock.date().getTime(), time.skewMs]).toEqual([theirs(), 0]);
  expect(skews).toHaveLength(1);
  isAway = false;
  await clock.advance(CLOCK_LOOK_MS);
  expect(skews.slice(1)).toEqual([[false, 0]]);
  time.close();
});
