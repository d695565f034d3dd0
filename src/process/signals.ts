/** Ctrl-C arrives twice, from the terminal and from `bun run`. Only a signal later than this counts as a second one. */
const SECOND_SIGNAL_MS = 1_000;

/** Calls `first` at the first signal and `again` at each later one. @returns a function that acts as a first signal. */
export function onSignals(
  signals: readonly NodeJS.Signals[],
  { first, again }: { readonly first: () => void; readonly again: () => void },
): () => void {
  let since: number | null = null;
  const onSignal = () => {
    if (since === null) {
      since = performance.now();
      first();
    } else if (performance.now() - since > SECOND_SIGNAL_MS) again();
  };
  for (const signal of signals) process.on(signal, onSignal);
  return () => {
    if (since === null) onSignal();
  };
}

/** Aborted by the first Ctrl-C or SIGTERM: a load keeps the decisions read before. A second one kills the process. */
export function interruption(): AbortSignal {
  const controller = new AbortController();
  const abort = () => {
    controller.abort();
  };
  process.once('SIGINT', abort);
  process.once('SIGTERM', abort);
  return controller.signal;
}
