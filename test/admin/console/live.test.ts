import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import type { BaseStatus } from '../../../src/engine/messages.ts';
import { createAdminApp } from '../../../src/admin/app.ts';
import { Tallies } from '../../../src/observe/tallies.ts';
import { Figures } from '../../../src/admin/console/figures.ts';
import { liveRoutes } from '../../../src/admin/console/live-routes.ts';
import type { Tuning } from '../../../src/admin/console/tuning.ts';
import { until } from '../../tools/faults/support-poll.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';

const STATUS: BaseStatus = {
  state: 'up',
  detail: '',
  waiting: 0,
  under_way: 0,
  result_cache_bytes: 0,
  generation: 1,
  docs: 1,
  made_up: false,
  threads: 2,
  threads_busy: 0,
  threads_left_behind: 0,
  restarts: 0,
};
/** What the system's own buffers take of a reader that does not read is some megabytes. */
const SECONDS_MAX = 20_000;

class WatchedFigures extends Figures {
  readers = 0;

  override listen(listener: Parameters<Figures['listen']>[0]): () => void {
    const takeBack = super.listen(listener);
    this.readers += 1;
    return () => {
      this.readers -= 1;
      takeBack();
    };
  }
}

test('a page that no longer reads is let go before what waits for it grows', async () => {
  const clock = new SimulatedClock();
  const statusOf = () => STATUS;
  const figures = new WatchedFigures(clock, statusOf, new Tallies());
  const app = createAdminApp({
    host: '127.0.0.1',
    token: '',
    parts: [liveRoutes({ clock, figures, statusOf, tuning: { version: 1 } as Tuning })],
    log: { error: () => undefined },
  });
  app.listen({ hostname: '127.0.0.1', port: 0 });
  figures.start();
  const reader = connect({ host: '127.0.0.1', port: app.server!.port! });
  onTestFinished(async () => {
    reader.destroy();
    figures.close();
    await app.server?.stop(true);
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
