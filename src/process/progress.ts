import { SingleBar } from 'cli-progress';

/** Work that ends sooner shows no progress bar; interval of the bar's drawings. */
const QUIET_MS = 1_000;
const REDRAW_MS = 200;

/** Shows the progress, rate and time left of long work if standard error is a terminal. */
export interface Progress {
  /** @param done in the unit of the total. @param items how many are done, shown with their rate. */
  update(done: number, items: number): void;
  stop(): void;
}

const QUIET: Progress = { update: () => undefined, stop: () => undefined };

/** @param total in the unit of `update`'s `done`, for example bytes; null if unknown. */
export function showProgress(total: number | null, noun: string): Progress {
  if (!process.stderr.isTTY) return QUIET;
  const startedAt = performance.now();
  // The first drawing is due `QUIET_MS` after the start.
  let drawnAt = startedAt + QUIET_MS - REDRAW_MS;
  let bar: SingleBar | null = null;
  return {
    update: (done, items) => {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      bar ??= openBar(total, noun);
      const seconds = (now - startedAt) / 1000;
      const left = total === null || done === 0 ? 0 : (seconds * (total - done)) / done;
      bar.update(done, { items, rate: Math.round(items / seconds), left: duration(left) });
    },
    stop: () => {
      bar?.stop();
    },
  };
}

function openBar(total: number | null, noun: string): SingleBar {
  const counts = `{items} ${noun} | {rate}/s`;
  const bar = new SingleBar({
    format: total === null ? `  ${counts}` : `  {bar} {percentage}% | ${counts} | {left} left`,
    stream: process.stderr,
    hideCursor: true,
    clearOnComplete: true,
    barsize: 20,
    gracefulExit: false,
  });
  bar.start(Math.max(1, total ?? 1), 0, { items: 0, rate: 0, left: '…' });
  return bar;
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
