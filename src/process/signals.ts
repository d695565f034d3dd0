/** A terminal's Ctrl-C comes twice, from itself and from `bun run`: only a later signal is a second wish. */
const SECOND_SIGNAL_MS = 1_000;

/** What to do at a first signal, once, and at any that comes well after it. @returns does as a first one. */
export function onSignals(
  signals: readonly NodeJS.Signals[],
  { first, again }: { readonly first: () => void; readonly again: () => void },
): () => void {
  let since: number | null = null;
  const heard = () => {
    if (since === null) {
      since = performance.now();
      first();
    } else if (performance.now() - since > SECOND_SIGNAL_MS) again();
  };
  for (const signal of signals) process.on(signal, heard);
  return () => {
    if (since === null) heard();
  };
}
