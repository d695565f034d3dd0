import type { Asker } from '../../src/engine/asker.ts';
import type { BaseActor } from '../../src/engine/base-actor.ts';
import type { BaseReply, BaseRequest, Unbudgeted } from '../../src/engine/messages.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import type { Abandonment } from '../../src/clock.ts';
import type { Base } from '../../src/contract/vocabulary.ts';
import type { EventClock } from './simulation-clock.ts';
import type { CoverageWatch } from './simulation-coverage.ts';
import { rowOf } from './simulation-model.ts';

/** How long after its deadline an answer may still come. */
export const GRACE_MS = 50;

/** The parts of the simulated world that the checks need. */
interface Surroundings {
  readonly clock: EventClock;
  readonly coverageWatch: Pick<CoverageWatch, 'onCover'>;
  readonly violation: (message: string) => void;
  trace(line: () => string): void;
}

/** Wraps base actors, and checks that each request to them ends in time and with an allowed outcome. */
export class AskWatch {
  readonly #world: Surroundings;
  readonly #deadlines = new WeakMap<object, number>();
  #open = 0;

  constructor(world: Surroundings) {
    this.#world = world;
  }

  /** Requests that have not ended. */
  get open(): number {
    return this.#open;
  }

  /** Deadline of a request that has reached a port. */
  deadlineOf(request: BaseRequest): number | undefined {
    const mark = markOf(request);
    return mark === null ? undefined : this.#deadlines.get(mark);
  }

  /** The actor with a checked `ask`; pages made of its answers are checked too. */
  around(base: Base, actor: BaseActor): BaseActor {
    const ask = async (request: Unbudgeted<BaseRequest>, deadline: number, asker: Asker = {}) => {
      const message: BaseRequest = { ...request, budget_ms: Math.max(0, deadline - this.#world.clock.now()) };
      const left = this.#noteLeaving(asker.abandoned);
      const until = this.#begin(base, message);
      const outcome = await actor.ask(request, deadline, asker);
      left.cancel();
      this.#checkLeft(base, left.at(), outcome);
      this.#end(base, message, until, outcome);
      return outcome;
    };
    return new Proxy(actor, {
      get: (target, name): unknown => {
        if (name === 'ask') return ask;
        const found: unknown = Reflect.get(target, name, target);
        return typeof found === 'function' ? (found.bind(target) as unknown) : found;
      },
    });
  }

  /** When the sender left; null while it waits. */
  #noteLeaving(abandoned: Abandonment | undefined) {
    const { clock } = this.#world;
    let at = abandoned?.aborted === true ? clock.now() : null;
    const note = () => (at = clock.now());
    abandoned?.addEventListener('abort', note);
    return { at: () => at, cancel: () => abandoned?.removeEventListener('abort', note) };
  }

  /** A request ends as abandoned at once if its sender has left, and only then. */
  #checkLeft(base: Base, leftAt: number | null, outcome: Outcome<BaseReply>): void {
    const { clock, violation } = this.#world;
    const isAbandoned = !outcome.ok && outcome.failure === 'abandoned';
    if (isAbandoned && leftAt === null) violation(`${base}: an ask was abandoned by nobody`);
    if (leftAt !== null && clock.now() > leftAt) violation(`${base}: an abandoned ask went on`);
  }

  #begin(base: Base, message: BaseRequest): number {
    const until = this.#world.clock.now() + message.budget_ms;
    const mark = markOf(message);
    if (mark !== null) this.#deadlines.set(mark, until);
    if (message.kind === 'cover') this.#world.coverageWatch.onCover(base, message.above, 'asked');
    this.#open += 1;
    return until;
  }

  #end(base: Base, message: BaseRequest, until: number, outcome: Outcome<BaseReply>): void {
    this.#open -= 1;
    this.#world.trace(() => `${base}: ${message.kind} ends with ${outcome.ok ? 'a reply' : outcome.failure}`);
    const late = this.#world.clock.now() - until;
    if (late > GRACE_MS)
      this.#world.violation(`${base}: an ask of kind ${message.kind} ended ${late} ms late`);
    if (message.kind === 'cover') this.#world.coverageWatch.onCover(base, message.above, outcome);
    if (!outcome.ok) return;
    const { value } = outcome;
    if (value.kind !== message.kind) {
      this.#world.violation(`${base}: ${message.kind} was answered with ${value.kind}`);
    } else if (message.kind === 'read' && value.kind === 'read') {
      const { object, doc_ids } = message;
      const isOurs = value.rows.every(
        (row, at) => row === null || row === rowOf(object, base, doc_ids[at] ?? 0),
      );
      if (!isOurs) this.#world.violation(`${base}: the rows of another request (${value.rows.join(', ')})`);
    }
  }
}

/** An object of the request that survives copies of the rest, so that it identifies the request; none in a slice. */
export function markOf(request: BaseRequest): object | null {
  if (request.kind === 'search') return request.filter;
  return request.kind === 'read' ? request.doc_ids : null;
}
