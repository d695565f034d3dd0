import type { Counters } from '../../src/shared/counters.ts';
import { QUOTA_BREAK_MS, SharedQuota } from '../../src/shared/quota.ts';
import { WAY_MS } from '../../src/cluster/remote-ask.ts';
import { QUOTA_ACK_MS_MAX } from '../../src/cluster/counters.ts';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import { BaseActor } from '../../src/engine/base-actor.ts';
import type { ReadRequest } from '../../src/engine/messages.ts';
import { probe } from '../../src/engine/requests.ts';
import { CursorCodec } from '../../src/query/cursor.ts';
import { Supervisor, type Windows } from '../../src/search/supervisor.ts';
import { Rng } from '../../src/tools/demo/rng.ts';
import type { BaseParts } from '../search/simulation-actors.ts';
import { EventClock } from '../search/simulation-clock.ts';
import { ModelBase, rowOf } from '../search/simulation-model.ts';
import { CALM, moodOf } from '../search/simulation-moods.ts';
import { FakePort, type Held } from '../search/simulation-port.ts';
import { QuotaWatch } from '../search/simulation-quota.ts';
import { readPages, type ReadWorld } from '../search/simulation-reader.ts';
import { LocalBroker, type LocalBus } from './local-bus.ts';
import { frontOn, nodeOn, type SmallFront } from './small-cluster.ts';
import { PROBE_MS_MAX } from '../../src/engine/base-watch.ts';

const NOON = Date.parse('2026-03-11T12:00:00Z');
const SECRET = new Uint8Array(32).fill(7);
const WINDOWS: Windows = { relevance_ms: 1_500, recency_ms: 1_000, count_ms: 150, record_ms: 2_000 };
/** What a front waits more, at each of two requests. */
const SEEN: Windows = {
  ...WINDOWS,
  relevance_ms: WINDOWS.relevance_ms + WAY_MS,
  recency_ms: WINDOWS.recency_ms + WAY_MS,
};
const STORM_MS = 8_000;
/** Longer than any silence counts, and any answer takes. */
const RESTED_MS = 50_000;
const END_MS = 30_000;
const [FRONTS, NODES, BASES_ASKED, READERS, CHARGES, RECORDS] = [2, 3, 2, 4, 60, 30];
const LIMITS = [5, 20, 40] as const;

/** One node's file of a base: the base as it was at some generation. */
class Replica implements Held {
  readonly #model: ModelBase;
  generation: number;

  constructor(model: ModelBase) {
    this.#model = model;
    this.generation = model.generation;
  }

  get base(): Base {
    return this.#model.base;
  }

  readonly last: Held['last'] = (generation) => this.#model.last(Math.min(generation, this.generation));
  readonly df: Held['df'] = (generation) => this.#model.df(Math.min(generation, this.generation));
  readonly matches: Held['matches'] = (generation) =>
    this.#model.matches(Math.min(generation, this.generation));
  readonly slice: Held['slice'] = (above, most) => this.#model.slice(above, most);
  /** What came later is not in the file: whoever asks for it here is given less. */
  readonly newest: Held['newest'] = (below) =>
    this.#model.newest(Math.min(below, this.last(this.generation) + 1));
  readonly ranked: Held['ranked'] = (position) =>
    this.#model.ranked({
      ...position,
      doc_id_max: Math.min(position.doc_id_max, this.last(this.generation)),
      generation: Math.min(position.generation, this.generation),
    });
}

interface SimulatedNode {
  readonly bus: LocalBus;
  readonly replicas: ReadonlyMap<Base, Replica>;
  /** Has a base answer from a file of this generation, and say so, as `Replica` of a node does. */
  readonly switchTo: (base: Base, generation: number) => Promise<void>;
  readonly ports: readonly FakePort[];
}

