import { describe, expect, test } from 'vitest';
import { KeyRates, useOf } from '../../../src/admin/console/key-rates.ts';
import {
  RecentSearches,
  SEARCHES_LISTED_MAX,
  SEARCHES_SHOWN_MAX,
} from '../../../src/admin/console/recent-searches.ts';
import { SearchPicks, type Seen, SLOW_PICKS_MAX } from '../../../src/admin/console/search-picks.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import type { Step } from '../../../src/engine/steps.ts';
import type { RequestNotes } from '../../../src/http/observer.ts';
import type { Pedido } from '../../../src/query/parameters.ts';
import { notesOf, pageOf, stepOf } from '../../observe/support-notes.ts';
import { FIGURES_S } from '../../../src/admin/console/totals.ts';

const NOW = 1_800_000_000;
const KEY = `jur_${'a'.repeat(38)}`;

const step = (base: Base, runMs: number, changed: Partial<Step> = {}): Step =>
  stepOf({ base, startedAt: 1_000, queueMs: 0, runMs, ...changed });

const page = (unanswered: readonly Base[] = []) =>
  pageOf({
    itens: ['{}'],
    bases_sem_resposta: unanswered.map((base) => ({ base, tempo_esgotado: false })),
  });

let ids = 0;
function seen(changed: Partial<Omit<Seen, 'notes'>> & { notes?: Partial<RequestNotes> } = {}): Seen {
  ids += 1;
  const notes = notesOf({
    requestId: `id-${ids}`,
    startedAt: 990,
    pedido: {} as Pedido,
    page: page(),
    steps: [step('stj', 5)],
    ...changed.notes,
  });
  return { status: 200, ms: 10, url: 'http://x/b?q=dano+moral&tipo=sumula', em: NOW, ...changed, notes };
}

function picked(slowMs: number, ...all: readonly Seen[]) {
  const picks = new SearchPicks(slowMs);
  for (const one of all) picks.note(one);
  return picks.take();
}

describe('the searches that an operator sees', () => {
  test('are slow, incomplete or failed ones, each with what every base did', () => {
    const quick = seen();
    const slow = seen({ ms: 500 });
    const incomplete = seen({ notes: { page: page(['stf']) } });
    const failed = seen({ status: 504, notes: { pedido: null, page: null } });
    const { listed } = picked(500, quick, slow, incomplete, failed);
    const wanted = [slow, incomplete, failed].map(({ notes }) => notes.requestId);
    expect(listed.map(({ id }) => id).toSorted()).toEqual(wanted.toSorted());
    const first = listed.find(({ lenta }) => lenta);
    expect(first).toMatchObject({
      rota: 'busca',
      ms: 500,
      itens: 1,
      parametros: { q: 'dano moral', tipo: 'sumula' },
    });
    expect(first?.passos).toMatchObject([{ base: 'stj', inicio_ms: 10, exec_ms: 5, resultado: 'ok' }]);
    expect(listed.find(({ rota }) => rota === 'decisao')).toMatchObject({
      status: 504,
      itens: null,
      parametros: {},
    });
  });

  test('have their text only while the log has it too, and never a key', () => {
    const withKey = seen({ ms: 900, url: `http://x/b?q=${KEY}&uf=MG` });
    expect(JSON.stringify(picked(500, withKey))).not.toContain(KEY);
    const all = [seen({ ms: 900 }), seen({ notes: { page: page(['stf']) } })];
    const { listed, slowest } = picked(0, ...all);
    expect(listed).toHaveLength(2);
    for (const { parametros } of listed) expect(parametros).toEqual({ tipo: 'sumula' });
    expect(JSON.stringify(slowest)).not.toContain('dano');
    expect(picked(500, ...all).listed.map(({ parametros }) => parametros['q'])).toEqual([
      'dano moral',
      undefined,
    ]);
    // An ordinary one is kept for its base, and its text is nobody's business.
    const ordinary = picked(500, seen());
    expect(ordinary.listed).toEqual([]);
    expect(ordinary.slowest).toMatchObject([['stj', { parametros: { tipo: 'sumula' } }]]);
    expect(JSON.stringify(ordinary)).not.toContain('dano');
  });

  test('are a few of a moment: the slowest, and the first incomplete ones', () => {
    const slow = Array.from({ length: 40 }, (_, at) => seen({ ms: 1_000 + ((at * 7) % 40) }));
    const refused = Array.from({ length: 40 }, () => seen({ notes: { page: page(['stf']), steps: [] } }));
    const { listed } = picked(500, ...slow, ...refused);
    const times = listed.flatMap(({ lenta, ms }) => (lenta ? [ms] : []));
    expect(times.toSorted((a, b) => a - b)).toEqual(
      Array.from({ length: SLOW_PICKS_MAX }, (_, at) => 1_035 + at),
    );
    expect(listed).toHaveLength(2 * SLOW_PICKS_MAX);
  });

  test('are none of a request that asked no base', () => {
    const refused = seen({ ms: 900, status: 429, notes: { pedido: null, page: null, steps: [] } });
    expect(picked(500, refused)).toEqual({ listed: [], slowest: [] });
  });

  test('are taken once', () => {
    const picks = new SearchPicks(500);
    picks.note(seen({ ms: 900 }));
    expect(picks.take().listed).toHaveLength(1);
    expect(picks.take()).toEqual({ listed: [], slowest: [] });
  });
});

