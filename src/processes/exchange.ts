import { COUNTS_MS_MAX, IP_COUNTS_MS } from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';
import { LATE, within } from '../engine/within.ts';
import type { Counters } from '../shared/counters.ts';
import type { Counted, Counts } from './messages.ts';
import { RemoteIpLimit } from './remote-ip-limit.ts';

export interface ExchangeOptions {
  readonly clock: Clock;
  readonly send: (message: Counts) => void;
  readonly ipRequests: number;
  readonly ipWindowSeconds: number;
}

interface Addition {
  readonly name: string;
  readonly units: number;
  readonly resolve: (value: number) => void;
}

/**
 * Has the parent count: additions and requests of clients are gathered into one message, and what comes before its answer
 * goes into the next. So the more there is to count, the more of it one message holds. A message is neither lost nor doubled:
 * a parent that is silent answers later, or has ended, and this process with it.
 */
export class Exchange implements Counters {
  readonly ipLimit: RemoteIpLimit;
  readonly #options: ExchangeOptions;
  /** By id: additions without an answer, and those whose answer nobody has waited for to its end. */
  readonly #open = new Map<string, Promise<number>>();
  #gathered: Addition[] = [];
  #sent: readonly Addition[] = [];
  #id = 0;
  #isSent = false;
  #isDue = false;
  #cancelLater: (() => void) | null = null;

  constructor(options: ExchangeOptions) {
    this.#options = options;
    const { clock, ipRequests, ipWindowSeconds } = options;
    this.ipLimit = new RemoteIpLimit(clock, ipRequests, ipWindowSeconds, () => {
      this.#later();
    });
  }

  async add(name: string, units: number, id: string): Promise<number | null> {
    const known = this.#open.get(id);
    const adding = known ?? this.#ask(name, units);
    this.#open.set(id, adding);
    const value = await this.#inTime(adding);
    this.#open.delete(id);
    return known === undefined ? value : null;
  }

  read(name: string): Promise<number> {
    return this.#inTime(this.#ask(name, 0));
  }

  /** The parent's answer to the message that was sent last. */
  take({ id, counters, clients }: Counted): void {
    if (id !== this.#id || !this.#isSent) return;
    this.#isSent = false;
    for (const [at, { resolve }] of this.#sent.entries()) resolve(counters[at] ?? 0);
    this.ipLimit.settle(clients);
    if (this.#gathered.length > 0) this.#soon();
    else if (this.ipLimit.isWaiting) this.#later();
  }

  #ask(name: string, units: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#gathered.push({ name, units, resolve });
    this.#soon();
    return promise;
  }

  /** @throws if the parent is silent for too long. */
  async #inTime(answer: Promise<number>): Promise<number> {
    const value = await within(COUNTS_MS_MAX, answer, this.#options.clock);
    if (value === LATE) throw new Error('the parent process does not answer');
    return value;
  }

  /** When what has come in together is gathered. */
  #soon(): void {
    if (this.#isDue || this.#isSent) return;
    this.#isDue = true;
    this.#options.clock.soon(() => {
      this.#isDue = false;
      this.#send();
    });
  }

  #later(): void {
    if (this.#isSent) return;
    this.#cancelLater ??= this.#options.clock.after(IP_COUNTS_MS, () => {
      this.#cancelLater = null;
      this.#send();
    });
  }

  #send(): void {
    if (this.#isSent) return;
    this.#cancelLater?.();
    this.#cancelLater = null;
    this.#sent = this.#gathered;
    this.#gathered = [];
    const clients = this.ipLimit.take();
    if (this.#sent.length === 0 && clients.length === 0) return;
    this.#id += 1;
    this.#isSent = true;
    const counters = this.#sent.map(({ name, units }): [string, number] => [name, units]);
    this.#options.send({ kind: 'counts', id: this.#id, counters, clients });
  }
}
