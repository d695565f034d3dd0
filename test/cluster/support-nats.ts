import { afterEach } from 'vitest';
import { startNats, type NatsServers } from './nats-server.ts';

export type Ends = (() => Promise<void> | void)[];

/** NATS servers of one test. What is in `ends` is called after each test, first to last. */
export function natsOfTests(): {
  readonly ends: Ends;
  readonly servers: (count?: 1 | 3) => Promise<NatsServers>;
} {
  const ends: Ends = [];
  afterEach(async () => {
    for (const end of ends.splice(0)) await end();
  });
  return {
    ends,
    servers: async (count = 1) => {
      const nats = await startNats(count);
      ends.push(() => nats.stop());
      return nats;
    },
  };
}
