import { describe, expect, test } from 'vitest';
import type { SearchPage } from '../../../src/search/page.ts';
import type { Step } from '../../../src/engine/steps.ts';
import { Figures } from '../../../src/admin/console/figures.ts';
import { Tallies } from '../../../src/observe/tallies.ts';
import { STATUS_UP, LOAD, notesOf, pageOf, stepOf } from '../../observe/support-notes.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';
import { FIGURES_S } from '../../../src/admin/console/increase.ts';

const STATUS = { ...STATUS_UP, threads: 4, threads_busy: 1 };

function start(status = STATUS) {
  const clock = new SimulatedClock();
  const tallies = new Tallies();
  const figures = new Figures(
    clock,
    () => status,
    tallies,
    () => LOAD,
  );
  figures.start();
  return { clock, tallies, figures };
}

/** Counts a search that was answered. */
const search = (tallies: Tallies, page: SearchPage, steps: Step[]) => {
  tallies.answer(notesOf({ page, steps }), 200, 1);
};

describe('the figures of a base', () => {
  test('separate queue time from run time, second by second', async () => {
    const { clock, tallies, figures } = start();
    tallies.step(stepOf({ queueMs: 4, runMs: 40 }));
    await clock.advance(1_000);
    await clock.advance(1_000);
    const [first, second] = figures.bases.stj.points;
    expect(first?.fila.p50).toBeCloseTo(4, 0);
    expect(first?.exec.p99).toBeGreaterThan(38);
    expect(first?.pedidos).toBe(1);
    // A percentile is of ten seconds, a count of one.
    expect(second).toMatchObject({ pedidos: 0, fila: first!.fila });
    expect(second!.em - first!.em).toBe(1);
    expect(figures.bases.stj.recent?.exec.p50).toBeGreaterThan(38);
    expect(figures.bases.tst.points.every(({ pedidos }) => pedidos === 0)).toBe(true);
  });

  test('take each percentile from the last ten seconds, not from one second’s few requests', async () => {
    const { clock, tallies, figures } = start();
    for (let second = 0; second < 10; second += 1) {
      for (let at = 0; at < 10; at += 1) tallies.step(stepOf({ runMs: second === 4 && at === 0 ? 900 : 10 }));
      await clock.advance(1_000);
    }
    const points = figures.bases.stj.points;
    // One of the first 50 is slow, and of 100 it is the slowest.
    expect(points[4]?.exec.p99).toBeGreaterThan(850);
    expect(points[9]?.exec.p99).toBeLessThan(11);
    await clock.advance(15_000);
    expect(figures.bases.stj.points.at(-1)?.exec.p50).toBeNull();
  });

  test('count the events of ten seconds, and keep the time of the latest of each kind', async () => {
    const { clock, tallies, figures } = start();
    tallies.step(stepOf({ outcome: 'overloaded' }));
    tallies.step(stepOf({ outcome: 'overloaded' }));
    await clock.advance(1_000);
    const { em } = figures.bases.stj.points[0]!;
    const ultimos = { recusados: em, falhas: null, recuos: null, tempo_esgotado: null };
    expect(figures.bases.stj.recent).toMatchObject({
      segundos: 1,
      pedidos: 2,
      recusados: 2,
      falhas: 0,
      ultimos,
    });
    await clock.advance(60_000);
    expect(figures.bases.stj.recent).toMatchObject({ segundos: 10, pedidos: 0, recusados: 0, ultimos });
    expect(figures.bases.tst.recent?.ultimos.recusados).toBeNull();
  });

  test('count time-outs, rejections and failures, but neither coverage nor abandoned requests', async () => {
    const { clock, tallies, figures } = start();
    for (const outcome of ['deadline', 'overloaded', 'unavailable', 'ok'] as const)
      tallies.step(stepOf({ outcome }));
    tallies.step(stepOf({ kind: 'cobertura', queueMs: 900 }));
    tallies.step(stepOf({ outcome: 'abandoned', queueMs: 900 }));
    await clock.advance(1_100);
    const [point] = figures.bases.stj.points;
    expect(point).toMatchObject({ pedidos: 4, tempo_esgotado: 1, recusados: 1, falhas: 1 });
    expect(point?.fila.p99).toBeLessThan(2);
  });

  test('have no second twice when the clock is set back', async () => {
    const { clock, figures } = start();
    await clock.advance(5_000);
    clock.stepWall(-500);
    await clock.advance(5_000);
    clock.stepWall(-4_000);
    await clock.advance(3_000);
    clock.stepWall(3_600_000);
    await clock.advance(2_000);
    const seconds = figures.bases.stj.points.map(({ em }) => em);
    expect(seconds).toEqual([...new Set(seconds)].toSorted((a, b) => a - b));
    expect(seconds.at(-1)).toBe(Math.floor(clock.date().getTime() / 1_000) - 1);
  });

  test('count the applied order and fall-backs, and no order for a base that did not answer', async () => {
    const { clock, tallies, figures } = start();
    const page = pageOf({
      por_base: [
        { base: 'stj', ordem_aplicada: 'recentes', ms: 1 },
        { base: 'stf', ordem_aplicada: 'relevancia', ms: 1 },
        { base: 'tst', ordem_aplicada: 'recentes', ms: 1 },
      ],
      bases_sem_resposta: [{ base: 'tst', tempo_esgotado: true }],
    });
    const fellBack = stepOf({ outcome: 'deadline' });
    const recency = stepOf({ kind: 'recentes' });
    const silent = stepOf({ base: 'tst', outcome: 'deadline' });
    search(tallies, page, [fellBack, recency, silent]);
    // A later page, which keeps its order.
    search(tallies, page, [recency, silent]);
    tallies.answer(notesOf({}), 429, 1);
    await clock.advance(1_100);
    expect(figures.bases.stj.points[0]).toMatchObject({ relevancia: 0, recentes: 2, recuos: 1 });
    expect(figures.bases.stf.points[0]).toMatchObject({ relevancia: 2, recentes: 0, recuos: 0 });
    expect(figures.bases.tst.points[0]).toMatchObject({ recentes: 0, recuos: 0 });
  });

  test('count a rejected search once, whether it was rejected before the queue or by it', async () => {
    const { clock, tallies, figures } = start();
    const page = pageOf({
      por_base: [
        { base: 'stj', ordem_aplicada: 'relevancia', ms: 0 },
        { base: 'stf', ordem_aplicada: 'relevancia', ms: 0 },
      ],
      bases_sem_resposta: [
        { base: 'stj', tempo_esgotado: false },
        { base: 'stf', tempo_esgotado: false },
      ],
    });
    search(tallies, page, []);
    const refused = stepOf({ base: 'stf', queueMs: 0, runMs: 0, outcome: 'overloaded' });
    tallies.step(refused);
    search(tallies, page, [refused, stepOf({ base: 'stj' })]);
    await clock.advance(1_100);
    expect(figures.bases.stj.points[0]).toMatchObject({ recusados: 1, relevancia: 0 });
    expect(figures.bases.stf.points[0]).toMatchObject({ recusados: 2, pedidos: 1 });
    expect(figures.bases.tst.points[0]).toMatchObject({ recusados: 0 });
  });

  test('give the mean use of the pool, and null without threads', async () => {
    const busy = start();
    await busy.clock.advance(1_100);
    expect(busy.figures.bases.stj.points[0]).toMatchObject({ uso: 0.25 });
    const down = start({ ...STATUS, threads: 0, threads_busy: 0 });
    await down.clock.advance(1_100);
    expect(down.figures.bases.stj.points[0]?.uso).toBeNull();
  });

  test('cover the last fifteen minutes', async () => {
    const { clock, figures } = start();
    await clock.advance((FIGURES_S + 20) * 1_000);
    expect(figures.bases.stj.points).toHaveLength(FIGURES_S);
  });
});