describe('the stored searches', () => {
  test('are so many at most, the latest first', () => {
    const stored = new RecentSearches();
    for (let at = 0; at < SEARCHES_LISTED_MAX + 5; at += 1)
      stored.add(picked(500, seen({ ms: 900, em: NOW + at })));
    expect(stored.listed).toHaveLength(SEARCHES_SHOWN_MAX);
    expect(stored.listed[0]?.em).toBe(NOW + SEARCHES_LISTED_MAX + 4);
    expect(stored.version).toBe(SEARCHES_LISTED_MAX + 5);
  });

  test('keep the slow ones while a base is down for long, and the other way round', () => {
    const stored = new RecentSearches();
    stored.add(picked(500, seen({ ms: 900, em: NOW })));
    for (let at = 1; at < 1_000; at += 1)
      stored.add(picked(500, seen({ em: NOW + at, notes: { page: page(['stf']) } })));
    expect(stored.listed).toHaveLength(SEARCHES_SHOWN_MAX + 1);
    expect(stored.listed.at(-1)).toMatchObject({ em: NOW, lenta: true });
  });

  test('lead from a point of a chart to the slowest ones of that base and those ten seconds', () => {
    const stored = new RecentSearches();
    const at = (em: number, stj: number, stf: number) =>
      stored.add(picked(500, seen({ em, notes: { steps: [step('stj', stj), step('stf', stf)] } })));
    at(NOW - 30, 99, 1);
    at(NOW - 8, 20, 1);
    // The same five seconds as the next one, which is slower in the one base and faster in the other.
    at(NOW - 4.6, 5, 70);
    at(NOW - 4.2, 30, 2);
    at(NOW + 20, 99, 1);
    const times = (base: Base) =>
      stored.around(base, NOW).map(({ passos }) => passos.find((one) => one.base === base)?.exec_ms);
    expect(times('stj')).toEqual([30, 20]);
    expect(times('stf')).toEqual([70, 1]);
    expect(stored.around('tst', NOW)).toEqual([]);
  });

  test('reach as far back as the charts, and no further', () => {
    const stored = new RecentSearches();
    for (let em = NOW; em <= NOW + FIGURES_S + 60; em += 5) stored.add(picked(500, seen({ em })));
    expect(stored.around('stj', NOW)).toEqual([]);
    expect(stored.around('stj', NOW + 75)).not.toEqual([]);
  });
});

test('keys are counted over ten seconds, refusals apart', () => {
  const rates = new KeyRates();
  for (let second = 0; second < 10; second += 1) {
    for (let at = 0; at < 5; at += 1)
      rates.counts.note('a', { respostas: 1, recusas: at === 0 ? 1 : 0, espera_ms: at });
    rates.endSecond();
  }
  expect(rates.of('a')).toEqual({ por_s: 5, recusas_por_s: 1, espera_ms: 2 });
  expect(rates.of('b')).toEqual({ por_s: 0, recusas_por_s: 0, espera_ms: 0 });
  for (let second = 0; second < 5; second += 1) rates.endSecond();
  expect(rates.of('a')).toEqual({ por_s: 2.5, recusas_por_s: 0.5, espera_ms: 2 });
});

test('the wait of a request is that for its turn and the longest in a queue', () => {
  const steps = [3, 8, 5].map((queueMs) => ({ startedAt: 120, queueMs }) as Step);
  expect(useOf({ refusal: null, startedAt: 100, steps })).toEqual({
    respostas: 1,
    recusas: 0,
    espera_ms: 28,
  });
  expect(useOf({ refusal: 'quota', startedAt: 100, steps: [] })).toMatchObject({ recusas: 1, espera_ms: 0 });
});
