import { readFileSync, writeFileSync, mkdirSync, rmSync, statSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { CoverageActor, COVERAGE_FIRST_MS, coverageAtOnce } from '../../src/search/coverage.ts';
import type { CoverReply } from '../../src/engine/messages.ts';
import { done, failed, type Outcome } from '../../src/engine/outcome.ts';
import type { Base } from '../../src/contract/vocabulary.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';
import { temporaryFolder } from '../support/service.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SLICE: CoverReply = {
  kind: 'cover',
  total: 7,
  judged_min: 20010203,
  judged_max: 20240229,
  published_min: null,
  published_max: null,
  types: ['sumula', 'acordao'],
  to: null,
  generation: 1,
  docs: 7,
};

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'cobertura.json');
});

type Answer = (acimaDe: number) => Outcome<CoverReply>;

const OF_TST = { tst: () => done(SLICE) };

function start(answers: Partial<Record<Base, Answer>> = OF_TST, clock = new SimulatedClock()) {
  const asked: string[] = [];
  const logged: string[] = [];
  const bases = new Map(
    Object.entries(answers).map(([base, answer]) => [
      base as Base,
      {
        ask: async (request: { above: number }) => {
          asked.push(`${base}>${request.above}`);
          await new Promise<void>((resolve) => clock.after(1, resolve));
          return answer(request.above);
        },
      },
    ]),
  );
  const log = (event: string) => logged.push(event);
  const actor = new CoverageActor({ clock, file, bases: bases as never, log });
  actor.start();
  return { clock, actor, asked, logged };
}
const of = (actor: CoverageActor, base: Base) => actor.current.bases.find((one) => one.base === base);

