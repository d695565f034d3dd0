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
import type { AnswerTo, Asked, Metric, QuestionKind, Report, Start, ToChild, ToParent } from './messages.ts';

const MAIN = join(import.meta.dirname, '../main.ts');

/** How a child ended: by itself, by a signal, or before it served, with the reason that it gave. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly reason: string | null;
}

export interface SlotOptions {
  readonly clock: Clock;
  readonly start: (process: number) => Start;
  /** Called with each message that is no answer. */
  readonly onMessage: (slot: Slot, message: ToParent) => void;
  /** Called with each end. @param delayMs until the next child is started; null if none is. */
  readonly onEnd: (slot: Slot, end: End, delayMs: number | null) => void;
}

type Answer = AnswerTo<QuestionKind>;

/** One place among the children: when the process in it ends, another one is started. */
export class Slot {
  readonly number: number;
  readonly #options: SlotOptions;
  #child: Bun.Subprocess | null = null;
  #startedAt = 0;
  #heardAt = 0;
  #quickEnds = 0;
  #starts = 0;
  #reason: string | null = null;
  #isClosed = false;
  #cancelStart: () => void = () => undefined;
  #id = 0;
  readonly #asked = new Map<number, (answer: Answer | null) => void>();
  /** When the child began to serve; null before that. */
  since: Date | null = null;
  /** The latest of its child; null before the first. */
  report: Report | null = null;
  metrics: readonly Metric[] | null = null;

  constructor(number: number, options: SlotOptions) {
    this.number = number;
    this.#options = options;
  }

  get pid(): number | null {
    return this.#child?.pid ?? null;
  }

  get restarts(): number {
    return Math.max(0, this.#starts - 1);
  }

  start(): void {
    if (this.#isClosed || this.#child !== null) return;
    this.#starts += 1;
    this.#startedAt = this.#heardAt = this.#options.clock.now();
    this.#reason = null;
    this.#child = Bun.spawn([process.execPath, ...process.execArgv, MAIN, 'child'], {
      // Messages are text and small numbers: JSON takes a third of the time of the binary form.
      serialization: 'json',
      stdio: ['ignore', 'inherit', 'inherit'],
      ipc: (message: ToParent) => {
        this.#take(message);
      },
      onExit: (_, code, signal) => {
        this.#end({ code, signal: signal === null ? null : String(signal), reason: this.#reason });
      },
    });
    this.send(this.#options.start(this.number));
  }

  /** A message to no child is lost. */
  send(message: ToChild): void {
    // A child that has just ended has closed its end of the pipe.
    if (this.#child?.killed === false && this.#child.exitCode === null) this.#child.send(message);
  }

  /** @returns null if the child ends before it answers, or does not answer within `msMax`. */
  async ask<K extends QuestionKind>(question: Asked<K>, msMax: number): Promise<AnswerTo<K> | null> {
    if (this.#child === null) return null;
    this.#id += 1;
    const id = this.#id;
    const { promise, resolve } = Promise.withResolvers<AnswerTo<K> | null>();
    this.#asked.set(id, resolve);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a question is one with its id
    this.send({ ...question, id } as unknown as ToChild);
    const answer = await within(msMax, promise, this.#options.clock);
    this.#asked.delete(id);
    return answer === LATE ? null : answer;
  }

  /** The latest report of a child that was silent for at most so long. */
  reportWithin(msMax: number): Report | null {
    return this.#options.clock.now() - this.#heardAt <= msMax ? this.report : null;
  }

  /** Ends a child that hangs; another one is started then. @returns true if it did. */
  endSilent(): boolean {
    if (this.#child === null) return false;
    const silentMs = this.#options.clock.now() - this.#heardAt;
    if (silentMs < (this.since === null ? PROCESS_START_MS_MAX : PROCESS_SILENT_MS_MAX)) return false;
    this.#child.kill('SIGKILL');
    return true;
  }

  /** Has the child end once its requests are answered; no other is started. */
  stop(): void {
    this.#isClosed = true;
    this.#cancelStart();
    this.send({ kind: 'stop' });
  }

  /** As `stop`, at once. */
  kill(): void {
    this.stop();
    this.#child?.kill('SIGKILL');
  }

  #take(message: ToParent): void {
    this.#heardAt = this.#options.clock.now();
    if (message.kind === 'answer') {
      this.#asked.get(message.id)?.(message.answer);
      return;
    }
    if (message.kind === 'listening') this.since = this.#options.clock.date();
    if (message.kind === 'failed') {
      this.#reason = message.message;
      this.#child?.kill('SIGKILL');
    }
    if (message.kind === 'report') this.report = message;
    this.#options.onMessage(this, message);
  }

  #end(end: End): void {
    const livedMs = this.#options.clock.now() - this.#startedAt;
    this.#child = null;
    this.since = null;
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
