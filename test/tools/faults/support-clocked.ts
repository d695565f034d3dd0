import { BaseActor } from '../../../src/engine/base-actor.ts';
import { systemClock } from '../../../src/engine/clock.ts';
import { quotaOfThisProcess } from '../../../src/shared/quota.ts';
import { Supervisor } from '../../../src/search/supervisor.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import { openSyntaxCheck } from '../../../src/index/format/syntax-check.ts';
import { readConfig } from '../../../src/config/config.ts';
import { BASES } from '../../../src/contract/enums.ts';
import { createApp } from '../../../src/http/app.ts';
import { ClientAddress } from '../../../src/http/client-address.ts';
import { IpLimit } from '../../../src/http/ip-limit.ts';
import { openKeyRing } from '../../../src/keys/ring.ts';
import { CursorCodec } from '../../../src/query/cursor.ts';
import { InlinePort } from '../../support/inline-port.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';
import type { Folder } from './support-service.ts';

/**
 * A whole service over a socket, wired as `src/system.ts` wires it, whose quota and keys live by a clock that the
 * test moves. Its bases live by the real one, and so answer.
 */
export function startClocked({ dataDir }: Folder, wall: string) {
  const clock = new SimulatedClock(wall);
  const config = readConfig({ PORT: '0', DATA_DIR: dataDir });
  const actors = new Map(
    BASES.map((base) => [
      base,
      new BaseActor({
        base,
        port: new InlinePort(baseFile(dataDir, base), base),
        clock: systemClock,
        threads: 1,
        queueMax: 1_024,
        onState: () => undefined,
      }),
    ]),
  );
  const supervised = new Map(
    [...actors].map(([base, actor]) => [base, { actor, windows: config.bases[base] }]),
  );
  const app = createApp({
    supervisor: new Supervisor(systemClock, supervised),
    quota: quotaOfThisProcess(clock),
    quotaPerDay: config.quota_per_day,
    coverage: { current: { bases: [], tipos_aceitos: [], tribunais: [] } },
    keys: openKeyRing(dataDir, clock, { error: () => undefined }),
    reading: { check: openSyntaxCheck(), cursors: new CursorCodec(new Uint8Array(32)) },
    ipLimit: new IpLimit(config.ip_requests, config.ip_window_s),
    clients: new ClientAddress([]),
    idleTimeoutSeconds: () => 30,
  });
  app.listen({ hostname: '127.0.0.1', port: 0 });
  return {
    clock,
    url: `http://127.0.0.1:${app.server?.port ?? 0}`,
    stop: async () => {
      await app.stop(true);
      await Promise.all([...actors.values()].map((actor) => actor.close()));
    },
  };
}
