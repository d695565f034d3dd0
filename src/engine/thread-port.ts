import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Base } from '../contract/vocabulary.ts';
import { checked, identityOf, noFileAt } from '../index/format/file-check.ts';
import { TIMED_OUT, within, type Abandonment } from '../clock.ts';
import type { BaseRequest } from './messages.ts';
import { failed, type Failed } from './outcome.ts';
import type { BasePort, FileState, Outcomes, PortStatus } from './port.ts';
import { Thread, type Batch } from './thread.ts';

/** Longest wait for a `stat`; a network file system may hang. */
const STAT_MS_MAX = 2_000;
/** Longest wait for a thread to load. The console waits 15 s for more threads. */
const THREAD_LOAD_MS_MAX = 10_000;
/** At the close: longest wait for a thread to end. After that, it ends with the process. */
const THREAD_END_MS_MAX = 2_000;
/** Threads without a batch for so long collect their garbage. */
export const IDLE_MS = 5_000;
/** Most abandoned threads, as a multiple of the threads of a base; beyond that only a restart of the service helps. */
const LEFT_BEHIND_POOLS_MAX = 4;
/** Back-off before a thread starts again: from the first to the second, doubled each time. */
const POOL_BACK_OFF_MS_MIN = 250;
const POOL_BACK_OFF_MS_MAX = 30_000;

export interface ThreadPortOptions {
  /** The base file, opened by the threads and not here. */
  readonly file: string;
  readonly base: Base;
  readonly threads: number;
  /** The module that a thread runs: the one in `workers/`, or a test's own. */
  readonly entry?: string | undefined;
  /** Called for each abandoned thread with the number of them, for the log. */
  readonly onLeftBehind?: (leftBehind: number) => void;
}

const NO_THREAD_ANSWERS = 'every thread is blocked by a statement that does not end';
const ENTRY = fileURLToPath(new URL('../../workers/main.ts', import.meta.url));

/**
 * The local port: threads that each hold their own connection, started when they are needed.
 * - A thread that dies is replaced at once. If threads die while they load, or over and over, the next one starts after a
 *   back-off.
 * - A statement may block a thread past its budget. The port abandons that thread for a new one, counts it until it
 *   ends, and abandons at most as many threads as it may have; further ones keep their place.
 * - When all these are blocked too, the port abandons them, once for each base file.
 */
export class ThreadPort implements BasePort {
  readonly #options: ThreadPortOptions;
  #size: number;
  readonly #threads = new Set<Thread>();
  readonly #abandoned = new Set<Thread>();
  /** Batches that no thread has taken yet: never more than there may be threads. */
  readonly #waiting: Batch[] = [];
  /** Why the latest threads did not load, or died; null once one has loaded. */
  #fault: Failed | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #backOffMs = POOL_BACK_OFF_MS_MIN;
  /** The file that blocked all threads when they were last abandoned; empty after an answer. */
  #stuckOn = '';
  /** Threads that died and threads that were abandoned since the last answer. */
  #lost = { died: 0, abandoned: 0 };
  #restarts = 0;
  /** When the latest batch ended, if the threads have not collected their garbage since. */
  #idleSince = Number.POSITIVE_INFINITY;
  #checking: Promise<FileState> | null = null;
  #isClosed = false;

  constructor(options: ThreadPortOptions) {
    this.#options = options;
    this.#size = options.threads;
    this.#start();
  }

  run(requests: readonly BaseRequest[], abandoned?: Abandonment): Promise<Outcomes> {
    const { promise, resolve } = Promise.withResolvers<Outcomes>();
    this.#waiting.push({ requests, abandoned, answer: resolve });
    this.#assign();
    return promise;
  }

