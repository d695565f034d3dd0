import type { Registry } from 'prom-client';
import type { BaseStatus } from '../../engine/snapshot.ts';
import type { Cobertura } from '../../contract/cobertura.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { baseFileFacts, diskOf, type Disk } from '../data-disk.ts';
import { PREFIX } from './naming.ts';
import type { PromClient } from './metric-set.ts';

/** Sources of the gauges. */
export interface States {
  readonly bases: () => Readonly<Partial<Record<Base, BaseStatus>>>;
  readonly coverage: () => Cobertura;
  /** Searches that wait for the turn of their key, and of how many keys; absent on a node, which has no searches. */
  readonly waiting?: () => { readonly searches: number; readonly askers: number };
  readonly dataFolder: string;
  readonly fileOf: (base: Base) => string;
}

/** Of several processes that serve the same bases the greatest of each counts; the others are added up. */
const NOT_ADDED: ReadonlySet<string> = new Set([
  'base_up',
  'base_decisions',
  'base_data_generation',
  'base_coverage_timestamp_seconds',
  'base_file_bytes',
  'data_disk_bytes',
  'data_disk_free_bytes',
]);

type Shown = readonly (readonly [labels: Record<string, string>, value: number])[];

type AddGauge = (name: string, help: string, labelNames: readonly string[], shown: () => Shown) => void;

/** Gauges of the bases, read when `/metrics` is. */
export function registerStates({ Counter, Gauge }: PromClient, registry: Registry, states: States): void {
  const { bases, coverage } = states;
  const statuses = () => Object.entries(bases());
  const gauge: AddGauge = (name, help, labelNames, shown) => {
    const made = new Gauge({
      name: `${PREFIX}${name}`,
      help,
      labelNames,
      registers: [registry],
      aggregator: NOT_ADDED.has(name) ? 'max' : 'sum',
      collect: () => {
        made.reset();
        for (const [labels, value] of shown()) made.set(labels, value);
      },
    });
  };
  const ofBase = (name: string, help: string, value: (status: BaseStatus) => number | null) => {
    gauge(name, help, ['base'], () =>
      statuses().flatMap(([base, status]) => {
        const known = value(status);
        return known === null ? [] : [[{ base }, known] as const];
      }),
    );
  };
  ofBase('base_up', 'Whether the base answers: 1 or 0', ({ state }) => (state === 'up' ? 1 : 0));
  ofBase(
    'base_result_cache_bytes',
    'Estimated size of the result cache of the base',
    ({ result_cache_bytes }) => result_cache_bytes,
  );
  ofBase('base_queue_length', 'Asks that wait for a thread of the base', ({ waiting }) => waiting);
  ofBase('base_decisions', 'Decisions that the base holds', ({ docs }) => docs);
  ofBase(
    'base_data_generation',
    'Data generation of the base, which rises with each load',
    ({ generation }) => generation,
  );
  gauge(
    'base_threads',
    'Threads of the base: idle and busy ones of its pool, and those left behind that still run',
    ['base', 'state'],
    () => statuses().flatMap(([base, status]) => threadsOf(base, status)),
  );
  const restarts = new Counter({
    name: `${PREFIX}base_thread_restarts_total`,
    help: 'Threads of the base that were started anew',
    labelNames: ['base'],
    registers: [registry],
    collect: () => {
      restarts.reset();
      for (const [base, status] of statuses()) restarts.inc({ base }, status.restarts);
    },
  });
  registerDisk(gauge, states);
  registerTurns(gauge, states);
  gauge(
    'base_coverage_timestamp_seconds',
    'When the coverage of the base was calculated, since the Unix epoch; absent before the first time',
    ['base'],
    () =>
      coverage().bases.flatMap(({ base, calculado_em }) =>
        calculado_em === undefined ? [] : [[{ base }, Date.parse(calculado_em) / 1_000] as const],
      ),
  );
}

/** Searches that wait before any base is asked. */
function registerTurns(gauge: AddGauge, { waiting }: States): void {
  if (waiting === undefined) return;
  const add = (name: string, help: string, value: () => number) => {
    gauge(name, help, [], () => [[{}, value()]]);
  };
  add('turn_waiting_searches', 'Searches that wait for the turn of their key', () => waiting().searches);
  add('turn_waiting_keys', 'Keys with a search that waits for its turn', () => waiting().askers);
}

/** Room on the disk of the data, and the files of the bases. */
function registerDisk(gauge: AddGauge, { bases, dataFolder, fileOf }: States): void {
  gauge('base_file_bytes', 'Size of the file of the base with its write-ahead log', ['base'], () =>
    BASES.flatMap((base) => {
      const file = bases()[base] === undefined ? null : baseFileFacts(fileOf(base));
      return file === null ? [] : [[{ base }, file.bytes] as const];
    }),
  );
  const ofDisk = (name: string, help: string, value: (disk: Disk) => number) => {
    gauge(name, help, [], () => {
      const disk = diskOf(dataFolder);
      return disk === null ? [] : [[{}, value(disk)]];
    });
  };
  ofDisk('data_disk_bytes', 'Size of the disk of the data folder', ({ bytes }) => bytes);
  ofDisk('data_disk_free_bytes', 'Free bytes of that disk', ({ freeBytes }) => freeBytes);
}

function threadsOf(base: string, { threads, threads_busy, threads_left_behind }: BaseStatus): Shown {
  return [
    [{ base, state: 'idle' }, threads - threads_busy],
    [{ base, state: 'busy' }, threads_busy],
    [{ base, state: 'left_behind' }, threads_left_behind],
  ];
}
