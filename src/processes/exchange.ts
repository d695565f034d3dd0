import { LATE, within, type Clock } from '../clock.ts';
import type { IpLimit } from '../http/ip-limit.ts';
import type { Counters } from '../shared/counters.ts';
import type { Counted, Counts } from './messages.ts';

/** Longest wait of a child for the parent's counts; the parent needs 0.03 ms. A silent parent has stopped. */
const COUNTS_MS_MAX = 1_000;
/** Counts of the per-IP limit, for which no request waits, are gathered for this long. */
const IP_COUNTS_MS = 5;

interface Addition {
  readonly name: string;
  readonly units: number;
  readonly resolve: (value: number) => void;
}

/**
 * Gathers additions and requests of clients into a message to the parent; those made before the answer go into the next, so under
 * load each holds more. No message is lost or doubled: a silent parent answers later, or is dead, and then this process ends too.
 * Requests do not wait for the per-IP limit: between two messages each process may pass as many as the limit.
 */
export class Exchange implements Counters {
  readonly #clock: Clock;
  readonly #sendNow: (message: Counts) => void;
  /** By id: additions without an answer, and those whose wait timed out. */
  readonly #open = new Map<string, Promise<number>>();
  #gathered: Addition[] = [];
  /** Each client's requests in all processes: the parent's last count, plus those here since. */
  readonly #ipLimit: IpLimit;
  /** Each client's requests in this process that are not reported yet. */
  #requests = new Map<string, number>();
  /** The unanswered message; null if none. */
  #sent: { readonly additions: readonly Addition[]; readonly clients: readonly string[] } | null = null;
  #isDue = false;
  #cancelLater: (() => void) | null = null;
  /** From the parent's latest answer, which each search of this process waits for. */
  severalKeys = false;

  constructor(clock: Clock, send: (message: Counts) => void, ipLimit: IpLimit) {
    this.#clock = clock;
    this.#sendNow = send;
    this.#ipLimit = ipLimit;
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

  /** As `IpLimit.refuse`. */
  refuse(client: string): number | null {
    const unreported = this.#requests.get(client) ?? 0;
    this.#requests.set(client, unreported + 1);
    if (unreported === 0) this.#later();
    return this.#ipLimit.refuse(client);
  }

  /** Takes the parent's answer to the last message. */
  take({ counters, clients, several_keys }: Counted): void {
    this.severalKeys = several_keys;
    const { additions = [], clients: reported = [] } = this.#sent ?? {};
    this.#sent = null;
    for (const [at, { resolve }] of additions.entries()) resolve(counters[at] ?? 0);
    for (const [at, client] of reported.entries()) {
      const [counted = 0, endsInMs = 0] = clients[at] ?? [];
      this.#ipLimit.set(client, counted + (this.#requests.get(client) ?? 0), endsInMs);
    }
    if (this.#gathered.length > 0) this.#soon();
    else if (this.#requests.size > 0) this.#later();
  }

  #ask(name: string, units: number): Promise<number> {
    const { promise, resolve } = Promise.withResolvers<number>();
    this.#gathered.push({ name, units, resolve });
    this.#soon();
    return promise;
  }

  /** @throws if the parent is silent for too long. */
  async #inTime(answer: Promise<number>): Promise<number> {
    const value = await within(COUNTS_MS_MAX, answer, this.#clock);
    if (value === LATE) throw new Error('the parent process does not answer');
    return value;
  }

  /** Sends at the end of this turn of the event loop. */
  #soon(): void {
    if (this.#isDue || this.#sent !== null) return;
    this.#isDue = true;
    this.#clock.soon(() => {
      this.#isDue = false;
      this.#send();
    });
  }

  #later(): void {
    if (this.#sent !== null) return;
    this.#cancelLater ??= this.#clock.after(IP_COUNTS_MS, () => {
      this.#cancelLater = null;
      this.#send();
    });
  }

  #send(): void {
    if (this.#sent !== null) return;
    this.#cancelLater?.();
    this.#cancelLater = null;
    const [additions, clients] = [this.#gathered, [...this.#requests]];
    if (additions.length === 0 && clients.length === 0) return;
    this.#gathered = [];
    this.#requests = new Map();
    this.#sent = { additions, clients: clients.map(([client]) => client) };
    const counters = additions.map(({ name, units }): [string, number] => [name, units]);
    this.#sendNow({ kind: 'counts', counters, clients });
  }
}
