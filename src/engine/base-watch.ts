import { VERSION_FRESH_MS, VERSION_MS_MAX, WATCH_EVERY_MS } from '../config/limits.ts';
import type { Clock } from './clock.ts';
import { UNSEEN, type Abandonment, type BasePort } from './port.ts';
import { within } from './within.ts';

export interface BaseWatchOptions {
  readonly clock: Clock;
  readonly port: Pick<BasePort, 'look'>;
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
  #version: string | undefined;
  #versionAt = Number.NEGATIVE_INFINITY;
  #cancelTimer: () => void = () => undefined;
  #probing: Promise<unknown> | null = null;
  #isClosed = false;

  constructor(options: BaseWatchOptions) {
    this.#options = options;
  }

  /** Schedules the next check; the first one comes after a second. */
  start(): void {
    if (this.#isClosed) return;
    this.#cancelTimer = this.#options.clock.after(WATCH_EVERY_MS, () => {
      void this.#check().finally(() => {
        this.start();
      });
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelTimer();
  }

  /** @param askedAt when the request was sent whose reply names the version: the data may have changed since. */
  note(version: string | undefined, askedAt: number): void {
    if (askedAt < this.#versionAt) return;
    this.#version = version;
    this.#versionAt = askedAt;
  }

  /**
   * Whether this is the version of the data. A promise when the base must be asked; false then, too, when it does not
   * answer soon, or when nobody waits any more.
   */
  isCurrent(version: string | undefined, abandoned?: Abandonment): boolean | Promise<boolean> {
    if (version === undefined) return false;
    if (this.#isFresh) return version === this.#version;
    const answered = within(VERSION_MS_MAX, this.#probe(), this.#options.clock, abandoned);
    return answered.then(() => this.#isFresh && version === this.#version);
  }

  get #isFresh(): boolean {
    return this.#options.clock.now() - this.#versionAt < VERSION_FRESH_MS;
  }

  async #check(): Promise<void> {
    const { port, isUp, onFault } = this.#options;
    const { fault, identity } = (await port.look?.()) ?? UNSEEN;
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
