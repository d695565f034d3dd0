import { findKnee } from '../../../src/tools/load/knee.ts';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { randomNumbers } from '../../../src/tools/load/random.ts';
import { RUN_SCHEMA, RUN_VERSION, type Run, type Step } from '../../../src/tools/load/result.ts';
import { stepResult } from '../../../src/tools/load/step-result.ts';
import { outcomeOf } from '../../../src/tools/load/answer.ts';
import { Tally } from '../../../src/tools/load/tally.ts';
import { searchBody } from './fake-service.ts';

const BATCH_MS = 2_000;
const SECONDS = 10;
/** The made-up service's: past it waits grow with time. */
const CAPACITY_PER_S = 400;

/** A step of a made-up service that keeps up with 400 requests a second, with some of everything that can go wrong. */
function madeStep(ratePerS: number, factor: number): Step {
  const random = randomNumbers(ratePerS);
  const tally = new Tally(BATCH_MS, 'relevancia');
  for (let at = 0; at < ratePerS * SECONDS; at += 1) {
    const dueMs = (at * 1000) / ratePerS;
    const excess = Math.max(0, ratePerS / CAPACITY_PER_S - 1);
    const tookMs = factor * (4 - 6 * Math.log(1 - random())) + excess * dueMs * 0.5;
    const isSlow = tookMs > 1_500;
    const por_base = BASES.map((base, place) => ({
      base,
      ordem_aplicada: random() < excess * 0.2 ? 'recentes' : 'relevancia',
      encontrados_ate_1000: 3,
      ms: Math.round((tookMs * (0.4 + 0.1 * place) * random()) / 1.2),
    }));
    const bases_sem_resposta = isSlow ? [{ base: 'stj', tempo_esgotado: true }] : [];
    const isError = at % 500 === 499;
    const body = Buffer.from(
      isError ? '{"codigo":"ERRO_INTERNO"}' : searchBody({ por_base, bases_sem_resposta }),
    );
    const sample = {
      ask: { kind: 'search', about: '', path: '' },
      dueAt: dueMs,
      pickedAt: dueMs + random(),
      sentAt: dueMs + 1,
      endedAt: dueMs + 1 + tookMs,
      result: { status: isError ? 500 : 200, head: '', body, closes: false },
    } as const;
    tally.record(sample, outcomeOf(sample, false), dueMs);
  }
  return stepOf(tally, ratePerS, SECONDS * 1000);
}

/** The step of what was tallied. */
export function stepOf(tally: Tally, ratePerS: number, measuredMs = 1_000): Step {
  return stepResult(ratePerS, tally, [{ measuredMs, cpuShare: 0.2 }]);
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
      batch_s: BATCH_MS / 1_000,
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
    warnings: [
      {
        code: 'cached',
        value: 0.91,
        rate_per_s: rates[0] ?? 1,
        text: 'from the result cache; see --queries',
      },
    ],
  };
}
