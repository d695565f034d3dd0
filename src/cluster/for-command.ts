import { BUCKET_MS_MAX } from './streams.ts';
import type { Config } from '../config/config.ts';
import { LATE, systemClock, within } from '../clock.ts';
import { PlainError } from '../process/fail.ts';
import { Bucket } from './bucket.ts';
import { Broker, type BrokerSettings } from './connection.ts';

/** Longest wait of a command for a NATS server. */
const COMMAND_CONNECT_MS_MAX = 5_000;

/** Opens a bucket for a command, without a copy on disk. @param creates false if only fronts may create it. */
export type OpenBucket = (name: string, creates?: boolean) => Promise<Bucket>;

/** @param fallbackName of the process, if no name is set. @throws PlainError if no server answers; errors of the work. */
export async function withCluster<T>(
  config: BrokerSettings & Pick<Config, 'environment'>,
  fallbackName: string,
  work: (open: OpenBucket) => Promise<T>,
): Promise<T> {
  const isNamed = (config.environment['NODE_NAME'] ?? '') !== '';
  const broker = new Broker({ ...config, node_name: isNamed ? config.node_name : fallbackName }, true);
  const buckets: Bucket[] = [];
  const open: OpenBucket = async (name, creates = true) => {
    let reason = '';
    const warn = (detail: Record<string, unknown>) => (reason = String(detail['reason']));
    const bucket = new Bucket({ broker, clock: systemClock, name, file: null, creates, log: { warn } });
    buckets.push(bucket);
    // A new bucket has no leader yet.
    if ((await within(BUCKET_MS_MAX, bucket.firstRead)) === LATE) {
      const mend = creates
        ? ''
        : '; a front makes it, and puts back what it knows: start one, or wait some seconds';
      throw new PlainError(`NATS: ${name} cannot be read: ${reason}${mend}`);
    }
    return bucket;
  };
  try {
    if ((await within(COMMAND_CONNECT_MS_MAX, broker.ready)) === LATE)
      throw new PlainError(
        `NATS_URL: no connection to ${config.nats_url.join(', ')}: ${broker.fault || 'no server answers'}`,
      );
    return await work(open);
  } finally {
    for (const bucket of buckets) bucket.close();
    await broker.close();
  }
}
