import { connect } from 'node:net';
import { expect, test } from 'vitest';
import { createApp } from '../../src/http/app.ts';
import { ClientAddress } from '../../src/http/client-address.ts';
import { IpLimit } from '../../src/http/ip-limit.ts';
import type { RequestNotes } from '../../src/http/observer.ts';
import { systemClock } from '../../src/engine/clock.ts';
import { newKey } from '../../src/keys/key.ts';
import { CursorCodec } from '../../src/query/cursor.ts';
import { quotaOfThisProcess } from '../../src/shared/quota.ts';
import type { Supervisor } from '../../src/search/supervisor.ts';
import { WAIT } from '../support/patience.ts';
import { BUSCA } from './checks.ts';

test('a request without a Host keeps its notes, and ends its search when its client leaves', async () => {
  const observed: RequestNotes[] = [];
  const found: string[] = [];
  const search: Supervisor['search'] = (_, asker) => {
    found.push('asked');
    return new Promise((resolve) => {
      asker?.abandoned?.addEventListener('abort', () => {
        found.push('abandoned');
        const page = {
          itens: [],
          por_base: [],
          bases_sem_resposta: [],
          cursor: null,
          timings: [],
          absent: [],
        };
        resolve(page);
      });
    });
  };
  const app = createApp({
    supervisor: { search, read: () => Promise.reject(new Error('not asked')) },
    quota: quotaOfThisProcess(systemClock),
    quotaPerDay: 100,
    coverage: { current: {} as never },
    keys: { find: () => ({ id: 'a', name: 'teste', quotaPerDay: null }) },
    reading: { check: () => null, cursors: new CursorCodec(new Uint8Array(32)) },
    ipLimit: new IpLimit(1_000, 1),
    clients: new ClientAddress([]),
    idleTimeoutSeconds: () => 30,
    observer: (notes) => observed.push(notes),
  });
  app.listen({ hostname: '127.0.0.1', port: 0 });
  const headers = `Authorization: Bearer ${newKey()}\r\nX-Request-Id: sem-host-1\r\n`;
  const socket = connect(app.server?.port ?? 0, '127.0.0.1', () =>
    socket.write(`GET ${BUSCA}?q=dano&tribunal=stj HTTP/1.0\r\n${headers}\r\n`),
  );
  await expect.poll(() => found, WAIT).toEqual(['asked']);
  socket.destroy();
  await expect.poll(() => observed, WAIT).toHaveLength(1);
  expect(found).toEqual(['asked', 'abandoned']);
  expect(observed[0]).toMatchObject({ requestId: 'sem-host-1', route: 'busca', isAbandoned: true });
  await app.stop(true);
});
