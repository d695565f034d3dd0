import { afterAll } from 'vitest';
import { startNats, type NatsServers } from './nats-server.ts';

export type Ends = (() => Promise<void> | void)[];

/** NATS servers of tests that may run beside each other. What is in `ends` is called after all, first to last. */
export function natsOfTests(): {
  readonly ends: Ends;
  readonly servers: (count?: 1 | 3) => Promise<NatsServers>;
} {
  const ends: Ends = [];
  afterAll(async () => {
    for (const end of ends) await end();
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
