import {
  DiscardPolicy,
  jetstreamManager,
  type JetStreamManager,
  type StreamConfig,
} from '@nats-io/jetstream';
import { NoRespondersError, RequestError, TimeoutError, type NatsConnection } from '@nats-io/transport-node';
import { BUCKET_READ_MS_MAX, BUCKET_VALUE_BYTES_MAX } from '../config/limits.ts';
import type { Broker } from './connection.ts';
import { NoStream } from './direct-read.ts';
import { changesSubject } from './subjects.ts';

const COPIES = 3;

/** Makes a stream if it is missing. @param ms longest wait. @throws where the broker does not answer, or refuses it. */
export async function makeStream(
  broker: Pick<Broker, 'ready' | 'jetstreamApi'>,
  ms: number,
  config: Omit<Partial<StreamConfig>, 'name'> & Pick<StreamConfig, 'name'>,
): Promise<void> {
  const manager = await managerOf(broker, ms);
  const num_replicas = copiesFor(await broker.ready);
  await manager.streams.add({ allow_direct: true, num_replicas, ...config });
}

/** @param ms longest wait for each answer. */
export async function managerOf(
  broker: Pick<Broker, 'ready' | 'jetstreamApi'>,
  ms: number,
): Promise<JetStreamManager> {
  const apiPrefix = broker.jetstreamApi;
  return jetstreamManager(await broker.ready, { checkAPI: false, timeout: ms, apiPrefix });
}

/** As a bucket of NATS' own clients, but that one message cannot have all others removed (`Nats-Rollup`). */
export async function makeBucket(broker: Parameters<typeof makeStream>[0], name: string): Promise<void> {
  await makeStream(broker, BUCKET_READ_MS_MAX, {
    name: `KV_${name}`,
    subjects: [`$KV.${name}.>`],
    max_msgs_per_subject: 1,
    max_msg_size: BUCKET_VALUE_BYTES_MAX,
    discard: DiscardPolicy.New,
    // Imported by members: what one of them has sent to a stream does not go on to the others by itself.
    republish: { src: `$KV.${name}.>`, dest: changesSubject(name), headers_only: true },
    deny_delete: true,
  });
}

/** Three copies in a cluster of servers, which then has three servers at least. */
function copiesFor(client: NatsConnection): number {
  return client.info?.cluster === undefined ? 1 : COPIES;
}

/** Why a stream did not answer. In a cluster of servers it may have no leader, which the client calls a timeout. */
export function withoutLeader(error: unknown, client: NatsConnection, stream: string): unknown {
  // The client says of no responders to a value that JetStream is not enabled.
  const silence = error instanceof Error && error.cause instanceof RequestError ? error.cause : error;
  const isSilent = [TimeoutError, RequestError, NoRespondersError].some((kind) => silence instanceof kind);
  if (!isSilent) return error;
  const isUnheard = silence instanceof RequestError && silence.isNoResponders();
  if (client.info?.cluster === undefined) return isUnheard ? new NoStream(`${stream} is not there`) : error;
  const what = `${stream} has no leader: the NATS servers choose one, or a majority of them is missing; start these`;
  return isUnheard ? new NoStream(what) : new Error(what);
}
