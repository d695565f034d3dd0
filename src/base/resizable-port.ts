import type { BaseReply, BaseRequest } from './messages.ts';
import type { Outcome } from './outcome.ts';
import type { BasePort, PortStatus } from './port.ts';

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
const NO_THREADS: PortStatus = { threads: 0, threads_busy: 0, threads_left_behind: 0, restarts: 0 };

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
  /** Changes come one after the other; the ends of old ports are waited for at the close. */
  #changing: Promise<unknown> = Promise.resolve();
  readonly #ending = new Set<Promise<void>>();

  constructor(threads: number, open: (threads: number) => BasePort) {
    this.#open = open;
    this.#current = hold(open(threads), threads);
  }

  async run(batch: readonly BaseRequest[], abandoned?: AbortSignal): Promise<Outcomes> {
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
   */
  resize(threads: number): Promise<number> {
    const resized = this.#changing.then(() => this.#resize(threads));
    this.#changing = resized;
    return resized;
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
    const closing = [this.#current, ...this.#retired].map(({ port }) => port.close());
    await Promise.all([...closing, ...this.#ending, this.#changing]);
  }

  async #resize(threads: number): Promise<number> {
    if (this.#isClosed || threads === this.#current.threads) return this.#current.threads;
    const fresh = hold(this.#open(threads), threads);
    const isWorse = !(await answers(fresh)) && (await answers(this.#current));
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

/** Has the port open its base. Once one thread has, the others are called for, so that no search waits for them. */
async function answers({ port, threads }: Held): Promise<boolean> {
  const request: BaseRequest = { kind: 'read', tabela: 'resumo', numeros: [], budget_ms: TRIAL_MS_MAX };
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(resolve, TRIAL_MS_MAX, null);
  });
  const outcomes = await Promise.race([port.run([request]), late]);
  clearTimeout(timer);
  if (outcomes?.[0]?.ok !== true) return false;
  for (let thread = 1; thread < threads; thread += 1) void port.run([request]);
  return true;
}
