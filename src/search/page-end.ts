import type { Abandonment } from '../clock.ts';

/**
 * Ends a page's requests: the client has left, or the page is complete without them. An AbortSignal for each page, with the
 * listeners of six bases, would cost three microseconds more.
 */
export class PageEnd implements Abandonment {
  readonly #listeners = new Set<() => void>();
  #aborted = false;

  get aborted(): boolean {
    return this.#aborted;
  }

  addEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.add(listener);
  }

  removeEventListener(_: 'abort', listener: () => void): void {
    this.#listeners.delete(listener);
  }

  readonly abort = (): void => {
    if (this.#aborted) return;
    this.#aborted = true;
    for (const listener of this.#listeners) listener();
  };
}
