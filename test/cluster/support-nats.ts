import { afterAll } from 'vitest';
import { Bucket, type BucketOptions } from '../../src/cluster/bucket.ts';
import { Broker } from '../../src/cluster/connection.ts';
import { StreamCounters } from '../../src/cluster/counters.ts';
import { systemClock, type Clock } from '../../src/clock.ts';
import { brokerSettings, startNats, type NatsServers } from './nats-server.ts';

const NO_LOG = { warn: () => undefined };
type Ends = (() => Promise<void> | void)[];

/** On a busy machine an answer takes longer than a request may wait for it. */
export const PATIENT_MS = 60_000;

/** NATS servers of tests that may run at the same time, and their clients. `ends` are called after all, first to last. */
export function natsOfTests() {
  const ends: Ends = [];
  afterAll(async () => {
    for (const end of ends) await end();
  });
  const brokerOf = (nats: NatsServers, name: string, clock?: Clock) => {
    const broker = new Broker(brokerSettings(nats.url, name), false, clock);
    ends.unshift(() => broker.close());
    return broker;
  };
  return {
    ends,
    servers: async (count: 1 | 3 = 1): Promise<NatsServers> => {
      const nats = await startNats(count);
      ends.push(() => nats.stop());
      return nats;
    },
    brokerOf,
    /** The bucket `test` as a process of this name knows it. */
    bucketOf: async (nats: NatsServers, name: string, more: Partial<BucketOptions> = {}) => {
      const broker = brokerOf(nats, name);
      const options = { clock: systemClock, name: 'test', file: null, creates: true, log: NO_LOG };
      const bucket = new Bucket({ broker, ...options, ...more });
      ends.unshift(() => {
        bucket.close();
      });
      await bucket.firstRead;
      return { broker, bucket };
    },
    countersOf: async (nats: NatsServers, name: string, ackMsMax = PATIENT_MS) => {
      const broker = brokerOf(nats, name);
      await broker.ready;
      const counters = new StreamCounters(broker, ackMsMax);
      await counters.untilMade(30_000);
      return { broker, counters };
    },
  };
}
