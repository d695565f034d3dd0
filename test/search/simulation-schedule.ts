import type { ReadRequest } from '../../src/engine/messages.ts';
import { CoverageActor } from '../../src/search/coverage.ts';
import type { Base } from '../../src/contract/vocabulary.ts';
import { GRACE_MS } from './simulation-asks.ts';
import { rowOf } from './simulation-model.ts';
import { CALM, moodOf } from './simulation-moods.ts';
import { readPages } from './simulation-reader.ts';
import { World, type WorldOptions } from './simulation-world.ts';

const HOUR_MS = 3_600_000;
const LOOK_EVERY_MS = 1_000;
/** How long a base that failed often stays down without a further failure, and one probe more. */
const UP_AGAIN_MS_MAX = 62_000;
const STEPS_HOURS = [-200, -40, -23, -2, -1, 1, 2, 23, 40, 200] as const;
const QUOTA_LIMITS = [0, 1, 4] as const;

export interface ScheduleOptions extends WorldOptions {
  /** Whether another coverage actor reads the stored report at the end; the file must be writable then. */
  readonly restarts: boolean;
}

/**
 * Runs one schedule, which follows from the seed: some seconds of disturbance (readers, records, floods, loads,
 * ports that change their mood, a wall clock that jumps), then rest, in which everything must end.
 * @throws Error with everything that was wrong.
 */
export function runSchedule(options: ScheduleOptions): void {
  const world = new World(options);
  const run = new Schedule(world);
  run.storm();
  run.readToEnd();
  run.coverToEnd();
  run.watchToEnd();
  if (options.restarts) restart(world, options.coverageFile);
  run.close();
  if (world.violations.length > 0) throw new Error(world.violations.join('\n'));
}

class Schedule {
  readonly #world: World;
  /** Running readers and records. */
  #open = 0;

  constructor(world: World) {
    this.#world = world;
  }

  /** Plans the traffic, which starts later. */
  storm(): void {
    const { rng, clock } = this.#world;
    this.#world.actors.coverage.start();
    if (this.#world.isWatched) {
      for (const [base, actor] of this.#world.actors.bases) {
        void actor.open(this.#world.place(base).parts.windows.record_ms);
      }
    }
    const readers = rng.chance(0.7) ? 1 : rng.between(2, 3);
    for (let count = 0; count < readers; count += 1) {
      this.#soon(() => this.#follow(readPages(this.#world)));
    }
    const events = rng.below(6);
    for (let count = 0; count < events; count += 1) this.#soon(this.#event());
    clock.after(this.#world.restAt, () => {
      this.#world.trace(() => 'the storm is over');
      for (const { port, isSteady } of this.#world.places.values()) {
        if (!isSteady) port.mood = CALM;
        port.isGone = false;
      }
    });
  }

