import type { BaseRequest } from './messages.ts';
import {
  NO_THREADS,
  UNSEEN,
  type Abandonment,
  type BasePort,
  type Look,
  type Outcomes,
  type PortStatus,
} from './port.ts';
import { probe } from './requests.ts';
import { RESIZE_MS_MAX, RESIZE_SIGN_MS_MAX } from '../config/limits.ts';

/** A port with its number of threads and of unanswered batches. */
interface Held {
  readonly port: BasePort;
  readonly threads: number;
  underWay: number;
  isRetired: boolean;
}

/**
 * A port whose number of threads can change while it runs. A pool cannot change its size, so a second pool opens beside
 * the first: it gets new batches once it has answered, and the old pool closes after its last batch.
 */
export class ResizablePort implements BasePort {
  readonly #open: (threads: number) => BasePort;
  #current: Held;
  readonly #retired = new Set<Held>();
  #restartsBefore = 0;
  #isClosed = false;
  /** Ends a running trial when the port closes. */
  #endTrial: () => void = () => undefined;
  /** Changes run one after the other. */
  #changing: Promise<unknown> = Promise.resolve();
  readonly #ending = new Set<Promise<void>>();

  constructor(threads: number, open: (threads: number) => BasePort) {
    this.#open = open;
    this.#current = hold(open(threads), threads);
  }

  async run(batch: readonly BaseRequest[], abandoned?: Abandonment): Promise<Outcomes> {
    const held = this.#current;
    held.underWay += 1;
    try {
      return await held.port.run(batch, abandoned);
    } finally {
      held.underWay -= 1;
      if (held.isRetired) this.#endIfIdle(held);
    }
  }

  /**
   * @returns the size in force afterwards. The old size stays when new threads do not start although the old ones
   *   answer. When neither answer, the new size is taken, and comes up together with the base.
   * @throws what the new port throws while it is made; the old port then stays.
   */
  resize(threads: number): Promise<number> {
    const resized = this.#changing.then(() => this.#resize(threads));
    this.#changing = resized.catch(() => undefined);
    return resized;
  }

  async look(): Promise<Look> {
    return (await this.#current.port.look?.()) ?? UNSEEN;
  }

  status(): PortStatus {
    const { threads, ...current } = this.#current.port.status?.() ?? NO_THREADS;
    let { threads_busy, threads_left_behind, restarts } = current;
    for (const { port } of this.#retired) {
      const old = port.status?.() ?? NO_THREADS;
      threads_busy += old.threads_busy;
      threads_left_behind += old.threads_left_behind;
      restarts += old.restarts;
    }
    return {
      threads,
      // Old threads that finish a batch count, up to the new number.
      threads_busy: Math.min(threads, threads_busy),
      threads_left_behind,
      restarts: restarts + this.#restartsBefore,
    };
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#endTrial();
    const closing = [this.#current, ...this.#retired].map(({ port }) => port.close());
    await this.#changing;
    await Promise.all([...closing, ...this.#ending]);
  }

  async #resize(threads: number): Promise<number> {
    if (this.#isClosed || threads === this.#current.threads) return this.#current.threads;
    const fresh = hold(this.#open(threads), threads);
    const isThere = await this.#answers(fresh, RESIZE_MS_MAX, threads);
    const isWorse =
      !isThere && !this.#isClosed && (await this.#answers(this.#current, RESIZE_SIGN_MS_MAX, 1));
    if (this.#isClosed || isWorse) {
      this.#end(fresh);
      return this.#current.threads;
    }
    const old = this.#current;
    this.#current = fresh;
    old.isRetired = true;
    this.#retired.add(old);
    this.#endIfIdle(old);
    return threads;
  }

  /**
   * Has a port open its base, and then start more threads, one after the other: all at once, they would take the CPU from
   * the threads that answer. Threads that have not started in `msMax` start when they are needed.
   * @param threads how many are to be started, the first included.
   */
  async #answers({ port }: Held, msMax: number, threads: number): Promise<boolean> {
    const request: BaseRequest = { ...probe(), budget_ms: msMax };
    const { promise: late, resolve } = Promise.withResolvers<null>();
    this.#endTrial = () => {
      resolve(null);
    };
    const timer = setTimeout(this.#endTrial, msMax);
    try {
      // So many requests at a time need one thread more than there is.
      for (let busy = 1; busy <= threads; busy += 1) {
        const trials = Promise.all(Array.from({ length: busy }, () => port.run([request])));
        const outcomes = await Promise.race([trials, late]);
        if (outcomes === null) return busy > 1;
        if (outcomes.some(([outcome]) => outcome?.ok !== true)) return false;
      }
      return true;
    } finally {
      clearTimeout(timer);
    }
  }

  #endIfIdle(held: Held): void {
    if (held.underWay === 0 && !this.#isClosed) this.#end(held);
  }

  /** Closes a port. Its abandoned threads count until they have ended. */
  #end(held: Held): void {
    const ending = held.port.close().finally(() => {
      if (this.#retired.delete(held)) this.#restartsBefore += held.port.status?.().restarts ?? 0;
      this.#ending.delete(ending);
    });
    this.#ending.add(ending);
  }
}

function hold(port: BasePort, threads: number): Held {
  return { port, threads, underWay: 0, isRetired: false };
}
