import { repeat, within, type Clock, type Abandonment } from '../clock.ts';
import type { DataVersion } from './data-version.ts';
import { UNKNOWN_FILE, type BasePort } from './port.ts';

/**
 * Interval of the check of a base, and budget of its probe. Six bases cost 2 ms of processor time a second on an overloaded
 * machine.
 */
export const WATCH_EVERY_MS = 1_000;
/**
 * A data version this recent counts as current, so a committed load is visible after this time at the latest. A request waits
 * as long for a newer one: a base that needs longer is busy, and gets the request instead.
 */
export const VERSION_MS = 100;

export interface BaseWatchOptions {
  readonly clock: Clock;
  readonly port: Pick<BasePort, 'checkFile'>;
  readonly isUp: () => boolean;
  /** Sends a request that reads nothing. Its outcome says whether the base answers; its reply comes to `note`. */
  readonly probe: () => Promise<unknown>;
  /** Called with the reason why the base cannot answer. */
  readonly onFault: (detail: string) => void;
}

/**
 * Keeps what is known of a base current, with one probe at a time. Once a second it checks the base outside its queue, so
 * that health is current even when no request comes, and probes if the base is not up or its file has changed. A probe
 * also asks for the version of the data when the latest reply that named it is too old.
 */
export class BaseWatch {
  readonly #options: BaseWatchOptions;
  #seen = '';
  #version: DataVersion | null = null;
  #versionAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: () => void = () => undefined;
  #probing: Promise<unknown> | null = null;
  #isClosed = false;

  constructor(options: BaseWatchOptions) {
    this.#options = options;
  }

  /** The first check comes after a second. */
  start(): void {
    const { clock } = this.#options;
    if (!this.#isClosed) this.#cancelTimer = repeat(clock, WATCH_EVERY_MS, () => this.#check());
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }

  /** @param askedAt when the request was sent whose reply names the version: the data may have changed since. */
  note(version: DataVersion | null, askedAt: number): void {
    if (askedAt < this.#versionAt) return;
    this.#version = version;
    this.#versionAt = askedAt;
  }

  /** The present version of the data. Null if the base must be asked and does not answer soon enough. */
  version(abandoned?: Abandonment): DataVersion | null | Promise<DataVersion | null> {
    return this.#isFresh ? this.#version : this.#askedVersion(abandoned);
  }

  async #askedVersion(abandoned: Abandonment | undefined): Promise<DataVersion | null> {
    await within(VERSION_MS, this.#probe(), this.#options.clock, abandoned);
    return this.#isFresh ? this.#version : null;
  }

  get #isFresh(): boolean {
    return this.#options.clock.now() - this.#versionAt < VERSION_MS;
  }

  async #check(): Promise<void> {
    const { port, isUp, onFault } = this.#options;
    const { fault, identity } = (await port.checkFile?.()) ?? UNKNOWN_FILE;
    if (this.#isClosed) return;
    // Read before the fault is reported: a thread that has just answered may not have met the fault yet.
    const mustProbe = !isUp() || identity !== this.#seen;
    this.#seen = identity;
    if (fault !== null) onFault(fault);
    // Only an answer proves that the fault is over. The answer may take long, so the next check does not wait for it.
    if (mustProbe) void this.#probe();
  }

  #probe(): Promise<unknown> {
    this.#probing ??= this.#options.probe().finally(() => {
      this.#probing = null;
    });
    return this.#probing;
  }
}
