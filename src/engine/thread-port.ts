import { stat } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Base } from '../contract/vocabulary.ts';
import { checked, identityOf, noFileAt } from '../index/format/file-check.ts';
import { TIMED_OUT, within, type Abandonment } from '../clock.ts';
import type { BaseRequest } from './messages.ts';
import { NOT_LOADED } from './health.ts';
import { failed, type Failed } from './outcome.ts';
import type { BasePort, FileState, Outcomes, PortStatus } from './port.ts';
import { OVERDUE_MS, Thread, type Batch } from './thread.ts';

/** Longest wait for a thread to load. The console waits 15 s for more threads. */
const THREAD_LOAD_MS_MAX = 10_000;
/** Threads without a batch for so long collect their garbage. */
export const IDLE_MS = 5_000;
/** Most abandoned threads, as a multiple of the threads of a base: for one base file, and in all. */
const LEFT_BEHIND_OF_FILE_MAX = 2;
const LEFT_BEHIND_MAX = 4;
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

const ENTRY = fileURLToPath(new URL('../../workers/main.ts', import.meta.url));

/**
 * The local port: threads that each hold their own connection, started when they are needed. A thread is lost if it dies, or
 * if the port abandons it because its statement does not end; an abandoned one is counted until it ends.
 * - A lost thread is replaced at once. If more are lost than there may be, and none has answered since, the next one starts
 *   after a back-off, or with another base file.
 * - With too many abandoned threads none starts before one has ended.
 */
export class ThreadPort implements BasePort {
  readonly #options: ThreadPortOptions;
  #size: number;
  readonly #threads = new Set<Thread>();
  readonly #abandoned = new Set<Thread>();
  /** Batches that no thread has taken yet: never more than there may be threads. */
  readonly #waiting: Batch[] = [];
  /** Why no lost thread is replaced; null once one has loaded. */
  #fault: Failed | null = null;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #backOffMs = POOL_BACK_OFF_MS_MIN;
  /** Threads lost since the last answer, and why the latest one was. */
  #lost = 0;
  #reason = '';
  /** The base file at the latest check, and how many threads were abandoned before it came. */
  #identity = '';
  #abandonedBefore = 0;
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
    this.#tidy(performance.now());
    const { fault, identity } = await this.#stateOfFile();
    if (fault === null && identity !== this.#identity) {
      this.#identity = identity;
      this.#abandonedBefore = this.#abandoned.size;
      this.#retryNow();
    }
    // A lost thread has a successor, of which nothing is known before it answers.
    const lost = this.#lost >= this.#size ? this.#reason : null;
    return { fault: fault ?? this.#refusal?.detail ?? lost, identity };
  }

  status(): PortStatus {
    const threads = this.#refusal === null ? this.#size : 0;
    return {
      threads,
      threads_busy: Math.min(threads, this.#count('busy')),
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
    // Loading ones first: an idle one can answer.
    for (const state of ['loading', 'idle'] as const)
      for (const thread of this.#threads) if (thread.state === state) this.#endSurplus(thread);
    return this.#size;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearTimeout(this.#retry);
    const ending = [...this.#threads].map(async (thread) => {
      await within(THREAD_LOAD_MS_MAX, thread.loaded);
      // One that does not end does so with the process.
      await within(OVERDUE_MS, thread.end());
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
    return this.#canAnswer ? null : this.#fault;
  }

  /** True if a thread has loaded. */
  get #canAnswer(): boolean {
    return this.#count('idle') + this.#count('busy') > 0;
  }

  #count(state: Thread['state']): number {
    let count = 0;
    for (const thread of this.#threads) if (thread.state === state) count += 1;
    return count;
  }

  #start(): Thread | null {
    const abandonedMax = Math.min(
      this.#abandonedBefore + LEFT_BEHIND_OF_FILE_MAX * this.#size,
      LEFT_BEHIND_MAX * this.#size,
    );
    const hasRoom = this.#threads.size < this.#size && this.#abandoned.size < abandonedMax;
    if (this.#isClosed || this.#retry !== undefined || !hasRoom) return null;
    const { file, base, entry = ENTRY } = this.#options;
    const notes = { onIdle: this.#noteIdle, onStuck: this.#noteStuck, onEnd: this.#noteEnd };
    const thread = new Thread({ file, base, entry, ...notes });
    this.#threads.add(thread);
    void this.#watchLoading(thread);
    return thread;
  }

  async #watchLoading(thread: Thread): Promise<void> {
    if ((await within(THREAD_LOAD_MS_MAX, thread.loaded)) !== TIMED_OUT) return;
    this.#fault ??= failed('unavailable', NOT_LOADED);
    this.#assign();
  }

  readonly #noteIdle = (thread: Thread, isAnswer: boolean): void => {
    if (!this.#threads.has(thread)) return;
    if (this.#retry === undefined) this.#fault = null;
    if (isAnswer) {
      this.#lost = 0;
      if (this.#retry === undefined && this.#count('loading') === 0) this.#backOffMs = POOL_BACK_OFF_MS_MIN;
      this.#idleSince = performance.now();
    }
    this.#endSurplus(thread);
    this.#assign();
  };

  readonly #noteEnd = (thread: Thread, reason: string): void => {
    if (this.#abandoned.delete(thread)) this.#retryNow();
    else if (this.#threads.delete(thread) && !this.#isClosed) this.#replace(`threads die: ${reason}`);
  };

  /** The last resort for a blocked thread. */
  readonly #noteStuck = (thread: Thread): void => {
    thread.fail(failed('deadline', 'a statement did not end with its budget'));
    this.#threads.delete(thread);
    this.#abandoned.add(thread);
    void thread.end();
    this.#options.onLeftBehind?.(this.#abandoned.size);
    this.#replace('every thread is blocked by a statement that does not end');
  };

  /** Replaces a lost thread. */
  #replace(reason: string): void {
    this.#lost += 1;
    this.#reason = reason;
    if (this.#lost > this.#size || !this.#restart()) {
      this.#fault = failed('unavailable', reason);
      this.#backOff();
    }
    this.#assign();
  }

  /** Each thread that dies costs a start. */
  #backOff(): void {
    if (this.#retry !== undefined) return;
    this.#retry = setTimeout(this.#retryNow, this.#backOffMs).unref();
    this.#backOffMs = Math.min(this.#backOffMs * 2, POOL_BACK_OFF_MS_MAX);
  }

  readonly #retryNow = (): void => {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    if (this.#fault !== null) this.#restart();
  };

  /** @returns false if none may start. */
  #restart(): boolean {
    const isStarted = this.#start() !== null;
    if (isStarted) this.#restarts += 1;
    return isStarted;
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
    const found = await within(OVERDUE_MS, this.#checking);
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