  async checkFile(): Promise<FileState> {
    // An abandoned thread has a successor, of which nothing is known before it answers.
    const isHeld = this.#count('stuck') + this.#lost.abandoned >= this.#size;
    this.#tidy(performance.now());
    const { fault, identity } = await this.#stateOfFile();
    if (fault === null && this.#areAllStuck) this.#abandonAll(identity);
    return { fault: fault ?? this.#refusal?.detail ?? (isHeld ? NO_THREAD_ANSWERS : null), identity };
  }

  status(): PortStatus {
    const threads = this.#isDown ? 0 : this.#size;
    const busy = this.#count('busy') + this.#count('stuck');
    return {
      threads,
      threads_busy: Math.min(threads, busy),
      threads_left_behind: this.#abandoned.size,
      restarts: this.#restarts,
    };
  }

  /**
   * New threads start one after the other: all at once, they would take the processors from the threads that answer.
   * @returns the size afterwards: the old one if a new thread does not load although others have.
   */
  async resize(threads: number): Promise<number> {
    const before = this.#size;
    this.#size = threads;
    const until = performance.now() + THREAD_LOAD_MS_MAX;
    while (this.#threads.size < threads) {
      const thread = this.#start();
      const isLoaded =
        thread === null ? TIMED_OUT : await within(Math.max(0, until - performance.now()), thread.loaded);
      // Those that have not loaded by now start when they are needed.
      if (isLoaded === TIMED_OUT) break;
      if (isLoaded || !this.#canAnswer) continue;
      this.#size = before;
      break;
    }
    // Stuck ones first: an idle one can answer.
    for (const thread of this.#threads)
      if (thread.state === 'stuck' && this.#threads.size > this.#size) this.#abandon(thread);
    for (const thread of this.#threads) if (thread.state === 'idle') this.#endSurplus(thread);
    return this.#size;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const ending = [...this.#threads].map(async (thread) => {
      await within(THREAD_LOAD_MS_MAX, thread.loaded);
      await within(THREAD_END_MS_MAX, thread.end());
    });
    await Promise.all(ending);
  }

  /** Gives the waiting batches to idle threads. If there are too few, another one starts. */
  #assign(): void {
    const refusal = this.#refusal;
    for (const batch of refusal === null ? [] : this.#waiting.splice(0))
      batch.answer(batch.requests.map(() => refusal));
    for (const thread of this.#threads) {
      const batch = thread.state === 'idle' ? this.#waiting.shift() : undefined;
      if (batch !== undefined) thread.run(batch);
    }
    const loading = this.#count('loading');
    // The first one loads alone: others would slow it down.
    if (this.#waiting.length > loading && (loading === 0 || this.#canAnswer)) this.#start();
  }

  /** Why no batch can run now; null if one can. */
  get #refusal(): Failed | null {
    if (this.#isDown) return this.#fault;
    return this.#areAllStuck ? failed('unavailable', NO_THREAD_ANSWERS) : null;
  }

  get #isDown(): boolean {
    return this.#fault !== null && !this.#canAnswer;
  }

  /** True if a thread has loaded and is not stuck. */
  get #canAnswer(): boolean {
    return this.#count('idle') + this.#count('busy') > 0;
  }

  get #areAllStuck(): boolean {
    return this.#count('stuck') >= this.#size;
  }

  #count(state: Thread['state']): number {
    let count = 0;
    for (const thread of this.#threads) if (thread.state === state) count += 1;
    return count;
  }

  #start(): Thread | null {
    if (this.#isClosed || this.#retry !== undefined || this.#threads.size >= this.#size) return null;
    const { file, base, entry = ENTRY } = this.#options;
    const notes = { onIdle: this.#noteIdle, onStuck: this.#noteStuck, onEnd: this.#noteEnd };
    const thread = new Thread({ file, base, entry, ...notes });
    this.#threads.add(thread);
    void this.#watchLoading(thread);
    return thread;
  }

  async #watchLoading(thread: Thread): Promise<void> {
    if ((await within(THREAD_LOAD_MS_MAX, thread.loaded)) !== TIMED_OUT) return;
    this.#fault ??= failed('unavailable', 'a thread does not load');
    this.#assign();
  }

  #restart(): void {
    if (this.#start() !== null) this.#restarts += 1;
  }

  readonly #noteIdle = (thread: Thread, isAnswer: boolean): void => {
    if (!this.#threads.has(thread)) return;
    if (this.#retry === undefined) this.#fault = null;
    if (isAnswer) {
      this.#lost = { died: 0, abandoned: 0 };
      this.#stuckOn = '';
      if (this.#retry === undefined && this.#count('loading') === 0) this.#backOffMs = POOL_BACK_OFF_MS_MIN;
      this.#idleSince = performance.now();
    }
    this.#endSurplus(thread);
    this.#assign();
  };

  readonly #noteEnd = (thread: Thread, reason: string, wasLoading: boolean): void => {
    this.#abandoned.delete(thread);
    if (!this.#threads.delete(thread) || this.#isClosed) return;
    if (!wasLoading) this.#lost.died += 1;
    if (wasLoading) this.#backOff(`a thread died while it was loading: ${reason}`);
    else if (this.#lost.died > this.#size) this.#backOff(`threads keep dying: ${reason}`);
    else this.#restart();
    this.#assign();
  };

  /** Each thread that dies costs a start. */
  #backOff(reason: string): void {
    this.#fault = failed('unavailable', reason);
    if (this.#retry !== undefined) return;
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#lost = { died: 0, abandoned: 0 };
      this.#restart();
    }, this.#backOffMs).unref();
    this.#backOffMs = Math.min(this.#backOffMs * 2, POOL_BACK_OFF_MS_MAX);
  }

  /** The last resort for a blocked thread. If too many are abandoned already, it keeps its place. */
  readonly #noteStuck = (thread: Thread): void => {
    thread.fail(failed('deadline', 'a statement did not end with its budget'));
    if (this.#abandoned.size >= this.#size) {
      thread.state = 'stuck';
    } else {
      this.#lost.abandoned += 1;
      this.#abandon(thread);
      this.#restart();
    }
    this.#assign();
  };

  #abandon(thread: Thread): void {
    this.#threads.delete(thread);
    this.#abandoned.add(thread);
    void thread.end();
    this.#options.onLeftBehind?.(this.#abandoned.size);
  }

  /** Once for each file that blocked them. */
  #abandonAll(identity: string): void {
    const isTooMany = this.#abandoned.size >= LEFT_BEHIND_POOLS_MAX * this.#size;
    if (identity === this.#stuckOn || isTooMany) return;
    this.#stuckOn = identity;
    for (const thread of this.#threads) this.#abandon(thread);
    this.#backOff(NO_THREAD_ANSWERS);
  }

  /** Ends a thread if there are more than there may be. */
  #endSurplus(thread: Thread): void {
    if (this.#threads.size <= this.#size) return;
    this.#threads.delete(thread);
    void thread.end();
  }

  /** Has each thread collect its garbage once it has been idle for a while. */
  #tidy(now: number): void {
    if (now - this.#idleSince <= IDLE_MS || this.#count('idle') < this.#threads.size) return;
    this.#idleSince = Number.POSITIVE_INFINITY;
    for (const thread of this.#threads) thread.tidy();
  }

  /** Reads the status of the base file. While the file system hangs, later calls wait for the same answer. */
  async #stateOfFile(): Promise<FileState> {
    const { file } = this.#options;
    this.#checking ??= fileStateOf(file).finally(() => {
      this.#checking = null;
    });
    const found = await within(STAT_MS_MAX, this.#checking);
    return found === TIMED_OUT ? faulty(`the file system does not say what is at ${file}`) : found;
  }
}

async function fileStateOf(file: string): Promise<FileState> {
  try {
    const { file: identity, written } = identityOf(checked(await stat(file), file));
    return { fault: null, identity: `${identity}:${written}` };
  } catch (error) {
    if (!(error instanceof Error)) return faulty(String(error));
    return faulty('code' in error && error.code === 'ENOENT' ? noFileAt(file) : error.message);
  }
}

function faulty(fault: string): FileState {
  return { fault, identity: '' };
}
