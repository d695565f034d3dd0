import type { Windows } from '../../src/search/supervisor.ts';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import { Rng } from '../../src/tools/demo/rng.ts';
import { CursorCodec } from '../../src/query/cursor.ts';
import { buildActors, type Actors, type BaseParts } from './simulation-actors.ts';
import { AskWatch } from './simulation-asks.ts';
import { EventClock } from './simulation-clock.ts';
import { CoverageWatch } from './simulation-coverage.ts';
import { ModelBase } from './simulation-model.ts';
import { moodOf, steadyMoodOf } from './simulation-moods.ts';
import { FakePort } from './simulation-port.ts';
import { QuotaWatch } from './simulation-quota.ts';

const SECRET = new Uint8Array(32).fill(7);
const DEFAULT_WINDOWS: Windows = { relevance_ms: 1_500, recency_ms: 1_000, count_ms: 150, record_ms: 2_000 };
/** With these windows a base that is honest and not slow answers all the simulation's requests in time. */
const WINDOW_MS_ENOUGH = 200;
const QUEUE_ENOUGH = 50;
/** The longest time that a port keeps a batch. */
const DROPPED_MS = 41_000;
const QUEUES = [1, 2, 4, 50, 1_000] as const;
const HOW_MANY_BASES = [1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 6] as const;
const MIDNIGHT = Date.parse('2026-03-11T00:00:00Z');
const HOUR_MS = 3_600_000;
/** When the traffic begins: at the start, sometime before the first coverage, or exactly with it. */
const STARTS = [0, 120_000, 297_000, 299_900] as const;

export interface WorldOptions {
  readonly seed: number;
  readonly coverageFile: string;
  /** Receives each event, for looking at a single schedule. */
  readonly trace?: ((line: string) => unknown) | undefined;
}

/** A base as the world outside the actors knows it. */
export interface Place {
  readonly model: ModelBase;
  readonly port: FakePort;
  /** A base that never fails and is never slow must always answer, whatever happens to the others. */
  readonly isSteady: boolean;
  readonly parts: BaseParts;
}

/** Everything in one schedule: clock, models, ports, real actors, and the violations found. */
export class World {
  readonly rng: Rng;
  readonly clock: EventClock;
  readonly startsAt: number;
  readonly stormMs: number;
  /** When the ports become honest, and when nothing of their earlier behaviour is left. */
  readonly restAt: number;
  readonly restedAt: number;
  /** In a calm world every base is steady. */
  readonly isCalm: boolean;
  /** Whether bases probe themselves each second; not in every world, because a day has very many seconds. */
  readonly isWatched: boolean;
  readonly places = new Map<Base, Place>();
  readonly asks: AskWatch;
  readonly coverageWatch: CoverageWatch;
  readonly actors: Actors;
  readonly quota: QuotaWatch;
  readonly cursors = new CursorCodec(SECRET);
  readonly violations: string[] = [];
  readonly #options: WorldOptions;

  constructor(options: WorldOptions) {
    this.#options = options;
    const rng = new Rng(options.seed);
    this.rng = rng;
    this.isCalm = rng.chance(0.1);
    this.isWatched = rng.chance(0.05);
    this.startsAt = rng.pick(STARTS);
    this.stormMs = rng.between(500, 8_000);
    this.restAt = this.startsAt + this.stormMs;
    this.restedAt = this.restAt + DROPPED_MS;
    // Half of the schedules have midnight in the middle of their traffic.
    const midnightAt =
      this.startsAt + rng.below(this.stormMs) + (rng.chance(0.5) ? 0 : rng.below(24) * HOUR_MS);
    this.clock = new EventClock(rng, MIDNIGHT - midnightAt);
    const models = new Map<Base, ModelBase>();
    this.coverageWatch = new CoverageWatch(models, this.clock, this.violation);
    this.asks = new AskWatch(this);
    for (const base of someOf(BASES, rng.pick(HOW_MANY_BASES), rng)) {
      const place = this.#place(base);
      this.places.set(base, place);
      models.set(base, place.model);
    }
    this.actors = buildActors({
      clock: this.clock,
      bases: new Map([...this.places].map(([base, { parts }]) => [base, parts])),
      coverageFile: options.coverageFile,
      log: (event, detail) => {
        this.trace(() => `${event} ${JSON.stringify(detail)}`);
      },
      around: (base, actor) => this.asks.around(base, actor),
    });
    this.quota = new QuotaWatch(this.actors.quota, this.clock, this.violation);
  }

  readonly violation = (message: string): void => {
    this.trace(() => `VIOLATION ${message}`);
    this.violations.push(`at ${this.clock.now()} ms: ${message}`);
  };

  trace(line: () => string): void {
    this.#options.trace?.(`${this.clock.now()} ms: ${line()}`);
  }

  place(base: Base): Place {
    const place = this.places.get(base);
    if (place === undefined) throw new Error(`no base ${base} in this world`);
    return place;
  }

  oldestGeneration(base: Base): number {
    return this.place(base).model.generation;
  }

  /** Whether a base that is asked now must answer: it is steady, or the disturbance is over and it has enough time. */
  mustAnswer(base: Base): boolean {
    const { isSteady, parts } = this.place(base);
    const { relevance_ms, recency_ms } = parts.windows;
    const hasTime = Math.min(relevance_ms, recency_ms) >= WINDOW_MS_ENOUGH && parts.queueMax >= QUEUE_ENOUGH;
    return isSteady || (hasTime && this.clock.now() >= this.restedAt);
  }

  #place(base: Base): Place {
    const { rng, clock } = this;
    const isSteady = this.isCalm || rng.chance(0.2);
    const size = rng.chance(0.1) ? 0 : rng.chance(0.8) ? rng.between(1, 12) : rng.between(12, 40);
    const model = new ModelBase(base, rng, size);
    const threads = rng.between(1, 3);
    const port = new FakePort({
      model,
      clock,
      rng,
      threads,
      statesUnnamed: rng.pick([0, 0, 0, 0.3, 1]),
      deadlineOf: (request) => this.asks.deadlineOf(request),
      onViolation: this.violation,
    });
    port.mood = isSteady ? steadyMoodOf(rng) : moodOf(rng);
    const queueMax = isSteady ? 1_000 : rng.pick(QUEUES);
    const parts = {
      port,
      threads,
      queueMax,
      windows: windowsOf(rng, isSteady),
    };
    return { model, port, isSteady, parts };
  }
}

/** A random part of a list, in its order. */
export function someOf<T>(list: readonly T[], count: number, rng: Rng): T[] {
  const left = [...list];
  while (left.length > count) left.splice(rng.below(left.length), 1);
  return left;
}

function windowsOf(rng: Rng, isSteady: boolean): Windows {
  if (isSteady || rng.chance(0.4)) return DEFAULT_WINDOWS;
  return {
    relevance_ms: rng.between(1, 1_500),
    recency_ms: rng.between(1, 1_000),
    count_ms: rng.below(151),
    record_ms: rng.between(1, 2_000),
  };
}
