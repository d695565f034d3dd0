import { join } from 'node:path';
import type { Logger } from 'pino';
import { systemClock } from '../engine/clock.ts';
import { Bucket } from './bucket.ts';
import type { Broker } from './connection.ts';

/** Where a process keeps its copies of what the cluster shares. */
export function copiesFolder(dataDir: string): string {
  return join(dataDir, 'cluster');
}

/** A bucket with a copy in the data folder. @param creates true where this process may make it. */
export function openBucket(
  broker: Broker,
  name: string,
  dataDir: string,
  log: Pick<Logger, 'warn'>,
  creates = true,
): Bucket {
  return new Bucket({
    broker,
    clock: systemClock,
    name,
    file: join(copiesFolder(dataDir), `${name}.json`),
    creates,
    log: (event, detail) => {
      log.warn(detail, event);
    },
  });
}
