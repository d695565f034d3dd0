import { InvalidArgumentError, Option, type Command } from 'commander';
import { operatorCommand } from '../../process/command.ts';
import { number, whole } from '../../process/option-values.ts';
import { LIMITE_MAX, LIMITE_PADRAO, ORDENS, type Ordem } from '../../contract/vocabulary.ts';
import { PlainError } from '../../process/fail.ts';
import { conditionsOf, type Condition } from './fail-if.ts';
import { ARRIVALS, type Plan } from './plan.ts';

/** The parsed options; times in milliseconds. */
export interface LoadOptions {
  readonly key?: string;
  readonly rate?: number;
  readonly rateFrom?: number;
  readonly rateTo?: number;
  readonly steps?: number;
  readonly passes?: number;
  readonly duration?: number;
  readonly warmup?: number;
  readonly arrivals: Plan['arrivals'];
  readonly queries?: string;
  readonly replay?: string;
  readonly speed?: number;
  readonly loop?: boolean;
  readonly failIf?: readonly Condition[];
  readonly follow: number;
  readonly records: number;
  readonly limite: number;
  readonly ordem: Ordem;
  readonly connections: number;
  readonly timeout: number;
  readonly seed: number;
  readonly name?: string;
  readonly html?: string;
  readonly json?: string;
  readonly compare?: string;
  readonly otherData?: boolean;
  readonly from?: string;
  readonly allowRemote?: boolean;
}

export const KEY_VARIABLE = 'LOAD_KEY';
export const STEPS_DEFAULT = 8;
/** A sweep has many short passes, because a slow period of the machine then falls on all rates. */
export const DEFAULTS = {
  one: { rate: 50, passes: 1, duration: 30_000, warmup: 3_000 },
  sweep: { passes: 10, duration: 2_000, warmup: 1_000 },
} as const;
const PASSES_MAX = 100;
const STEPS_MAX = 50;
const RATE_MAX = 200_000;
const CONNECTIONS_MAX = 20_000;
const DAY_MS = 86_400_000;
/** The histograms are limited to an hour. */
const TIMEOUT_MAX_MS = 600_000;
const MS_PER: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000 };
const EXAMPLES = `
Examples:
  bun run load http://127.0.0.1:3000 --rate 200 --html report.html
  bun run load http://127.0.0.1:3000 --rate-from 5 --rate-to 80 --json a.json
  bun run load http://127.0.0.1:3000 --rate-from 5 --rate-to 80 --compare a.json
  bun run load --from b.json --compare a.json --fail-if 'p99>+20%'
  bun run load http://127.0.0.1:3000 --replay searches.jsonl --speed 2
  bun run load http://127.0.0.1:3000 --fail-if 'p99>200,complete<99'

Latency counts from the time a request was due. Ctrl-C ends the load early and
reports what was measured.

Figures of --fail-if: p50, p90, p95, p99, p99.9, max, mean (ms); complete,
incomplete, errors, cached (%); rate (complete/s); knee (of a sweep, 1/s). Each
rate counts; a figure without any answer meets its condition. A number with a
sign is a difference from the run of --compare: p99>+20%, complete<-1 (points);
one whose interval holds 0 meets no condition.
Exit: 0 success, 1 not run, 2 a condition met, 3 no complete answer, 130 Ctrl-C`;

/** @param run receives the address (absent with --from) and the options. */
export function loadCommand(run: (url: string | undefined, options: LoadOptions) => Promise<void>): Command {
  return operatorCommand(
    'load',
    'Asks a running service for searches, pages and records at a given rate, and reports latencies.',
  )
    .argument('[url]', 'address of the service, such as http://127.0.0.1:3000')
    .addOption(new Option('--key <key>', 'API key; better in the environment').env(KEY_VARIABLE))
    .option('--rate <n>', `requests a second (default: ${DEFAULTS.one.rate})`, number(0.1, RATE_MAX))
    .option('--rate-from <n>', 'first rate of a sweep', number(0.1, RATE_MAX))
    .option('--rate-to <n>', 'last rate of a sweep', number(0.1, RATE_MAX))
    .option('--steps <n>', `rates of a sweep (default: ${STEPS_DEFAULT})`, whole(2, STEPS_MAX))
    .option(
      '--passes <n>',
      `over all rates (default: 1, in a sweep ${DEFAULTS.sweep.passes})`,
      whole(1, PASSES_MAX),
    )
    .option('--duration <time>', 'of each rate in a pass (default: 30s, in a sweep 2s)', time(100, DAY_MS))
    .option('--warmup <time>', 'before it, in no figure (default: 3s, in a sweep 1s)', time(0, DAY_MS))
    .addOption(new Option('--arrivals <kind>', 'random or even').choices(ARRIVALS).default('poisson'))
    .option('--queries <file>', 'one q a line (default: a built-in list)')
    .option('--replay <file>', 'send what SEARCH_LOG recorded, at its own times')
    .option('--speed <n>', 'times the recording’s speed (default: 1)', number(0.01, 1_000))
    .option('--loop', 'repeat the recording until --duration is over')
    .option('--follow <share>', 'fraction of searches that follow a cursor', number(0, 1), 0.2)
    .option('--records <share>', 'fraction of requests that read a record', number(0, 1), 0.2)
    .option('--limite <n>', 'items a page', whole(1, LIMITE_MAX), LIMITE_PADRAO)
    .addOption(new Option('--ordem <ordem>', 'requested order').choices(ORDENS).default('relevancia'))
    .addOption(
      new Option('--timeout <time>', 'longest wait for an answer')
        .argParser(time(100, TIMEOUT_MAX_MS))
        .default(10_000, '10s'),
    )
    .option('--connections <n>', 'maximum connections', whole(1, CONNECTIONS_MAX), 1_000)
    .option('--seed <n>', 'seed of the requests and their times', whole(0, 2 ** 31), 1)
    .option('--name <text>', 'name of the run in a report')
    .option('--fail-if <conditions>', 'such as p99>200,complete<99; see below', conditions)
    .option('--html <file>', 'write the report')
    .option('--json <file>', 'write the figures')
    .option('--compare <file>', 'the --json of an earlier run to compare with')
    .option('--other-data', 'compare although the data differ')
    .option('--from <file>', 'report a saved run again, without a load')
    .option('--allow-remote', 'load a host that is not this machine')
    .addHelpText('after', EXAMPLES)
    .allowExcessArguments(false)
    .action(run);
}

function conditions(text: string): readonly Condition[] {
  try {
    return conditionsOf(text);
  } catch (error) {
    throw error instanceof PlainError ? new InvalidArgumentError(`${error.message}.`) : error;
  }
}

/** A time with a unit; a bare number is seconds. */
function time(minMs: number, maxMs: number): (text: string) => number {
  return (text) => {
    const [, amount, unit = 's'] = /^(\d+(?:\.\d+)?)(ms|s|m|h)?$/u.exec(text) ?? [];
    const ms = amount === undefined ? Number.NaN : Number(amount) * (MS_PER[unit] ?? Number.NaN);
    if (ms >= minMs && ms <= maxMs) return ms;
    throw new InvalidArgumentError(
      `It must be a time from ${minMs} ms to ${maxMs / 1000} s, such as 500ms, 30s or 2m.`,
    );
  };
}