describe('coverage', () => {
  test('that is calculated at once is of all slices', () => {
    const asked: number[] = [];
    const report = coverageAtOnce('tst', ({ above }) => {
      asked.push(above);
      return above === 0 ? { ...SLICE, to: 20_000 } : { ...SLICE, judged_max: 20250101 };
    });
    expect(asked).toEqual([0, 20_000]);
    expect(report).toMatchObject({
      total: 14,
      periodo_do_julgamento: { de: '2001-02-03', ate: '2025-01-01' },
    });
  });

  test('stays as it is while its folder cannot be read, with the reason logged once, and is read again after', async () => {
    const { clock, actor, logged } = start();
    await clock.advance(6 * MINUTE_MS);
    const stored = readFileSync(file, 'utf8');
    rmSync(folder, { recursive: true });
    symlinkSync(folder, folder);
    for (let looks = 0; looks < 3; looks += 1) {
      await clock.advance(1_000);
      expect(of(actor, 'tst')).toMatchObject({ calculado: true, total: 7 });
    }
    expect(logged).toEqual(['coverage file ignored']);
    rmSync(folder);
    mkdirSync(folder);
    const calculado_em = clock.date().toISOString();
    const later = JSON.parse(stored) as { bases: object[] };
    writeFileSync(file, JSON.stringify({ ...later, bases: [{ ...later.bases[0], total: 6, calculado_em }] }));
    await clock.advance(1_000);
    expect(of(actor, 'tst')?.total).toBe(6);
  });

  test('is first calculated five minutes after a start without a stored file, and not before', async () => {
    const { clock, actor, asked } = start();
    await clock.advance(5 * MINUTE_MS - 1);
    expect(of(actor, 'tst')).toEqual({ base: 'tst', calculado: false });
    expect(asked).toEqual([]);
    await clock.advance(MINUTE_MS);
    expect(of(actor, 'tst')).toEqual({
      base: 'tst',
      calculado: true,
      total: 7,
      periodo_do_julgamento: { de: '2001-02-03', ate: '2024-02-29' },
      periodo_da_publicacao: { de: null, ate: null },
      tipos: ['acordao', 'sumula'],
      calculado_em: '2026-03-10T12:05:00.004Z',
    });
  });

  test('omits a type foreign to the base, and logs it', async () => {
    const { clock, actor, logged } = start({ stj: () => done(SLICE) });
    await clock.advance(5 * MINUTE_MS + 100);
    expect(of(actor, 'stj')).toMatchObject({ calculado: true, total: 7, tipos: ['acordao'] });
    expect(logged).toEqual(['types that are not of the base']);
  });

  test('is stored, and shown after a restart without a calculation', async () => {
    const clock = new SimulatedClock();
    const first = start(OF_TST, clock);
    await clock.advance(6 * MINUTE_MS);
    first.actor.close();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    const second = start(OF_TST, clock);
    expect(of(second.actor, 'tst')).toMatchObject({ calculado: true, total: 7 });
    await clock.advance(20 * HOUR_MS);
    expect(second.asked).toEqual([]);
  });

  test('is calculated once by all processes of a folder, and none overwrites another’s report', async () => {
    const clock = new SimulatedClock();
    let answer: Outcome<CoverReply> = failed('overloaded');
    const quick = start({ tst: () => done(SLICE), stf: () => done(SLICE) }, clock);
    // First it answers for no base, then for one.
    const slow = start({ tst: () => answer, stf: () => failed('overloaded'), stj: () => answer }, clock);
    await clock.advance(6 * MINUTE_MS);
    const asked = slow.asked.length;
    answer = done({ ...SLICE, total: 9 });
    await clock.advance(10 * MINUTE_MS);
    // The first two come from the file; it calculated the third itself.
    expect(slow.asked.slice(asked)).toEqual(['stj>0']);
    expect(slow.actor.current.bases.map(({ total }) => total)).toEqual([7, 7, 9]);
    const stored = JSON.parse(readFileSync(file, 'utf8')) as { bases: { base: string }[] };
    expect(stored.bases.map(({ base }) => base).toSorted()).toEqual(['stf', 'stj', 'tst']);
    quick.actor.close();
    slow.actor.close();
  });

  test('is recalculated 24 hours after its calculation, across restarts', async () => {
    const clock = new SimulatedClock();
    const first = start(OF_TST, clock);
    await clock.advance(6 * MINUTE_MS);
    first.actor.close();
    await clock.advance(23 * HOUR_MS);
    const second = start({ tst: () => done({ ...SLICE, total: 9 }) }, clock);
    await clock.advance(58 * MINUTE_MS);
    expect(of(second.actor, 'tst')?.total).toBe(7);
    await clock.advance(2 * MINUTE_MS);
    expect(of(second.actor, 'tst')?.total).toBe(9);
  });

  test('with a stored time in the future is recalculated', async () => {
    const clock = new SimulatedClock();
    const first = start(OF_TST, clock);
    await clock.advance(6 * MINUTE_MS);
    first.actor.close();
    clock.stepWall(-48 * HOUR_MS);
    const second = start({ tst: () => done({ ...SLICE, total: 8 }) }, clock);
    await clock.advance(MINUTE_MS);
    expect(of(second.actor, 'tst')?.total).toBe(8);
  });

  test('is recalculated if the clock is set back', async () => {
    const { clock, actor, asked } = start();
    await clock.advance(6 * MINUTE_MS);
    clock.stepWall(-7 * 24 * HOUR_MS);
    await clock.advance(2 * HOUR_MS);
    expect(asked).toHaveLength(2);
    expect(of(actor, 'tst')?.calculado_em).toMatch(/^2026-03-03/);
  });

  test('is never a mix of two files: it is calculated again', async () => {
    const files = ['first', 'second', 'second', 'second'];
    const { clock, actor } = start({
      tst: (from) => done({ ...SLICE, to: from === 0 ? 500 : null, file: files.shift() ?? '' }),
    });
    await clock.advance(COVERAGE_FIRST_MS + MINUTE_MS);
    expect(of(actor, 'tst')).toEqual({ base: 'tst', calculado: false });
    await clock.advance(HOUR_MS);
    expect(of(actor, 'tst')).toMatchObject({ calculado: true, total: 14 });
  });

  test('is the sum of slices, undated ones included, with pauses between them', async () => {
    const dated = (judged: readonly number[], published: readonly number[]) => ({
      judged_min: judged[0] ?? null,
      judged_max: judged[1] ?? null,
      published_min: published[0] ?? null,
      published_max: published[1] ?? null,
    });
    const slices = new Map([
      [0, { ...dated([20100101, 20110101], [20100201, 20110201]), to: 500 }],
      [500, { ...dated([], []), to: 900 }],
      [900, { ...dated([20010101, 20240101], [20010201, 20090201]), to: null }],
    ]);
    const clock = new SimulatedClock();
    const { actor, asked } = start({ stj: (from) => done({ ...SLICE, ...slices.get(from) }) }, clock);
    await clock.advance(5 * MINUTE_MS);
    expect(asked).toEqual(['stj>0']);
    await clock.advance(MINUTE_MS);
    expect(asked).toEqual(['stj>0', 'stj>500', 'stj>900']);
    expect(of(actor, 'stj')).toMatchObject({
      total: 21,
      periodo_do_julgamento: { de: '2001-01-01', ate: '2024-01-01' },
      periodo_da_publicacao: { de: '2001-02-01', ate: '2011-02-01' },
    });
  });

  test('keeps the old values of a base that does not answer, and retries', async () => {
    let isUp = true;
    const { clock, actor } = start({
      tst: () => (isUp ? done(SLICE) : failed('unavailable')),
      stj: () => done(SLICE),
    });
    await clock.advance(6 * MINUTE_MS);
    isUp = false;
    await clock.advance(25 * HOUR_MS);
    expect(of(actor, 'tst')).toMatchObject({
      calculado: true,
      calculado_em: expect.stringMatching(/^2026-03-10/),
    });
    expect(of(actor, 'stj')).toMatchObject({ calculado_em: expect.stringMatching(/^2026-03-11/) });
    isUp = true;
    await clock.advance(10 * MINUTE_MS);
    expect(of(actor, 'tst')).toMatchObject({ calculado_em: expect.stringMatching(/^2026-03-11/) });
  });

  test.each(['', '{', '[]', '{"versao":1,"bases":[{"base":"xyz"}]}', '\0\0\0', '{"versao":9,"bases":[]}'])(
    'treats a damaged file (%j) as absent',
    async (content) => {
      writeFileSync(file, content);
      const { clock, actor, logged } = start();
      expect(logged).toContain('coverage file ignored');
      await clock.advance(4 * MINUTE_MS);
      expect(of(actor, 'tst')).toEqual({ base: 'tst', calculado: false });
      await clock.advance(2 * MINUTE_MS);
      expect(of(actor, 'tst')?.calculado).toBe(true);
      expect(JSON.parse(readFileSync(file, 'utf8'))).toMatchObject({ versao: 1 });
    },
  );

  test('that cannot be stored is served, and the reason logged', async () => {
    mkdirSync(file);
    const { clock, actor, logged } = start();
    await clock.advance(6 * MINUTE_MS);
    expect(of(actor, 'tst')?.total).toBe(7);
    expect(logged).toContain('coverage file not written');
  });
});
