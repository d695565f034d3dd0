import type {
  BaseReply,
  BaseRequest,
  CoverReply,
  SearchReply,
  SearchRequest,
} from '../../src/engine/messages.ts';
import { done, failed, type Outcome } from '../../src/engine/outcome.ts';
import type { BasePort, FileState, Ran } from '../../src/engine/port.ts';
import type { Abandonment } from '../../src/clock.ts';
import { TIPOS } from '../../src/contract/vocabulary.ts';
import type { Rng } from '../../src/tools/demo/rng.ts';
import { emptySlice } from './empty-slice.ts';
import { markOf } from './simulation-asks.ts';
import type { EventClock } from './simulation-clock.ts';
import { firstPosition, isOfOrder, rowOf, type ModelBase } from './simulation-model.ts';
import { CALM, type Mood } from './simulation-moods.ts';

type Outcomes = Ran[];
/** How a request ends: with an outcome computed when its batch runs, or one decided beforehand. */
type Fate = { readonly run: BaseRequest; readonly countIn: boolean } | Ran;

/** As in the real handler: a batch that runs longer than this returns its other requests. */
const BATCH_MS_MAX = 5;
const BATCH_SIZE_MAX = 16;
const COUNT_STOP = 1_001;
const FAILURES = ['unavailable', 'unavailable', 'overloaded', 'deadline', 'kind'] as const;

/** What a port reads. */
export type Held = Pick<
  ModelBase,
  'base' | 'generation' | 'last' | 'df' | 'matches' | 'ranked' | 'newest' | 'slice'
>;

export interface FakePortOptions {
  readonly model: Held;
  readonly clock: EventClock;
  readonly rng: Rng;
  readonly threads: number;
  /** The fraction of answers without their data version. */
  readonly statesUnnamed: number;
  /** The deadline of a request's sender; undefined if unknown. */
  readonly deadlineOf: (request: BaseRequest) => number | undefined;
  /** Called with each request that the actor should not have sent. */
  readonly onViolation: (message: string) => void;
}

/**
 * A port that answers from a model, well or badly by its mood. In a calm mood each request is answered within its
 * budget, or with `deadline` at its end, one after another as in a thread.
 */
export class FakePort implements BasePort {
  readonly #options: FakePortOptions;
  mood: Mood = CALM;
  /** True while the file is moved away. */
  isGone = false;
  /** When it last answered. */
  answeredAt = Number.NEGATIVE_INFINITY;
  #underWay = 0;
  /** Marks of the running requests. */
  readonly #running = new Set<object>();

  constructor(options: FakePortOptions) {
    this.#options = options;
  }

