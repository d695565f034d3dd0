import { COUNTS_MS_MAX, IP_COUNTS_MS } from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';
import type { Counted, Counts } from './messages.ts';
import { RemoteIpLimit } from './remote-ip-limit.ts';
import { RemoteQuota } from './remote-quota.ts';

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly send: (message: Counts) => void;
  /** Called when the parent stops answering, and when it answers again. */
  readonly onSilence: (isSilent: boolean) => void;
  readonly processes: number;
  readonly ipRequests: number;
  readonly ipWindowSeconds: number;
}

/**
 * Has the parent count: charges and requests of clients are gathered into one message, and while one is under way what
 * comes waits for the next. So the more there is to count, the more of it one message holds.
 */
export class Exchange {
  readonly quota: RemoteQuota;
  readonly ipLimit: RemoteIpLimit;
  readonly #options: ExchangeOptions;
  #id = 0;
  #isUnderWay = false;
  #isDue = false;
  #isSilent = false;
  #takeSilenceBack: () => void = () => undefined;
  #takeLaterBack: (() => void) | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { clock, processes, ipRequests, ipWindowSeconds } = options;
    this.quota = new RemoteQuota(clock, processes, () => {
      this.#soon();
    });
    this.ipLimit = new RemoteIpLimit(clock, ipRequests, ipWindowSeconds, () => {
      this.#later();
    });
  }

  /** The parent's answer to the message that was sent last. */
  take({ id, charges, clients }: Counted): void {
    if (id !== this.#id || !this.#isUnderWay) return;
    this.#takeSilenceBack();
    this.#isUnderWay = false;
    this.quota.settle(charges);
    this.ipLimit.settle(clients);
    if (this.#isSilent) {
      this.#isSilent = false;
      this.#options.onSilence(false);
    }
    if (this.quota.isWaiting) this.#soon();
    else if (this.ipLimit.isWaiting) this.#later();
  }

  /** When what has come in together is gathered. */
  #soon(): void {
    if (this.#isDue || this.#isUnderWay) return;
    this.#isDue = true;
    this.#options.clock.soon(() => {
      this.#isDue = false;
      this.#send();
    });
  }

  #later(): void {
    if (this.#isUnderWay) return;
    this.#takeLaterBack ??= this.#options.clock.after(IP_COUNTS_MS, () => {
      this.#takeLaterBack = null;
      this.#send();
    });
  }

  #send(): void {
    if (this.#isUnderWay) return;
    this.#takeLaterBack?.();
    this.#takeLaterBack = null;
    const [charges, clients] = [this.quota.take(), this.ipLimit.take()];
    if (charges.length === 0 && clients.length === 0) return;
    this.#id += 1;
    this.#isUnderWay = true;
    this.#takeSilenceBack = this.#options.clock.after(COUNTS_MS_MAX, () => {
      this.#isSilent = true;
      this.quota.doWithoutParent();
      this.#options.onSilence(true);
    });
    this.#options.send({ kind: 'counts', id: this.#id, charges, clients });
  }
}
