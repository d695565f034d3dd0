import { BASES } from '../../../src/contract/vocabulary.ts';
import { outcomeOf } from '../../../src/tools/load/answer.ts';
import { findKnee } from '../../../src/tools/load/knee.ts';
import type { Kind } from '../../../src/tools/load/plan.ts';
import { randomNumbers } from '../../../src/tools/load/random.ts';
import { RUN_SCHEMA, RUN_VERSION, type Run, type Step } from '../../../src/tools/load/result.ts';
import { stepResult } from '../../../src/tools/load/step-result.ts';
import { Tally, type Sample } from '../../../src/tools/load/tally.ts';
import { searchBody } from './fake-service.ts';

export const BATCH_S = 2;
const SECONDS = 10;
/** The made-up service's: past it waits grow with time. */
const CAPACITY_PER_S = 400;

export interface Made {
  readonly kind?: Kind;
  readonly status?: number;
  readonly body?: string;
  readonly head?: string;
  readonly dueAt?: number;
  readonly tookMs?: number;
  readonly lateMs?: number;
  readonly mishap?: 'timeout' | 'closed' | 'unsent';
}

/** A request and what became of it. */
export function sample(made: Made = {}): Sample {
  const { kind = 'search', status = 200, body = searchBody(), head = '', mishap } = made;
  const { dueAt = 0, tookMs = 10, lateMs = 0 } = made;
  return {
    ask: { kind, about: 'q=a', path: '/' },
    dueAt,
    pickedAt: dueAt + lateMs,
    sentAt: dueAt + lateMs,
    endedAt: dueAt + tookMs,
    foundNoConnection: false,
    result: mishap ?? { status, body: Buffer.from(body), head, closes: false },
  };
}

export function tallied(samples: readonly Sample[]): Tally {
  const tally = new Tally(BATCH_S * 1_000, 'relevancia');
  for (const one of samples) tally.record(one, outcomeOf(one, false), one.dueAt);
  return tally;
}

export function stepOf(ratePerS: number, samples: readonly Sample[], seconds = 1): Step {
  return stepResult(ratePerS, tallied(samples), [{ measuredMs: seconds * 1_000, cpuShare: 0.2 }]);
}

/** A step of a made-up service that keeps up with 400 requests a second, with some of everything that can go wrong. */
function madeStep(ratePerS: number, factor: number): Step {
  const random = randomNumbers(ratePerS);
  const samples = Array.from({ length: ratePerS * SECONDS }, (_, at) => {
    const dueAt = (at * 1000) / ratePerS;
    const excess = Math.max(0, ratePerS / CAPACITY_PER_S - 1);
    const tookMs = factor * (4 - 6 * Math.log(1 - random())) + excess * dueAt * 0.5;
    const por_base = BASES.map((base, place) => ({
      base,
      ordem_aplicada: random() < excess * 0.2 ? 'recentes' : 'relevancia',
      encontrados_ate_1000: 3,
      ms: Math.round((tookMs * (0.4 + 0.1 * place) * random()) / 1.2),
    }));
    const bases_sem_resposta = tookMs > 1_500 ? [{ base: 'stj', tempo_esgotado: true }] : [];
    const failed = at % 500 === 499 ? { status: 500, body: '{"codigo":"ERRO_INTERNO"}' } : {};
    const body = searchBody({ por_base, bases_sem_resposta });
    return sample({ dueAt, lateMs: random(), tookMs: tookMs + 1, body, ...failed });
  });
  return stepOf(ratePerS, samples, SECONDS);
}

const made = new Map<string, readonly Step[]>();

/** A run as the command would write it, the same every time. @param factor slower by so many times. */
export function madeRun(rates: readonly number[], factor = 1, name = ''): Run {
  const steps = made.getOrInsertComputed(`${rates.join()} ${factor}`, () =>
    rates.map((rate) => madeStep(rate, factor)),
  );
  return {
    schema: RUN_SCHEMA,
    version: RUN_VERSION,
    name,
    started_at: '2026-03-10T12:00:00.000Z',
    url: 'http://127.0.0.1:3000',
    machine: { cores: 2, processor: 'X', memory_gib: 8, system: 'linux', bun: '1.4.5', load_average: 0.1 },
    plan: {
      rates_per_s: [...rates],
      duration_s: SECONDS,
      passes: 1,
      batch_s: BATCH_S,
      warmup_s: 3,
      arrivals: 'poisson',
      follow: 0.2,
      records: 0.2,
      limite: 20,
      ordem: 'relevancia',
      queries: 'the built-in list',
      queries_count: 65,
      seed: 1,
      connections: 1_000,
      timeout_s: 10,
    },
    recording: null,
    data: 'tst=1-a',
    requests: { before: 1, warm_up: 30, measured: 300 },
    steps: [...steps],
    verdicts: [],
    knee: findKnee(steps),
    warnings: [{ code: 'cached', value: 0.91, rate_per_s: rates[0] ?? 1, text: 'see --queries' }],
  };
}