  run(batch: readonly BaseRequest[], abandoned?: Abandonment): Promise<Outcomes> {
    this.#inspect(batch);
    const { rng } = this.#options;
    if (rng.chance(this.mood.breaking / 3)) throw new Error('the port is broken');
    const marks = batch.map(markOf).filter((mark) => mark !== null);
    this.#underWay += 1;
    for (const mark of marks) this.#running.add(mark);
    return this.#serve(batch, abandoned).finally(() => {
      this.#underWay -= 1;
      for (const mark of marks) this.#running.delete(mark);
    });
  }

  checkFile(): Promise<FileState> {
    return Promise.resolve(
      this.isGone ? { fault: 'gone', identity: '' } : { fault: null, identity: 'a file' },
    );
  }

  close(): Promise<void> {
    return Promise.resolve();
  }

  async #serve(batch: readonly BaseRequest[], abandoned: Abandonment | undefined): Promise<Outcomes> {
    const { rng } = this.#options;
    const { fates, ms } = this.#plan(batch);
    // Half of the batches read the base at their start, half at their end.
    const early = rng.chance(0.5) ? this.#answers(fates) : null;
    const breaks = rng.chance(this.mood.breaking / 2);
    const wait = ms + this.#lateness();
    if (wait > 0 && (await this.#isAbandoned(wait, abandoned))) return batch.map(() => failed('deadline'));
    if (breaks && rng.chance(0.5)) throw new Error('the connection is gone');
    const answers = early ?? this.#answers(fates);
    if (answers.some((answer) => answer?.ok === true)) this.answeredAt = this.#options.clock.now();
    return breaks ? answers.slice(0, rng.below(answers.length)) : answers;
  }

  /** Waits until the time is over or every sender has left; a port may also ignore that they left. */
  #isAbandoned(ms: number, abandoned: Abandonment | undefined): Promise<boolean> {
    const { rng, clock } = this.#options;
    return new Promise((resolve) => {
      const cancel = clock.after(ms, () => {
        resolve(false);
      });
      if (abandoned === undefined || rng.chance(0.5)) return;
      abandoned.addEventListener('abort', () => {
        cancel();
        resolve(true);
      });
    });
  }

  #lateness(): number {
    const { rng } = this.#options;
    if (rng.chance(this.mood.dropping)) return rng.between(20_000, 40_000);
    return rng.chance(this.mood.late) ? rng.between(1, 400) : 0;
  }

  #plan(batch: readonly BaseRequest[]): { fates: Fate[]; ms: number } {
    const { rng } = this.#options;
    let ms = 0;
    const fates = batch.map((request, at): Fate => {
      if (this.isGone) return failed('unavailable', 'gone');
      // Only a bad port returns the first request, and only after some time: else it would be returned without end.
      const givesBack = this.mood.givingBack / (at > 0 ? 1 : 4);
      if ((at > 0 && ms > BATCH_MS_MAX) || rng.chance(givesBack)) {
        ms += at > 0 ? 0 : 1;
        return null;
      }
      if (rng.chance(this.mood.failing)) {
        ms += 1 + rng.below(4);
        return this.#failure(request);
      }
      const cost = this.#cost(request);
      const work = request.work_ms ?? Number.POSITIVE_INFINITY;
      if (cost > Math.min(work, request.budget_ms - ms)) {
        // Known beforehand or found while it runs.
        const taken = Number.isFinite(work) && rng.chance(0.5) ? 0 : work;
        const end = Math.max(ms, Math.min(request.budget_ms, ms + taken));
        const isInTime = end < request.budget_ms;
        ms = end;
        return isInTime
          ? { ok: false, failure: 'expensive', cost_ms: taken === 0 ? cost : taken }
          : failed('deadline');
      }
      ms += cost;
      if (request.kind !== 'search' || request.count_ms === null) return { run: request, countIn: true };
      const count = rng.below(this.mood.count + 1);
      const most = Math.floor(Math.min(work, request.count_ms, (request.budget_ms - ms) / 2));
      ms += Math.min(count, most);
      return { run: request, countIn: count <= most };
    });
    return { fates, ms };
  }

  #cost(request: BaseRequest): number {
    const { rng } = this.#options;
    const { relevance, recency, read, cover } = this.mood;
    const most =
      request.kind === 'read'
        ? read
        : request.kind === 'cover' || request.kind === 'near'
          ? cover
          : request.ordem === 'relevancia'
            ? relevance
            : recency;
    // Expensive and cheap requests of one kind occur together.
    return rng.below((rng.chance(0.3) ? Math.min(most, 12) : most) + 1);
  }

  #failure({ kind }: BaseRequest): Outcome<BaseReply> {
    const failure = this.#options.rng.pick(FAILURES);
    if (failure !== 'kind') return failed(failure, 'made up');
    const { generation } = this.#options.model;
    return kind === 'read'
      ? done({ ...emptySlice(generation), to: null })
      : done({ kind: 'read', rows: [], generation, docs: 0 });
  }

  #answers(fates: readonly Fate[]): Outcomes {
    return fates.map((fate) => {
      if (fate === null || 'ok' in fate) return fate;
      const { run, countIn } = fate;
      if (run.kind === 'search') return done(this.#search(run, countIn));
      if (run.kind === 'near') return failed('unavailable', 'no words in this model');
      return done(run.kind === 'read' ? this.#read(run) : this.#cover(run.above, run.rows_max));
    });
  }

  #search(request: SearchRequest, countIn: boolean): SearchReply {
    const { model, rng } = this.#options;
    const { generation } = model;
    const { ordem, after, doc_ids_max, count_ms } = request;
    const ranked = after?.ordem === 'relevancia' ? after : firstPosition(model, generation);
    const below = after?.ordem === 'recentes' ? after.below : model.last(generation) + 1;
    const found = ordem === 'relevancia' ? model.ranked(ranked) : model.newest(below);
    const page = found.slice(0, doc_ids_max);
    // A bad port sends fewer rows than requested: the actor fetches the rest.
    const rows = rng.chance(this.mood.breaking / 2) ? rng.below(request.rows_max + 1) : request.rows_max;
    return {
      kind: 'search',
      doc_ids: page.map(({ doc_id }) => doc_id),
      scores: ordem === 'relevancia' ? page.map(({ score }) => score) : null,
      start: ordem === 'relevancia' ? ranked : { ordem: 'recentes', below: below, generation },
      resumos: page.slice(0, rows).map(({ doc_id }) => rowOf('resumo', model.base, doc_id)),
      count: count_ms === null || !countIn ? null : Math.min(model.matches(generation), COUNT_STOP),
      count_ms: 0,
      rows_ms: 0,
      generation,
      docs: model.last(generation),
      ...this.#data_version(),
    };
  }

  #read({ object, doc_ids }: Extract<BaseRequest, { kind: 'read' }>): BaseReply {
    const { model } = this.#options;
    const last = model.last(model.generation);
    const rows = doc_ids.map((doc_id) => (doc_id <= last ? rowOf(object, model.base, doc_id) : null));
    return { kind: 'read', rows, generation: model.generation, docs: last, ...this.#data_version() };
  }

  /** A port may not know its data version, or not always. */
  #data_version(): { data_version?: string } {
    const { model, rng, statesUnnamed } = this.#options;
    return rng.chance(statesUnnamed) ? {} : { data_version: `data_version ${model.generation}` };
  }

  /** A slice may be smaller than asked. */
  #cover(above: number, rowsMax: number): CoverReply {
    const { model, rng } = this.#options;
    const most = Math.min(rowsMax, rng.between(2, 16));
    const slice = model.slice(above, most);
    const dates = (of: 'julgamento' | 'publicacao') =>
      slice.map(({ versao }) => versao[of]).filter((date) => date !== null);
    const types = new Set(slice.map(({ versao }) => versao.tipo));
    return {
      ...emptySlice(model.generation),
      total: slice.length,
      judged_min: least(dates('julgamento')),
      judged_max: greatest(dates('julgamento')),
      published_min: least(dates('publicacao')),
      published_max: greatest(dates('publicacao')),
      types: TIPOS.filter((tipo) => types.has(tipo)),
      to: slice.length < most ? null : (slice.at(-1)?.doc_id ?? null),
    };
  }

  /** The actor sends no more batches than there are threads, and gives no more time than the sender waits. */
  #inspect(batch: readonly BaseRequest[]): void {
    const { threads, clock, onViolation, deadlineOf, model } = this.#options;
    const tell = (message: string) => {
      onViolation(`port of ${model.base}: ${message}`);
    };
    if (this.#underWay >= threads) tell(`a batch beyond its ${threads} threads`);
    if (batch.length < 1 || batch.length > BATCH_SIZE_MAX) tell(`a batch of ${batch.length}`);
    for (const request of batch) {
      const mark = markOf(request);
      if (mark !== null && this.#running.has(mark)) tell(`a ${request.kind} that it is answering already`);
      const left = Math.max(0, (deadlineOf(request) ?? Number.POSITIVE_INFINITY) - clock.now());
      const { budget_ms } = request;
      if (!(budget_ms >= 0 && budget_ms <= left)) tell(`a budget of ${budget_ms} ms with ${left} ms left`);
      if (request.kind === 'search' && !isOfOrder(request.after, request.ordem)) {
        tell(`order ${request.ordem} from a position of the other one`);
      }
    }
  }
}

function least(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.min(...values);
}

function greatest(values: readonly number[]): number | null {
  return values.length === 0 ? null : Math.max(...values);
}
