import { BASES, type Base } from '../contract/vocabulary.ts';
import type { AskedBase, Unbudgeted } from '../engine/base-actor.ts';
import type { Clock } from '../clock.ts';
import type { BaseReply, BaseRequest } from '../engine/messages.ts';
import { failed, type Outcome } from '../engine/outcome.ts';
import type { Step } from '../engine/steps.ts';
import { PageEnd } from '../search/page-end.ts';
import { lastToken, type Bus, type BusMessage } from './bus.ts';
import {
  HEARTBEAT_MANY_MS,
  HEARTBEAT_MS,
  HEARTBEAT_NODES_MAX,
  VERSION,
  readAsks,
  readCancel,
  type Answer,
  type Answers,
  type Ask,
  type Beat,
  type Heartbeat,
} from './messages.ts';
import type { TakenSettings } from './settings.ts';
import { askSubject, cancelSubject, heartbeatSubject, helloSubject, replySubject } from './subjects.ts';

/** A node asked for a heartbeat waits this long for more fronts to ask. */
const HELLO_MS = 20;
/** A search's answers wait this long to be sent in one message. */
const ANSWERS_GATHER_MS = 2;

export interface NodeListenerOptions {
  readonly bus: Bus;
  readonly clock: Clock;
  readonly bases: ReadonlyMap<Base, Pick<AskedBase, 'ask' | 'status' | 'isCongestedFor'>>;
  /** Results of applying the cluster's settings on this node. */
  readonly settings?: TakenSettings;
  readonly nodeCount: () => number;
  /** Called for an invalid message, a request that threw, and an answer that cannot be sent. */
  readonly onFault: (event: string, detail: Record<string, unknown>) => void;
}

/** The requests in a message, and their answers. */
interface Batch {
  readonly reply: string;
  /** Running requests. */
  open: number;
  answers: Answer[];
  /** Set while answers wait to be sent together. */
  cancelSend: (() => void) | null;
}

/** Answers requests with the node's base actors, and reports the bases' state in heartbeats. */
export class NodeListener {
  readonly #options: NodeListenerOptions;
  /** Running requests, by inbox and id: a front may cancel them. */
  readonly #open = new Map<string, PageEnd>();
  /** Answers waiting to be sent together. */
  #gathered = 0;
  #isStopping = false;
  #cancelBeat: () => void = () => undefined;
  #isBeatDue = false;
  #connectedAt = 0;

  constructor(options: NodeListenerOptions) {
    this.#options = options;
  }

