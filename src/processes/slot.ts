import {
  PROCESS_BACK_OFF_MS_MAX,
  PROCESS_BACK_OFF_MS_MIN,
  PROCESS_LIFE_MS_MIN,
  PROCESS_SILENT_MS_MAX,
  PROCESS_START_MS_MAX,
} from '../config/limits.ts';
import { join } from 'node:path';
import type { Clock } from '../engine/clock.ts';
import { LATE, within } from '../engine/within.ts';
import { readToParent, type Metric, type Report, type ToChild, type ToParent } from './messages.ts';

const MAIN = join(import.meta.dirname, '../main.ts');
/** What tells `main.ts` that it is a child. */
export const CHILD = 'child';

/** How a child ended: by itself, by a signal, or before it served. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
  /** What it said before, where it could not serve. */
  readonly message: string | null;
}

export interface SlotOptions {
  readonly clock: Clock;
  /** The first message. */
  readonly start: (process: number) => ToChild;
  /** Called with what is no answer to a question of the parent. */
  readonly onMessage: (slot: Slot, message: Said) => void;
  readonly onReport: (report: Report) => void;
  /** Called with what is no message. */
  readonly onStrange: (slot: Slot) => void;
  readonly onListening: (slot: Slot) => void;
  /** Called with each end, and when the next child is started; null where there is none. */
  readonly onEnd: (slot: Slot, end: End, delayMs: number | null) => void;
}

type Answer = Extract<ToParent, { kind: 'covered' | 'searched' | 'changed' | 'metrics' }>;
/** What children say of themselves. */
export type Said = Extract<ToParent, { kind: 'counts' | 'permit_wanted' | 'permit_returned' }>;
type AnswerTo = { cover: 'covered'; search: 'searched'; change: 'changed'; read_metrics: 'metrics' };
type Asked<K extends keyof AnswerTo> = Omit<Extract<ToChild, { kind: K }>, 'id'> & { readonly kind: K };
type AnswerOf<K extends keyof AnswerTo> = Extract<ToParent, { kind: AnswerTo[K] }>;

/** One place among the children: there is a process in it, and when it ends another one is started. */
export class Slot {
  readonly number: number;
  readonly #options: SlotOptions;
  #child: Bun.Subprocess | null = null;
  #isServing = false;
  #startedAt = 0;
  #heardAt = 0;
  #reportedAt = 0;
  #since: Date | null = null;
  #quickEnds = 0;
  #starts = 0;
  #message: string | null = null;
  #isClosed = false;
  #cancelStart: () => void = () => undefined;
  #id = 0;
  readonly #asked = new Map<number, (answer: Answer | null) => void>();
  /** From the last report of its child; null before the first. */
  report: Report | null = null;
  metrics: readonly Metric[] | null = null;

  constructor(number: number, options: SlotOptions) {
    this.number = number;
    this.#options = options;
  }

  get isServing(): boolean {
    return this.#isServing;
  }

  get isEmpty(): boolean {
    return this.#child === null;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  /** When the child in it began to serve. */
  get since(): Date | null {
    return this.#since;
  }

  get restarts(): number {
    return Math.max(0, this.#starts - 1);
  }

  /** Starts a process in it. */
  start(): void {
    if (this.#isClosed || this.#child !== null) return;
    this.#starts += 1;
    this.#startedAt = this.#heardAt = this.#options.clock.now();
    this.#message = null;
    const child = Bun.spawn([process.execPath, ...process.execArgv, MAIN, CHILD], {
      // Without binary forms: what is said is text and small numbers, and JSON takes a third of the time.
      serialization: 'json',
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (message) => {
        this.#take(message);
      },
      onExit: (_, code, signal) => {
        this.#end({ code, signal: signal === null ? null : String(signal), message: this.#message });
      },
    });
    this.#child = child;
    this.send(this.#options.start(this.number));
  }

  /** Says something, if there is anybody. */
  send(message: ToChild): void {
    // A child that has just ended has closed its end of the pipe.
    if (this.#child?.killed === false && this.#child.exitCode === null) this.#child.send(message);
  }

  /** Asks something. @returns the answer; null where the child ends before, or does not answer within `msMax`. */
  async ask<K extends keyof AnswerTo>(question: Asked<K>, msMax: number): Promise<AnswerOf<K> | null> {
    if (this.#child === null) return null;
    this.#id += 1;
    const id = this.#id;
    const { promise, resolve } = Promise.withResolvers<Answer | null>();
    this.#asked.set(id, resolve);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a question is one with its id
    this.send({ ...question, id } as unknown as ToChild);
    const answer = await within(msMax, promise, this.#options.clock);
    this.#asked.delete(id);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- by its id it is the answer to this question
    return answer === LATE ? null : (answer as AnswerOf<K> | null);
  }

  /** The latest report, if it is at most so old. */
  reportWithin(msMax: number): Report | null {
    return this.#options.clock.now() - this.#reportedAt <= msMax ? this.report : null;
  }

  /** Ends a child that has hung up; another one is started then. @returns true where there was one. */
  endSilent(): boolean {
    if (this.#child === null) return false;
    const silentMs = this.#options.clock.now() - this.#heardAt;
    if (silentMs < (this.#isServing ? PROCESS_SILENT_MS_MAX : PROCESS_START_MS_MAX)) return false;
    this.#child.kill('SIGKILL');
    return true;
  }

  /** Has the child end once its requests are answered; no other is started. */
  stop(): void {
    this.#isClosed = true;
    this.#cancelStart();
    this.send({ kind: 'stop' });
  }

  /** Ends the child at once; no other is started. */
  kill(): void {
    this.#isClosed = true;
    this.#cancelStart();
    this.#child?.kill('SIGKILL');
  }

  #take(sent: unknown): void {
    const message = readToParent(sent);
    if (message === null) {
      this.#options.onStrange(this);
      return;
    }
    this.#heardAt = this.#options.clock.now();
    switch (message.kind) {
      case 'listening':
        this.#isServing = true;
        this.#since = this.#options.clock.date();
        this.#options.onListening(this);
        return;
      case 'failed':
        this.#message = message.message;
        this.#child?.kill('SIGKILL');
        return;
      case 'report':
        this.report = message;
        this.#reportedAt = this.#heardAt;
        this.#options.onReport(message);
        return;
      case 'counts':
      case 'permit_wanted':
      case 'permit_returned':
        this.#options.onMessage(this, message);
        return;
      case 'changed':
      case 'covered':
      case 'metrics':
      case 'searched':
        this.#asked.get(message.id)?.(message);
    }
  }

  #end(end: End): void {
    const livedMs = this.#options.clock.now() - this.#startedAt;
    this.#child = null;
    this.#isServing = false;
    this.#since = null;
    this.report = null;
    for (const answer of this.#asked.values()) answer(null);
    this.#quickEnds = livedMs < PROCESS_LIFE_MS_MIN ? this.#quickEnds + 1 : 0;
    const delayMs = this.#isClosed ? null : delayAfter(this.#quickEnds);
    this.#options.onEnd(this, end, delayMs);
    if (delayMs === null) return;
    this.#cancelStart = this.#options.clock.after(delayMs, () => {
      this.start();
    });
  }
}

/** At once after one quick end, and twice as long after each more. */
function delayAfter(quickEnds: number): number {
  if (quickEnds < 2) return 0;
  return Math.min(PROCESS_BACK_OFF_MS_MAX, PROCESS_BACK_OFF_MS_MIN * 2 ** (quickEnds - 2));
}