/** Fronts and nodes on a bus that loses, delays and parts, with real actors in all of them. */
export class ClusterWorld implements ReadWorld {
  readonly rng: Rng;
  readonly clock: EventClock;
  readonly restedAt = RESTED_MS;
  readonly places = new Map<
    Base,
    { readonly model: ModelBase; readonly parts: Pick<BaseParts, 'windows'> }
  >();
  readonly cursors = new CursorCodec(SECRET);
  readonly violations: string[] = [];
  readonly actors: ReadWorld['actors'];
  readonly quota: QuotaWatch;
  /** In these, every counter answers in time. */
  readonly hasCounters: boolean;
  readonly #breaks: boolean[] = [];
  readonly #counters = new Map<string, number>();
  readonly #nodes: readonly SimulatedNode[];
  readonly #fronts: readonly (SmallFront & { readonly bus: LocalBus })[];
  readonly #quotas: readonly SharedQuota[];
  #sides: ReadonlyMap<string, number> = new Map();
  #open = 0;

  constructor(seed: number) {
    const rng = new Rng(seed);
    this.rng = rng;
    this.clock = new EventClock(rng, NOON);
    this.hasCounters = rng.chance(0.5);
    const { clock } = this;
    for (const base of BASES.slice(0, BASES_ASKED))
      this.places.set(base, {
        model: new ModelBase(base, rng, rng.between(3, 30)),
        parts: { windows: SEEN },
      });
    const broker = new LocalBroker((from, to, _subject, deliver) => {
      this.#travel(from, to, deliver);
    });
    this.#nodes = Array.from({ length: NODES }, (_, at) => this.#node(broker.join(`n${at}`)));
    this.#fronts = Array.from({ length: FRONTS }, (_, at) => {
      const bus = broker.join(`f${at}`);
      return { ...frontOn(bus, clock, () => rng.below(1_000) / 1_000), bus };
    });
    const supervisors = this.#fronts.map((front) => {
      const bases = [...this.places.keys()].map(
        (base) => [base, { actor: front.base(base), windows: WINDOWS }] as const,
      );
      return new Supervisor(clock, new Map(bases));
    });
    this.actors = { supervisor: { search: (...asked) => rng.pick(supervisors).search(...asked) } };
    this.#quotas = supervisors.map(
      () =>
        new SharedQuota({
          clock,
          counters: this.#countersOfFront(),
          peers: () => FRONTS,
          onBreak: (isBroken) => this.#breaks.push(isBroken),
        }),
    );
    const quota = {
      charge: (key: string, limit: number) => rng.pick(this.#quotas).charge(key, limit),
      peek: (key: string, limit: number) => rng.pick(this.#quotas).peek(key, limit),
    };
    this.quota = new QuotaWatch(quota, clock, this.violation);
  }

  readonly violation = (message: string): void => {
    this.violations.push(`at ${this.clock.now()} ms: ${message}`);
  };

  trace(): void {
    // Nobody reads it.
  }

  place(base: Base) {
    const place = this.places.get(base);
    if (place === undefined) throw new Error(`no base ${base} in this world`);
    return place;
  }

  oldestGeneration(base: Base): number {
    return Math.min(...this.#nodes.map(({ replicas }) => replicas.get(base)?.generation ?? 0));
  }

  mustAnswer(): boolean {
    return this.clock.now() >= this.restedAt;
  }

  /** Runs it to its end. @returns what was found wrong. */
  run(): readonly string[] {
    const { rng, clock } = this;
    for (let at = 500; at < STORM_MS; at += rng.between(50, 400)) clock.after(at, this.#event());
    for (let reader = 0; reader < READERS; reader += 1)
      clock.after(500 + rng.below(STORM_MS), () => {
        void this.#follow(readPages(this));
      });
    for (let charge = 0; charge < CHARGES; charge += 1)
      clock.after(rng.below(STORM_MS), () => {
        this.#charge();
      });
    for (let record = 0; record < RECORDS; record += 1)
      clock.after(500 + rng.below(STORM_MS), () => {
        void this.#follow(this.#readRecord());
      });
    clock.after(STORM_MS, () => {
      this.#rest();
    });
    while (clock.step(RESTED_MS));
    void this.#follow(readPages(this));
    void this.#follow(this.#readRecord());
    while (this.#open > 0 && clock.now() < RESTED_MS + END_MS) clock.step(RESTED_MS + END_MS);
    if (this.#open > 0) this.violation('something does not end');
    // What was refused is still given back.
    for (const until = clock.now() + QUOTA_BREAK_MS; clock.step(until););
    this.#checkQuota();
    for (const { caller, nodes, bus } of this.#fronts)
      if (caller.size > 0 || nodes.all.some(({ waiting }) => waiting > 0))
        this.violation(`${bus.name} still counts requests`);
    return this.violations;
  }

  get #isStorm(): boolean {
    return this.clock.now() < STORM_MS;
  }

  #travel(from: string, to: string, deliver: () => void): void {
    const { rng, clock } = this;
    const isParted = this.#sides.get(from) !== this.#sides.get(to);
    if (this.#isStorm && (isParted || rng.chance(0.03))) return;
    clock.after(this.#isStorm ? this.#delay(60) : 1, deliver);
  }

  /** Most are short. */
  #delay(longest: number): number {
    const { rng } = this;
    return Math.min(rng.below(longest), rng.below(longest), rng.below(longest));
  }

  #node(bus: LocalBus): SimulatedNode {
    const { rng, clock } = this;
    const ports: FakePort[] = [];
    const replicas = new Map<Base, Replica>();
    const actors = new Map<Base, BaseActor>();
    for (const [base, { model }] of this.places) {
      const replica = new Replica(model);
      const port = new FakePort({
        model: replica,
        clock,
        rng,
        threads: 2,
        statesUnnamed: rng.pick([0, 0.3]),
        deadlineOf: () => undefined,
        onViolation: this.violation,
      });
      port.mood = rng.chance(0.5) ? CALM : moodOf(rng);
      ports.push(port);
      replicas.set(base, replica);
      const parts = { base, port, clock, threads: 2, queueMax: 100, resultCacheMb: 1 };
      const actor = new BaseActor({ ...parts, onState: () => undefined });
      void actor.open(WINDOWS.record_ms);
      actors.set(base, actor);
    }
    const listener = nodeOn(bus, actors, clock);
    const switchTo: SimulatedNode['switchTo'] = async (base, generation) => {
      const replica = replicas.get(base);
      if (replica === undefined || generation <= replica.generation) return;
      replica.generation = generation;
      while ((await actors.get(base)?.ask<ReadRequest>(probe(), PROBE_MS_MAX))?.ok !== true)
        await clock.sleep(20);
      listener.report();
    };
    return { bus, replicas, switchTo, ports };
  }

  /** Nothing is lost, late or failing any more, and all nodes have the newest file. */
  #rest(): void {
    this.#sides = new Map();
    for (const { bus } of this.#fronts) bus.isConnected = true;
    for (const { bus, ports, replicas, switchTo } of this.#nodes) {
      bus.isConnected = true;
      for (const port of ports) port.mood = CALM;
      for (const base of replicas.keys()) void switchTo(base, this.place(base).model.generation);
    }
  }

  #event(): () => void {
    const { rng, clock } = this;
    const node = rng.pick(this.#nodes);
    const base = rng.pick([...this.places.keys()]);
    const { model } = this.place(base);
    switch (
      rng.pick(['load', 'load', 'switch', 'switch', 'switch', 'mood', 'away', 'cut', 'parted'] as const)
    ) {
      case 'load':
        return () => {
          model.change();
        };
      case 'switch':
        return () => {
          // Not always the newest.
          void node.switchTo(base, rng.between(0, model.generation));
        };
      case 'mood':
        return () => {
          for (const port of node.ports) port.mood = moodOf(rng);
        };
      case 'away':
        return () => {
          node.bus.isConnected = false;
          clock.after(rng.below(3_000), () => {
            node.bus.isConnected = true;
          });
        };
      case 'cut':
        return () => {
          const { bus } = rng.pick(this.#fronts);
          bus.isConnected = false;
          clock.after(rng.below(600), () => {
            bus.isConnected = true;
          });
        };
      case 'parted':
        return () => {
          const names = [...this.#nodes, ...this.#fronts].map(({ bus }) => bus.name);
          this.#sides = new Map(names.map((name) => [name, rng.below(2)]));
          clock.after(rng.below(1_500), () => {
            this.#sides = new Map();
          });
        };
    }
  }

  /** In time, and never missing where its front knew data that have it. */
  async #readRecord(): Promise<void> {
    const { rng, clock } = this;
    const front = rng.pick(this.#fronts);
    const base = rng.pick([...this.places.keys()]);
    const { model } = this.place(base);
    const doc_id = rng.between(1, model.last(model.generation));
    const [startedAt, known, mustAnswer] = [clock.now(), front.nodes.newest(base), this.mustAnswer()];
    const asked = { kind: 'read' as const, object: 'documento' as const, doc_ids: [doc_id] };
    const outcome = await front.base(base).ask<ReadRequest>(asked, WINDOWS.record_ms);
    if (clock.now() - startedAt > WINDOWS.record_ms + WAY_MS) this.violation('a record came late');
    if (!outcome.ok && mustAnswer) this.violation(`a record was not read: ${outcome.failure}`);
    if (
      outcome.ok &&
      doc_id <= model.last(known) &&
      outcome.value.rows[0] !== rowOf('documento', base, doc_id)
    )
      this.violation(`record ${doc_id} of ${base} is said to be missing`);
  }

  /** As JetStream counts: each addition once, with a word that takes a while, or is lost. */
  #countersOfFront(): Counters {
    const { rng, clock } = this;
    const seen = new Set<string>();
    const isLost = () => !this.hasCounters && this.#isStorm && rng.chance(0.1);
    return {
      read: (subject) => Promise.resolve(this.#counters.get(subject) ?? 0),
      add: (subject, units, id) => {
        const { promise, resolve, reject } = Promise.withResolvers<number | null>();
        const cancelTimer = clock.after(QUOTA_ACK_MS_MAX, () => {
          reject(new Error('no answer'));
        });
        if (isLost()) return promise;
        clock.after(this.#delay(QUOTA_ACK_MS_MAX / 2), () => {
          const isAgain = seen.has(id);
          seen.add(id);
          const value = (this.#counters.get(subject) ?? 0) + (isAgain ? 0 : units);
          this.#counters.set(subject, value);
          if (isLost()) return;
          clock.after(this.#delay(QUOTA_ACK_MS_MAX / 2), () => {
            cancelTimer();
            resolve(isAgain ? null : value);
          });
        });
        return promise;
      },
    };
  }

  /** Several at once, at one front or two. */
  #charge(): void {
    const { rng } = this;
    const limit = rng.pick(LIMITS);
    for (let count = rng.between(1, 4); count > 0; count -= 1) {
      const key = `key-${limit}`;
      void this.#follow(rng.chance(0.1) ? this.quota.peek(key, limit) : this.quota.charge(key, limit));
    }
  }

  /** What was granted is counted, each charge once; never above the limit while all counters answered. */
  #checkQuota(): void {
    if (this.hasCounters) {
      this.quota.check();
      if (this.#breaks.length > 0) this.violation('counters that answer count as broken');
    }
    const counted = [...this.#counters].reduce(
      (sum, [subject, units]) => sum + (subject.endsWith('.trial') ? 0 : units),
      0,
    );
    const owed = this.#quotas.reduce((sum, quota) => sum + quota.owed, 0);
    if (owed !== 0 || counted !== this.quota.granted)
      this.violation(`${counted} counted and ${owed} owed of ${this.quota.granted} granted`);
  }

  async #follow(work: Promise<unknown>): Promise<void> {
    this.#open += 1;
    try {
      await work;
    } catch (error) {
      this.violation(`thrown: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`);
    } finally {
      this.#open -= 1;
    }
  }
}
