import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/clock.ts';
import { createApp, type AppOptions } from '../../src/http/app.ts';
import { AnswerCache } from '../../src/http/answer-cache.ts';
import { ClientAddress } from '../../src/http/client-address.ts';
import { IpLimit } from '../../src/http/ip-limit.ts';
import { newKey } from '../../src/keys/key.ts';
import { CursorCodec } from '../../src/query/cursor.ts';
import { quotaOfThisProcess } from '../../src/shared/quota.ts';
import { fetchChecked } from '../support/documented.ts';

type Given = Pick<AppOptions, 'supervisor'> & Partial<AppOptions>;

/** The app; every key is valid. */
export function appWith(options: Given) {
  return createApp({
    quota: quotaOfThisProcess(systemClock),
    quotaPerDay: 1_000_000,
    coverage: { current: { bases: [], tipos_aceitos: [], tribunais: [] } },
    keys: { find: () => ({ id: 'a', quotaPerDay: null }) },
    answers: new AnswerCache(1, () => null),
    reading: { check: () => null, cursors: new CursorCodec(new Uint8Array(32)) },
    ipLimit: new IpLimit(1_000_000, 1),
    clients: new ClientAddress([]),
    idleTimeoutSeconds: () => 30,
    ...options,
  });
}

/** The app without bases, for the length of a test. `get` sends a key. */
export function startApp(options: Given) {
  const app = appWith(options);
  app.listen({ hostname: '127.0.0.1', port: 0 });
  onTestFinished(async () => {
    await app.stop(true);
  });
  const port = app.server?.port ?? 0;
  const authorization = `Bearer ${newKey()}`;
  const get = (path: string) =>
    fetchChecked(`http://127.0.0.1:${port}${path}`, { headers: { authorization } });
  return { port, authorization, get };
}
