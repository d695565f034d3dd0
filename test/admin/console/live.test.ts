import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { createAdminApp } from '../../../src/admin/app.ts';
import { Tallies } from '../../../src/observe/tallies.ts';
import { Figures } from '../../../src/admin/console/figures.ts';
import { liveRoutes } from '../../../src/admin/console/live-routes.ts';
import type { Tuning } from '../../../src/admin/console/tuning.ts';
import { STATUS_UP } from '../../observe/support-notes.ts';
import { LOAD } from '../../observe/support-notes.ts';
import { until } from '../../tools/faults/support-poll.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';

/** What the system's own buffers take of a reader that does not read is some megabytes. */
const SECONDS_MAX = 20_000;

class WatchedFigures extends Figures {
  readers = 0;

  override listen(listener: Parameters<Figures['listen']>[0]): () => void {
    const cancel = super.listen(listener);
    this.readers += 1;
    return () => {
      this.readers -= 1;
      cancel();
    };
  }
}

function start() {
  const clock = new SimulatedClock();
  const statusOf = () => STATUS_UP;
  const figures = new WatchedFigures(clock, statusOf, new Tallies(), () => LOAD);
  const app = createAdminApp({
    host: '127.0.0.1',
    token: '',
    parts: [
      liveRoutes({ clock, figures, statusOf, tuning: { version: 1 } as Tuning, latest: { version: 0 } }),
    ],
    log: { error: () => undefined },
  });
  app.listen({ hostname: '127.0.0.1', port: 0 });
  figures.start();
  onTestFinished(async () => {
    figures.close();
    await app.server?.stop(true);
  });
  return { clock, figures, port: app.server!.port! };
}

test('at most thirty-two pages receive the figures at once; a page that leaves frees its place', async () => {
  const { figures, port } = start();
  const pages = new AbortController();
  const open = () => fetch(`http://127.0.0.1:${port}/console/api/eventos`, { signal: pages.signal });
  await Promise.all(Array.from({ length: 32 }, open));
  expect(figures.readers).toBe(32);
  expect((await open()).status).toBe(503);
  pages.abort();
  await until('they are gone', () => figures.readers === 0);
  const { status, body } = await fetch(`http://127.0.0.1:${port}/console/api/eventos`);
  expect(status).toBe(200);
  await body?.cancel();
});

test('a page that stops reading is disconnected before its backlog grows', async () => {
  const { clock, figures, port } = start();
  const reader = connect({ host: '127.0.0.1', port });
  onTestFinished(() => {
    reader.destroy();
  });
  reader.pause();
  reader.write('GET /console/api/eventos HTTP/1.1\r\nHost: localhost\r\n\r\n');
  await until('it follows', () => figures.readers === 1);
  let seconds = 0;
  while (figures.readers > 0 && seconds < SECONDS_MAX) {
    for (let second = 0; second < 20; second += 1) await clock.advance(1_000);
    seconds += 20;
    // The server writes what it can.
    await Bun.sleep(0);
  }
  expect(figures.readers).toBe(0);
});
