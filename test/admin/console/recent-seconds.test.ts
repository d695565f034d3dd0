import { describe, expect, test } from 'vitest';
import type { BaseStatus } from '../../../src/engine/messages.ts';
import type { Instant } from '../../../src/admin/console/base-gauge.ts';
import { Figures } from '../../../src/admin/console/figures.ts';
import type { Percentiles } from '../../../src/admin/console/totals.ts';
import { Tallies } from '../../../src/observe/tallies.ts';
import { BASES, type Base } from '../../../src/contract/enums.ts';
import { stepOf } from '../../observe/support-notes.ts';
import { seeded } from '../../tools/faults/support-poll.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';

const KEPT_S = 10;
const FRACTIONS = { p50: 0.5, p95: 0.95, p99: 0.99 };

/** The plain way: all durations, sorted anew for each second. */
class Plain {
  readonly #seconds: number[][] = [[]];

  note(ms: number): void {
    this.#seconds[0]!.push(ms);
  }

  end(): void {
    this.#seconds.unshift([]);
  }

  /** Of the latest seconds that have ended, ascending. */
  read(seconds: number): number[] {
    return this.#seconds
      .slice(1, 1 + seconds)
      .flat()
      .toSorted((a, b) => a - b);
  }
}

/** At most 5% off, from 10 µs to ten minutes. */
function expectPercentiles(read: Percentiles, exact: readonly number[]): void {
  for (const [name, fraction] of Object.entries(FRACTIONS)) {
    const wanted = exact[Math.ceil(exact.length * fraction) - 1];
    const ms = read[name as keyof Percentiles];
    if (wanted === undefined) expect(ms).toBeNull();
    else if (wanted <= 0.01) expect(ms).toBeLessThanOrEqual(0.01);
    else if (wanted > 600_000) expect(ms).toBeGreaterThan(600_000);
    else expect(Math.abs(ms! / wanted - 1)).toBeLessThan(0.05);
  }
}

const STATUS = { threads: 4, threads_busy: 1, waiting: 3 } as BaseStatus;

/** Figures beside the plain way, which each second is held against as it ends. */
class Compared {
  readonly clock = new SimulatedClock();
  seconds = 0;
  steppedBack = 0;
  readonly #tallies = new Tallies();
  readonly #figures = new Figures(this.clock, () => STATUS, this.#tallies);
  readonly #plain = new Map(BASES.map((base) => [base, { queue: new Plain(), run: new Plain() }]));

  constructor() {
    this.#figures.start();
    this.#listen();
  }

  note(base: Base, queueMs: number, runMs: number): void {
    this.#tallies.step(stepOf({ base, queueMs, runMs }));
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
    const pedidos = queue.read(KEPT_S).length;
    expect(ponto.pedidos).toBe(queue.read(1).length);
    expect(recente).toMatchObject({
      fila: ponto.fila,
      exec: ponto.exec,
      pedidos,
      guardadas_por_s: 0,
      pedidos_por_s: pedidos / Math.min(KEPT_S, this.#figures.history(base).length),
    });
    expectPercentiles(ponto.fila, queue.read(KEPT_S));
    expectPercentiles(ponto.exec, run.read(KEPT_S));
  }
}

describe('the latest seconds', () => {
  test.each([1, 2, 3])('read as if all were sorted anew each second (seed %i)', async (seed) => {
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
});
