/** Work that ends sooner shows no progress bar; interval of the bar's drawings. */
const QUIET_MS = 1_000;
const REDRAW_MS = 200;
const BAR_LENGTH = 20;
/** Carriage return, and erase to the end of the line. */
const CLEAR = '\r\u001B[K';

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
  let isShown = false;
  return {
    update: (done, items) => {
      const now = performance.now();
      if (now - drawnAt < REDRAW_MS) return;
      drawnAt = now;
      const seconds = (now - startedAt) / 1000;
      const counts = `${items} ${noun} | ${Math.round(items / seconds)}/s`;
      draw(total === null ? counts : `${barOf(done, total)} | ${counts} | ${leftOf(done, total, seconds)}`);
      isShown = true;
    },
    stop: () => {
      if (isShown) process.stderr.write(CLEAR);
    },
  };
}

/** In place of the last one; a line longer than the terminal would stay as two. */
function draw(text: string): void {
  process.stderr.write(`${CLEAR}  ${text}`.slice(0, CLEAR.length + process.stderr.columns - 1));
}

function barOf(done: number, total: number): string {
  const part = Math.min(1, done / Math.max(1, total));
  const full = Math.round(part * BAR_LENGTH);
  return `${'█'.repeat(full)}${'░'.repeat(BAR_LENGTH - full)} ${Math.floor(part * 100)}%`;
}

function leftOf(done: number, total: number, seconds: number): string {
  return done === 0 ? '… left' : `${duration((seconds * (total - done)) / done)} left`;
}

function duration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds));
  if (whole < 60) return `${whole} s`;
  if (whole < 3600) return `${Math.floor(whole / 60)} min ${whole % 60} s`;
  return `${Math.floor(whole / 3600)} h ${Math.floor((whole % 3600) / 60)} min`;
}
