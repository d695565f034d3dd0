import { connect } from 'node:net';
import { expect, test } from 'vitest';
import type { RequestNotes } from '../../src/http/observer.ts';
import type { Supervisor } from '../../src/search/supervisor.ts';
import { WAIT } from '../support/patience.ts';
import { pageOf } from '../observe/support-notes.ts';
import { startApp } from './app.ts';
import { BUSCA } from './checks.ts';

test('a request without a Host is logged, and its search ends when its client leaves', async () => {
  const observed: RequestNotes[] = [];
  const found: string[] = [];
  const search: Supervisor['search'] = (_, asker) => {
    found.push('asked');
    return new Promise((resolve) => {
      asker?.abandoned?.addEventListener('abort', () => {
        found.push('abandoned');
        resolve(pageOf({}));
      });
    });
  };
  const { port, authorization } = startApp({
    supervisor: { search, read: () => Promise.reject(new Error('not asked')) },
    observer: (notes) => observed.push(notes),
  });
  const headers = `Authorization: ${authorization}\r\nX-Request-Id: sem-host-1\r\n`;
  const socket = connect(port, '127.0.0.1', () =>
    socket.write(`GET ${BUSCA}?q=dano&tribunal=stj HTTP/1.0\r\n${headers}\r\n`),
  );
  await expect.poll(() => found, WAIT).toEqual(['asked']);
  socket.destroy();
  await expect.poll(() => observed, WAIT).toHaveLength(1);
  expect(found).toEqual(['asked', 'abandoned']);
  expect(observed[0]).toMatchObject({ requestId: 'sem-host-1', route: 'busca', isAbandoned: true });
});