  readToEnd(): void {
    const { clock, violation, restAt } = this.#world;
    const until = restAt + HOUR_MS;
    while ((clock.now() < restAt || this.#open > 0) && this.#step(until));
    if (this.#open > 0) violation(`${this.#open} searches or reads never end`);
  }

  /** Until the first report is complete, sometimes until the next day's; a few times not at all. */
  coverToEnd(): void {
    const { clock, rng, violation, actors, coverageWatch, places } = this.#world;
    const { coverage } = actors;
    if (rng.chance(0.05)) return;
    const until = clock.now() + 3 * HOUR_MS;
    while (!coverageWatch.isDone(coverage.current) && this.#step(until));
    if (!coverageWatch.isDone(coverage.current)) {
      violation('coverage is never calculated');
      return;
    }
    if (this.#world.isWatched || rng.chance(0.97)) return;
    const tomorrow = clock.now() + 25 * HOUR_MS;
    for (const { model } of places.values()) model.change();
    while (this.#step(tomorrow));
    coverageWatch.checkExact(coverage.current);
  }

  /** With honest ports and no requests, every base that probes itself comes up again. */
  watchToEnd(): void {
    const { isWatched, restedAt, violation, actors } = this.#world;
    if (!isWatched) return;
    while (this.#step(restedAt + UP_AGAIN_MS_MAX));
    for (const [base, actor] of actors.bases) {
      const { state, detail } = actor.status();
      if (state !== 'up') violation(`${base} is ${state} (${detail}) though it answers`);
      void actor.close();
    }
  }

  /** Closes coverage; running work in actors and ports ends, and nothing may be left. */
  close(): void {
    const { clock, violation, actors, asks, quota } = this.#world;
    actors.coverage.close();
    const until = clock.now() + HOUR_MS;
    while (this.#isBusy() && this.#step(until));
    // If it was closed in the middle of a slice, the rest after that slice may still be due.
    if (clock.pending > 1) violation(`${clock.pending} timers are left`);
    while (this.#step(until));
    if (asks.open > 0) violation(`${asks.open} asks never end`);
    if (quota.open > 0) violation(`${quota.open} charges never end`);
    for (const [base, actor] of actors.bases) {
      const { waiting, under_way } = actor.status();
      if (waiting > 0 || under_way > 0)
        violation(`${base} keeps ${waiting} waiting and ${under_way} running`);
    }
    quota.check();
  }

  #isBusy(): boolean {
    const { asks, actors } = this.#world;
    return asks.open > 0 || [...actors.bases.values()].some((actor) => actor.status().under_way > 0);
  }

  #step(until: number): boolean {
    const { clock, actors, coverageWatch } = this.#world;
    const hasRun = clock.step(until);
    coverageWatch.look(actors.coverage.current);
    return hasRun;
  }

  #soon(action: () => void): void {
    const { clock, rng, startsAt, stormMs } = this.#world;
    clock.after(startsAt + rng.below(stormMs), action);
  }

  #follow(work: Promise<void>): void {
    this.#open += 1;
    const end = () => {
      this.#open -= 1;
    };
    work.then(end, (error: unknown) => {
      end();
      this.#world.violation(
        `thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
    });
  }

  #event(): () => void {
    const world = this.#world;
    const { rng, clock } = world;
    const base = rng.pick([...world.places.keys()]);
    const { model, port, isSteady } = world.place(base);
    switch (
      rng.pick(['load', 'load', 'mood', 'wall', 'record', 'flood', 'quota', 'quota', 'gone'] as const)
    ) {
      case 'load':
        return () => {
          model.change();
          world.trace(
            () => `${base} is now of generation ${model.generation} with ${model.last(model.generation)}`,
          );
        };
      case 'mood':
        return () => {
          if (!isSteady && clock.now() < world.restAt) port.mood = moodOf(rng);
        };
      case 'wall':
        return () => {
          // On both sides of the clock's step, so that a second quota would show.
          this.#charge();
          const step = rng.pick(STEPS_HOURS) * HOUR_MS + rng.between(-5_000, 5_000);
          clock.stepWall(step);
          this.#charge();
          world.trace(() => `the wall clock is now at ${clock.date().toISOString()}`);
        };
      case 'gone':
        return () => {
          if (!isSteady && world.isWatched && clock.now() < world.restAt) this.#leaveFor(base);
        };
      case 'record':
        return () => {
          this.#follow(this.#record(base));
        };
      case 'flood':
        return () => {
          const size = isSteady
            ? rng.between(1, 5)
            : rng.chance(0.8)
              ? rng.between(1, 8)
              : rng.between(20, 40);
          for (let count = 0; count < size; count += 1) this.#follow(this.#ask(base));
        };
      case 'quota':
        return () => {
          this.#charge();
        };
    }
  }

  /** A base's file is missing for a while: a second later the base is known to be down, even without requests. */
  #leaveFor(base: Base): void {
    const { rng, clock, actors, violation } = this.#world;
    const { port } = this.#world.place(base);
    if (port.isGone) return;
    const goneMs = rng.between(LOOK_EVERY_MS + 1, 5_000);
    const backAt = clock.now() + goneMs;
    port.isGone = true;
    clock.after(LOOK_EVERY_MS + 1, () => {
      const state = actors.bases.get(base)?.status().state;
      // An answer may have been on its way when the file went missing.
      const isSilent = clock.now() - port.answeredAt > LOOK_EVERY_MS;
      if (port.isGone && isSilent && state !== 'down')
        violation(`${base} is ${state}, though gone for a second`);
    });
    clock.after(goneMs, () => {
      port.isGone = false;
    });
    this.#world.trace(() => `${base} is gone until ${backAt} ms`);
  }

  /** Reads a record, existing or not. */
  async #record(base: Base): Promise<void> {
    const { rng, clock, actors, violation } = this.#world;
    const { model, parts, isSteady } = this.#world.place(base);
    const numero = rng.between(1, model.last(model.generation) + 3);
    const startedAt = clock.now();
    const mustBe = numero <= model.last(model.generation);
    const outcome = await actors.supervisor.read(base, numero);
    const took = clock.now() - startedAt;
    if (took > parts.windows.record_ms + GRACE_MS) violation(`a record of ${base} took ${took} ms`);
    if (!outcome.ok) {
      if (isSteady) violation(`a record of ${base}, a steady base, was not read`);
      return;
    }
    const { json } = outcome.value;
    const isNone = json === null;
    if (isNone ? mustBe : json !== rowOf('documento', base, numero)) {
      violation(`record ${numero} of ${base} came as ${String(json)}`);
    }
  }

  /** One of many requests that fill a queue; its answer is checked like all others. */
  async #ask(base: Base): Promise<void> {
    const { rng, actors, clock } = this.#world;
    const doc_ids = [rng.between(1, 9), rng.between(1, 9)];
    const limit = rng.chance(0.2) ? rng.below(10) : rng.below(2_000);
    await actors.asked
      .get(base)
      ?.ask<ReadRequest>({ kind: 'read', object: 'resumo', doc_ids }, clock.now() + limit);
  }

  /** Several charges at once on one or two keys, each a few promise turns after another. */
  #charge(): void {
    const { rng, quota } = this.#world;
    const charges = rng.between(1, 6);
    for (let count = 0; count < charges; count += 1) {
      const limit = rng.pick(QUOTA_LIMITS);
      const key = `key of ${limit}`;
      const turns = rng.below(4);
      this.#follow(
        chargeAfter(turns, () => (rng.chance(0.1) ? quota.peek(key, limit) : quota.charge(key, limit))),
      );
    }
  }
}

async function chargeAfter(turns: number, charge: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
  await charge();
}

/** A coverage actor of a new process shows at once what the old one showed. */
function restart({ clock, actors, violation }: World, file: string): void {
  const again = new CoverageActor({ clock, file, bases: actors.asked, log: () => undefined });
  const [before, after] = [actors.coverage.current, again.current].map((report) => JSON.stringify(report));
  if (before !== after) violation(`coverage after a restart is ${after} and was ${before}`);
}
