import { describe, expect, test } from 'vitest';
import type { BaseStatus } from '../../../src/engine/messages.ts';
import { Figures } from '../../../src/admin/console/figures.ts';
import { hostMeter, type ProcessLoad } from '../../../src/observe/process-load.ts';
import { Tallies } from '../../../src/observe/tallies.ts';
import { LOAD, notesOf, pageOf, stepOf } from '../../observe/support-notes.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';

const STATUS = { threads: 1, threads_busy: 0, waiting: 0 } as BaseStatus;

function start(readLoad: () => ProcessLoad = () => LOAD) {
  const clock = new SimulatedClock();
  const tallies = new Tallies();
  const figures = new Figures(clock, () => STATUS, tallies, readLoad);
  figures.start();
  return { clock, tallies, figures };
}

const ASKED = stepOf({});
const PAGE = pageOf({});
const PARTIAL = pageOf({ bases_sem_resposta: [{ base: 'stj', tempo_esgotado: true }] });

test('the host’s CPU use covers all programs between two readings', () => {
  const readings = [
    { busyMs: 100, idleMs: 900, cores: 2 },
    { busyMs: 1_600, idleMs: 1_400, cores: 2 },
    { busyMs: 1_600, idleMs: 1_400, cores: 2 },
  ];
  const host = hostMeter(() => readings.shift()!);
  expect(host()).toBe(1.5);
  expect(host()).toBeNull();
});

describe('the figures of the service', () => {
  test('are absent until the first second has ended', () => {
    expect(start().figures.service.recent).toBeNull();
  });

  test('count each request once, cached answers included', async () => {
    const { clock, tallies, figures } = start();
    tallies.answer(notesOf({ page: PAGE, steps: [ASKED, ASKED] }), 200, 300);
    for (let at = 0; at < 9; at += 1) tallies.answer(notesOf({ page: PAGE, isKept: true }), 200, 2);
    await clock.advance(1_000);
    const service = figures.service.recent!;
    expect(service).toMatchObject({ respostas: 10, buscas: 10, completas: 10, pelas_bases: 10, do_cache: 9 });
    expect(service.respostas_por_s).toBeCloseTo(10, 0);
    expect(service.servidas.p50).toBeLessThan(2.2);
    expect(service.servidas.p99).toBeGreaterThan(280);
  });

  test('count a search that lacks a base as incomplete', async () => {
    const { clock, tallies, figures } = start();
    tallies.answer(notesOf({ page: PAGE, steps: [ASKED] }), 200, 10);
    tallies.answer(notesOf({ page: PARTIAL, steps: [ASKED] }), 200, 10);
    // Coverage, which asks no base.
    tallies.answer(notesOf({ route: 'cobertura' }), 200, 10);
    await clock.advance(1_000);
    expect(figures.service.recent).toMatchObject({
      respostas: 3,
      buscas: 2,
      completas: 1,
      pelas_bases: 2,
      do_cache: 0,
    });
  });

  test('drop rejections and failures after ten seconds, but keep the time of the latest of each', async () => {
    const { clock, tallies, figures } = start();
    await clock.advance(1_000);
    expect(figures.service.recent).toMatchObject({ ultima_429: null, ultimo_5xx: null });
    for (const status of [429, 429, 500, 504]) tallies.answer(notesOf({}), status, 10);
    await clock.advance(1_000);
    const { ultima_429, ultimo_5xx, ...now } = figures.service.recent!;
    expect(now).toMatchObject({ respostas: 4, recusas_429: 2, erros_5xx: 2, buscas: 0 });
    expect(ultima_429).toBe(figures.bases.stj.points.at(-1)!.em);
    expect(ultimo_5xx).toBe(ultima_429);
    await clock.advance(12_000);
    expect(figures.service.recent).toMatchObject({
      recusas_429: 0,
      erros_5xx: 0,
      respostas: 0,
      ultima_429,
      ultimo_5xx,
    });
    expect(figures.service.recent!.servidas.p50).toBeNull();
  });

  test('give the mean CPU use and the longest event-loop delay of the time since the last reading', async () => {
    const delays = [4, 90, 2];
    const { clock, figures } = start(() => ({ ...LOAD, loop_delay_ms: delays.shift() ?? 1 }));
    await clock.advance(4_000);
    expect(figures.service.recent!.cpu).toBeCloseTo(0.5, 1);
    expect(figures.service.recent).toMatchObject({ atraso_ms: 90, memoria_bytes: 1_000 });
    await clock.advance(20_000);
    expect(figures.service.recent).toMatchObject({ segundos: 10, atraso_ms: 1 });
  });
});
