import { describe, expect, test } from 'vitest';
import type { BaseStatus } from '../../../src/engine/snapshot.ts';
import type { Step } from '../../../src/engine/steps.ts';
import type { Instant } from '../../../src/admin/console/base-gauge.ts';
import { Figures } from '../../../src/admin/console/figures.ts';
import { RecentSeconds } from '../../../src/admin/console/recent-seconds.ts';
import { BASES, type Base } from '../../../src/contract/enums.ts';
import { seeded } from '../../tools/faults/support-poll.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';

const KEPT_S = 10;
/** The last one is for what is above all bounds. */
const BUCKETS = 209;

/** The plain way: every second's buckets added up anew, and a walk and a rounding for each percentile. */
class Plain {
  readonly #seconds: number[][] = [[]];

  note(ms: number): void {
    this.#seconds[0]!.push(Math.min(BUCKETS - 1, Math.max(0, Math.ceil(Math.log2(ms / 0.01) * 8))));
  }

  end(): void {
    this.#seconds.unshift([]);
  }

  /** Of the latest seconds that have ended. */
  read(seconds: number) {
    const noted = this.#seconds.slice(1, 1 + seconds).flat();
    const counts = Array.from({ length: BUCKETS }, () => 0);
    for (const bucket of noted) counts[bucket]! += 1;
    const at = (share: number) => {
      let seen = 0;
      const bucket = counts.findIndex((count) => (seen += count) >= Math.ceil(noted.length * share));
      return noted.length === 0 ? null : Number((0.01 * 2 ** ((bucket - 0.5) / 8)).toPrecision(3));
    };
    return { total: noted.length, percentis: { p50: at(0.5), p95: at(0.95), p99: at(0.99) } };
  }
}

const STATUS = { threads: 4, threads_busy: 1, waiting: 3 } as BaseStatus;

/** Figures beside the plain way, which each second is held against as it ends. */
class Compared {
  readonly clock = new SimulatedClock();
  seconds = 0;
  steppedBack = 0;
  readonly #figures = new Figures(this.clock, () => STATUS);
  readonly #plain = new Map(BASES.map((base) => [base, { queue: new Plain(), run: new Plain() }]));

  constructor() {
    this.#figures.start();
    this.#listen();
  }

  note(base: Base, queueMs: number, runMs: number): void {
    this.#figures.noteStep({ base, kind: 'relevancia', queueMs, runMs, outcome: 'ok' } as Step);
    this.#plain.get(base)!.queue.note(queueMs);
    if (runMs > 0) this.#plain.get(base)!.run.note(runMs);
  }

  #listen(): void {
    this.#figures.listen((instants) => {
      for (const { queue, run } of this.#plain.values()) {
        queue.end();
        run.end();
      }
      if (instants === 'closed') {
        this.steppedBack += 1;
        // Once all are let go.
        queueMicrotask(() => this.#listen());
        return;
      }
      this.seconds += 1;
      for (const base of BASES) this.#compare(base, instants[base]);
    });
  }

  #compare(base: Base, { ponto, recente }: Instant): void {
    const { queue, run } = this.#plain.get(base)!;
    const late = queue.read(KEPT_S);
    const percentis = { fila: late.percentis, exec: run.read(KEPT_S).percentis };
    expect(ponto).toMatchObject({ pedidos: queue.read(1).total, ...percentis });
    expect(recente).toMatchObject({
      ...percentis,
      pedidos: late.total,
      guardadas_por_s: 0,
      pedidos_por_s: late.total / Math.min(KEPT_S, this.#figures.history(base).length),
    });
  }
}

describe('the latest seconds', () => {
  test.each([1, 2, 3])('read as if all were added up anew each second (seed %i)', async (seed) => {
    const compared = new Compared();
    const random = seeded(seed);
    for (let second = 0; second < 80; second += 1) {
      for (const base of BASES) {
        // Some seconds are idle, some runs of them longer than what is kept, and some have one ask or two.
        const isIdle = random() < 0.3 || (second > 30 && second < 44);
        const asks = isIdle ? 0 : Math.ceil(random() ** 4 * 400);
        for (let ask = 0; ask < asks; ask += 1) {
          const [queueMs, runMs] = [random() ** 8 * 3e6, random() ** 4 * 500];
          compared.note(base, random() < 0.1 ? 0 : queueMs, random() < 0.1 ? 0 : runMs);
        }
      }
      await compared.clock.advance(1_000);
      if (second === 55) compared.clock.stepWall(-4_000);
    }
    expect(compared.seconds).toBeGreaterThan(70);
    expect(compared.steppedBack).toBe(1);
  });

  test('hold nothing of a second that has fallen out', () => {
    const seconds = new RecentSeconds(2);
    seconds.observe(5);
    expect([seconds.end().total, seconds.all.total]).toEqual([1, 1]);
    expect([seconds.end().total, seconds.all.total]).toEqual([0, 1]);
    expect([seconds.end().total, seconds.all.total]).toEqual([0, 0]);
    expect(seconds.all.percentiles([0.5])).toEqual([null]);
  });
});
