import type { NatsConnection } from '@nats-io/transport-node';

const COPIES = 3;

/** How many copies of a stream there are to be: three in a cluster of servers, which then has three servers at least. */
export function copiesFor(client: NatsConnection): 1 | 3 {
  return client.info?.cluster === undefined ? 1 : COPIES;
}
