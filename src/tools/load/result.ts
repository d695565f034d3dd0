import { readFileSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { PlainError } from '../../process/fail.ts';
import { forEachOf, keysOf } from '../../contract/records.ts';
import { nullable } from '../../contract/nullable.ts';
import { CurvePointSchema, DistributionSchema } from './histogram.ts';
import { BASE_COUNTS, BATCH_COUNTS, STEP_COUNTS } from './tally.ts';
import { KINDS, PlanSchema, RecordingSchema } from './plan.ts';

/** The format of a run's JSON. `version` rises when a field changes its meaning or is removed. */
export const RUN_SCHEMA = 'jurisprudencia-load';
export const RUN_VERSION = 6;

export const LATENCY_KINDS = ['all', ...KINDS] as const;
const { connection_waits: _, ...outcomes } = STEP_COUNTS;
const OUTCOME_COUNTS = keysOf(outcomes);

const Count = Type.Integer({ minimum: 0 });
const Ms = Type.Number({ minimum: 0 });

const DistributionOrNone = nullable(DistributionSchema);

/** A base's figures over a step's searches, with times reported by the service. */
const BaseStepSchema = Type.Object({
  base: Type.String(),
  latency_ms: DistributionOrNone,
  ...forEachOf(keysOf(BASE_COUNTS), () => Count),
  // Several equally slow bases share one search.
  slowest: Type.Number({ minimum: 0 }),
});

export const BATCH_PERCENTILES = ['p50', 'p99'] as const;
/** The requests due in a batch of seconds. */
const BatchSchema = Type.Object({
  ...forEachOf(keysOf(BATCH_COUNTS), () => Count),
  /** Null without answers. */
  latency_ms: nullable(Type.Object(forEachOf(BATCH_PERCENTILES, () => Ms))),
});

const StepSchema = Type.Object({
  rate_per_s: Type.Number({ exclusiveMinimum: 0 }),
  seconds: Type.Number({ minimum: 0 }),
  ...forEachOf(OUTCOME_COUNTS, () => Count),
  errors: Type.Array(Type.Object({ error: Type.String(), count: Count })),
  /** Complete answers for each second of the step. */
  complete_per_s: Type.Number({ minimum: 0 }),
  latency_ms: Type.Object(forEachOf(LATENCY_KINDS, () => DistributionOrNone)),
  service_ms: DistributionOrNone,
  /** The slowest base's percentage of a search's time, from its real start. */
  slowest_base_percent: DistributionOrNone,
  generator: Type.Object({
    cpu_share: Type.Number({ minimum: 0 }),
    lateness_ms: DistributionOrNone,
    connection_waits: Count,
  }),
  bases: Type.Array(BaseStepSchema),
  curve: Type.Array(CurvePointSchema),
  /** In the order of time, over all passes; the last one only if it was measured whole. */
  batches: Type.Array(BatchSchema),
  /** `latency_ms.all` as an HDR histogram of microseconds: V2, compressed, base64. */
  hdr: Type.String(),
});

const WarningSchema = Type.Object({
  code: Type.Enum([
    'machine_busy',
    'generator_cpu',
    'generator_late',
    'connections_busy',
    'quota_low',
    'ip_limit',
    'few_samples',
    'interrupted',
    'cached',
  ]),
  value: Type.Number(),
  /** The rate at which it was measured; null for the whole run. */
  rate_per_s: nullable(Type.Number()),
  /** What to doubt, and the mend. */
  text: Type.String(),
});

/** A `--fail-if` condition, at the rate that comes nearest to meeting it. */
const VerdictSchema = Type.Object({
  condition: Type.String(),
  is_met: Type.Boolean(),
  /** Null without answers, which meets the condition. */
  value: nullable(Type.Number()),
  /** Null for all rates. */
  rate_per_s: nullable(Type.Number()),
  /** True if the interval of the difference holds 0. */
  is_noise: Type.Boolean(),
});

export const RunSchema = Type.Object({
  schema: Type.Literal(RUN_SCHEMA),
  version: Type.Literal(RUN_VERSION),
  name: Type.String(),
  started_at: Type.String(),
  url: Type.String(),
  machine: Type.Object({
    cores: Type.Integer({ minimum: 1 }),
    processor: Type.String(),
    memory_gib: Type.Number({ minimum: 0 }),
    system: Type.String(),
    bun: Type.String(),
    load_average: Type.Number(),
  }),
  plan: PlanSchema,
  /** What was replayed; null without `--replay`. */
  recording: nullable(RecordingSchema),
  /** The header `Jurisprudencia-Versao` of a search over all bases before the load; null if there was none. */
  data: nullable(Type.String()),
  /** All requests that the service received, to check the service's count. */
  requests: Type.Object({ before: Count, warm_up: Count, measured: Count }),
  steps: Type.Array(StepSchema, { minItems: 1 }),
  knee: Type.Object({
    found: Type.Enum(['knee', 'above', 'below', 'single']),
    /** The last rate that the service kept up with, or null. */
    rate_per_s: nullable(Type.Number()),
    /** Why the service did not keep up at each step; empty if it did. */
    reasons: Type.Array(Type.Array(Type.Enum(['incomplete', 'slow']))),
  }),
  warnings: Type.Array(WarningSchema),
  verdicts: Type.Array(VerdictSchema),
});

export type Run = Static<typeof RunSchema>;
export type Step = Static<typeof StepSchema>;
export type Batch = Static<typeof BatchSchema>;
export type BaseStep = Static<typeof BaseStepSchema>;
export type Warning = Static<typeof WarningSchema>;
export type Verdict = Static<typeof VerdictSchema>;
export type Knee = Run['knee'];

/** Reads a saved run. @throws PlainError if the file is not a run or has another version. */
export function readRun(file: string): Run {
  const text = readFileSync(file, 'utf8');
  let run: unknown;
  try {
    run = JSON.parse(text);
  } catch {
    throw new PlainError(`${file} is not JSON, or was cut; name a file that --json wrote`);
  }
  const runCheck = Compile(RunSchema);
  if (runCheck.Check(run) && run.knee.reasons.length === run.steps.length) return run;
  const { schema, version } = isRecord(run) ? run : {};
  if (schema !== RUN_SCHEMA)
    throw new PlainError(`${file} is not a run of this command; name a file that --json wrote`);
  if (version !== RUN_VERSION) {
    throw new PlainError(
      `${file} has version ${String(version)}, this command reads ${RUN_VERSION}; run it again`,
    );
  }
  const [first] = runCheck.Errors(run);
  throw new PlainError(`${file} is damaged at ${first?.instancePath ?? '/knee/reasons'}; run it again`);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null;
}
