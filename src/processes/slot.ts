import { join } from 'node:path';
import { LATE, within, type Clock } from '../clock.ts';
import type { ReadMetric } from '../observe/tally-set.ts';
import type { AnswerTo, Asked, QuestionKind, Report, Start, ToChild, ToParent } from './messages.ts';

/** A process that ends sooner counts as a failed start; the next start is then delayed. */
const PROCESS_LIFE_MS_MIN = 10_000;
/** Back-off before such a start: from the first to the second, doubled each time. */
const PROCESS_BACK_OFF_MS_MIN = 250;
const PROCESS_BACK_OFF_MS_MAX = 10_000;
/** A process without a report for this long hangs, and is killed: 40 reports are missing. */
const PROCESS_SILENT_MS_MAX = 10_000;
/** Longest start of a process; it takes 0.3 s, and seconds on an overloaded machine. */
const PROCESS_START_MS_MAX = 60_000;

const MAIN = join(import.meta.dirname, '../main.ts');

/** How a child ended: by itself, by a signal, or before it served, with the reported reason. */
export interface End {
  readonly code: number | null;
  readonly signal: string | null;
  readonly reason: string | null;
}

export interface SlotOptions {
  readonly clock: Clock;
  readonly start: (process: number) => Start;
  /** Called with every message except answers. */
  readonly onMessage: (slot: Slot, message: ToParent) => void;
  /** Called when a child ends. @param delayMs until the next child starts; null if none will. */
  readonly onEnd: (slot: Slot, end: End, delayMs: number | null) => void;
}

type Answer = AnswerTo<QuestionKind>;

/** A place for a child process: when the process ends, a new one starts. */
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
  /** The child's latest report; null before the first. */
  report: Report | null = null;
  metrics: readonly ReadMetric[] | null = null;

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
      // Messages are text and small numbers: JSON takes a third of the binary format's time.
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

  /** Without a child the message is lost. */
  send(message: ToChild): void {
    // A child that just ended has closed the pipe.
    if (this.#child?.killed === false && this.#child.exitCode === null) this.#child.send(message);
  }

  /** @returns null if the child ends first, or no answer comes within `msMax`. */
  async ask<K extends QuestionKind>(question: Asked<K>, msMax: number): Promise<AnswerTo<K> | null> {
    if (this.#child === null) return null;
    this.#id += 1;
    const id = this.#id;
    const { promise, resolve } = Promise.withResolvers<AnswerTo<K> | null>();
    this.#asked.set(id, resolve);
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a question with an id
    this.send({ ...question, id } as unknown as ToChild);
    const answer = await within(msMax, promise, this.#options.clock);
    this.#asked.delete(id);
    return answer === LATE ? null : answer;
  }

  /** The child's latest report; null if it is older than `msMax`. */
  reportWithin(msMax: number): Report | null {
    return this.#options.clock.now() - this.#heardAt <= msMax ? this.report : null;
  }

  /** Kills a hanging child; a new one starts then. @returns true if it did. */
  endSilent(): boolean {
    if (this.#child === null) return false;
    const silentMs = this.#options.clock.now() - this.#heardAt;
    if (silentMs < (this.since === null ? PROCESS_START_MS_MAX : PROCESS_SILENT_MS_MAX)) return false;
    this.#child.kill('SIGKILL');
    return true;
  }

  /** Makes the child end once it has answered all requests; no new child starts. */
  stop(): void {
    this.#isClosed = true;
    this.#cancelStart();
    this.send({ kind: 'stop' });
  }

  /** As `stop`, but immediately. */
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

/** No delay after the first quick end; then a delay that doubles with each further one. */
function delayAfter(quickEnds: number): number {
  if (quickEnds < 2) return 0;
  return Math.min(PROCESS_BACK_OFF_MS_MAX, PROCESS_BACK_OFF_MS_MIN * 2 ** (quickEnds - 2));
}