  start(): void {
    const { bus, clock } = this.#options;
    bus.subscribe(askSubject(bus.name, '*'), this.#take);
    bus.subscribe(cancelSubject(bus.name, '*'), this.#cancel);
    bus.subscribe(helloSubject('*'), this.#beatSoon);
    bus.onChange((isConnected) => {
      if (!isConnected) return;
      this.#connectedAt = clock.now();
      this.report();
    });
    this.#connectedAt = clock.now();
    this.report();
  }

  /** Tells fronts that this node stops; it still answers earlier requests. */
  stop(): void {
    this.#isStopping = true;
    this.report();
  }

  /** @returns true while a front waits for an answer. */
  get isBusy(): boolean {
    return this.#open.size > 0 || this.#gathered > 0;
  }

  close(): void {
    this.#cancelBeat();
    this.#isStopping = true;
  }

  readonly #take = (message: BusMessage): void => {
    const { reply = '', subject } = message;
    // Only for the front that asks.
    const isItsOwn = reply.startsWith(replySubject(lastToken(subject), this.#options.bus.name, ''));
    const asks = isItsOwn ? readAsks(message.string()) : null;
    if (asks === null) {
      this.#options.onFault('message not understood', { subject });
      return;
    }
    const batch: Batch = { reply, open: asks.length, answers: [], cancelSend: null };
    for (const ask of asks) void this.#serve(ask, batch);
  };

  async #serve(ask: Ask, batch: Batch): Promise<void> {
    const answer = await this.#answerTo(ask, inboxOf(batch.reply));
    batch.open -= 1;
    if (answer !== null) {
      batch.answers.push(answer);
      this.#gathered += 1;
    }
    this.#sendSoon(batch);
  }

  /** @returns null for a request that is running already. */
  async #answerTo(ask: Ask, inbox: string): Promise<Answer | null> {
    const key = keyOf(inbox, ask.id);
    // Sent again after a lost connection: the first request will answer.
    if (this.#open.has(key)) return null;
    const end = new PageEnd();
    this.#open.set(key, end);
    const steps: Step[] = [];
    const outcome = await this.#outcomeOf(ask, end, steps);
    this.#open.delete(key);
    const { queueMs = 0, runMs = 0, cached = false } = steps.at(-1) ?? {};
    const times = { queue_ms: Math.max(0, queueMs), run_ms: Math.max(0, runMs) };
    return { id: ask.id, outcome: end.aborted ? failed('abandoned') : outcome, ...times, cached };
  }

  async #outcomeOf(
    { base, asker, anew, generation_min, request, traceparent }: Ask,
    end: PageEnd,
    steps: Step[],
  ): Promise<Outcome<BaseReply>> {
    const actor = this.#options.bases.get(base);
    if (actor === undefined) return failed('unavailable', 'this node does not serve the base');
    try {
      const { budget_ms, ...asked } = request;
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a request without its budget
      const unbudgeted = asked as Unbudgeted<BaseRequest>;
      const outcome = await actor.ask(unbudgeted, budget_ms, {
        ...(asker !== undefined && { id: asker }),
        abandoned: end,
        steps,
        isAnew: anew,
      });
      const isOld = outcome.ok && outcome.value.generation < generation_min;
      return isOld ? failed('unavailable', 'older data than asked for') : outcome;
    } catch (error) {
      this.#options.onFault('request failed', { base, traceparent, err: error });
      return failed('unavailable', String(error));
    }
  }

  /** A search needs all bases, so their answers go together, but wait only briefly for a slow base. */
  #sendSoon(batch: Batch): void {
    if (batch.answers.length === 0) return;
    if (batch.open === 0) this.#send(batch);
    else
      batch.cancelSend ??= this.#options.clock.after(ANSWERS_GATHER_MS, () => {
        this.#send(batch);
      });
  }

  #send(batch: Batch): void {
    const { answers } = batch;
    batch.cancelSend?.();
    batch.cancelSend = null;
    batch.answers = [];
    this.#gathered -= answers.length;
    this.#publish(batch.reply, answers);
  }

  /** Sends answers one by one if together they exceed the servers' limit; an answer that alone exceeds it fails. */
  #publish(reply: string, answers: readonly Answer[]): void {
    const { bus, onFault } = this.#options;
    const message: Answers = { v: VERSION, late: this.#lateBases(), answers: [...answers] };
    try {
      bus.publish(reply, JSON.stringify(message));
    } catch (error) {
      if (answers.length > 1) {
        for (const answer of answers) this.#publish(reply, [answer]);
        return;
      }
      onFault('answer not sent', { err: error });
      const [large] = answers;
      if (large?.outcome.ok === true)
        this.#publish(reply, [{ ...large, outcome: failed('unavailable', 'answer too large') }]);
    }
  }

  readonly #cancel = (message: BusMessage): void => {
    const cancel = readCancel(message.string());
    if (cancel === null) return;
    const inbox = replySubject(lastToken(message.subject), this.#options.bus.name, cancel.instance);
    for (const id of cancel.ids) this.#open.get(keyOf(inbox, id))?.abort();
  };

  /** Sends a heartbeat now, and from then on at intervals. */
  readonly report = (): void => {
    const { bus, clock, bases, nodeCount, settings } = this.#options;
    this.#cancelBeat();
    const every_ms = nodeCount() > HEARTBEAT_NODES_MAX ? HEARTBEAT_MANY_MS : HEARTBEAT_MS;
    const late = this.#lateBases();
    const beats: Partial<Record<Base, Beat>> = {};
    for (const [base, actor] of bases) {
      const refused = settings?.refused.get(base) ?? [];
      const isLate = late.includes(base);
      beats[base] = { status: actor.status(), late: isLate, ...(refused.length > 0 && { refused }) };
    }
    const heartbeat: Heartbeat = {
      v: VERSION,
      stopping: this.#isStopping,
      every_ms,
      connected_at: this.#connectedAt,
      settings_to: settings?.to ?? 0,
      bases: beats,
    };
    bus.publish(heartbeatSubject(bus.name), JSON.stringify(heartbeat));
    this.#cancelBeat = clock.after(every_ms, this.report);
  };

  /** One heartbeat for all fronts that just connected. */
  readonly #beatSoon = (): void => {
    if (this.#isBeatDue) return;
    this.#isBeatDue = true;
    this.#options.clock.after(HELLO_MS, () => {
      this.#isBeatDue = false;
      this.report();
    });
  };

  #lateBases(): Base[] {
    const { bases } = this.#options;
    return BASES.filter((base) => bases.get(base)?.isCongestedFor() === true);
  }
}

/** The part of a reply subject that a front's requests share. */
function inboxOf(reply: string): string {
  return reply.slice(0, -lastToken(reply).length - 1);
}

function keyOf(inbox: string, id: number): string {
  return `${inbox} ${id}`;
}
