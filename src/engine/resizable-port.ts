import type { BaseReply, BaseRequest } from './messages.ts';
import type { Outcome } from './outcome.ts';
import { NO_THREADS, UNSEEN, type Abandonment, type BasePort, type Look, type PortStatus } from './port.ts';

type Outcomes = readonly (Outcome<BaseReply> | null)[];

/** A port of some size, with the batches that it has not answered yet. */
interface Held {
  readonly port: BasePort;
  readonly threads: number;
  underWay: number;
  isRetired: boolean;
}

/** Longest wait for the threads of a new size to load and to open the base. */
const TRIAL_MS_MAX = 10_000;
/** And then for a sign of the old ones; the console's page waits for 15 s in all. */
const SIGN_MS_MAX = 3_000;

/**
 * A port whose threads can be made more or fewer while it runs. A pool cannot change its size, so another one is
 * opened beside it: new batches go there once it has answered, the old one finishes its own and is closed then.
 */
export class ResizablePort implements BasePort {
  readonly #open: (threads: number) => BasePort;
  #current: Held;
  readonly #retired = new Set<Held>();
  #restartsBefore = 0;
  #isClosed = false;
  /** Ends the trial under way: a port that is closed has no use for it. */
  #endTrial: () => void = () => undefined;
  /** Changes come one after the other; the ends of old ports are waited for at the close. */
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
   * @returns the size in force afterwards: the one of before where threads of the new size do not start although
   *   the old ones answer. Where neither answer, the new size is taken, and comes up when the base does.
   * @throws what the new port throws while it is made; the old one then stays.
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
      // What the old ones finish counts, but no more than there will be.
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
    const isThere = await this.#answers(fresh, TRIAL_MS_MAX);
    const isWorse = !isThere && !this.#isClosed && (await this.#answers(this.#current, SIGN_MS_MAX));
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

  /** Has a port open its base. Once one thread has, the others are called for, so that no search waits for them. */
  async #answers({ port, threads }: Held, msMax: number): Promise<boolean> {
    const request: BaseRequest = { kind: 'read', tabela: 'resumo', numeros: [], budget_ms: msMax };
    const { promise: late, resolve } = Promise.withResolvers<null>();
    this.#endTrial = () => {
      resolve(null);
    };
    const timer = setTimeout(this.#endTrial, msMax);
    const outcomes = await Promise.race([port.run([request]), late]);
    clearTimeout(timer);
    if (outcomes?.[0]?.ok !== true) return false;
    for (let thread = 1; thread < threads; thread += 1) void port.run([request]);
    return true;
  }

  #endIfIdle(held: Held): void {
    if (held.underWay === 0 && !this.#isClosed) this.#end(held);
  }

  /** Closes a port. Threads that it had given up are counted until they have ended. */
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
