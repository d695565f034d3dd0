import type { Registry } from '@prometheus-io/client';
import type { BaseStatus } from '../../engine/messages.ts';
import type { Cobertura } from '../../contract/cobertura.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { baseFileFacts, diskOf, syncedFileAt, type Disk } from '../data-disk.ts';
import { addRead, lineOf, PREFIX, type Line } from '../tally-set.ts';

/** Sources of the gauges. */
export interface States {
  readonly bases: () => Readonly<Record<Base, BaseStatus>>;
  readonly coverage: () => Cobertura;
  /** Searches that wait for their key's turn, and the number of such keys. */
  readonly waiting: () => { readonly searches: number; readonly askers: number };
  /** Memory that the cache of answers holds. */
  readonly cacheBytes: () => number;
  readonly files?: (() => Readonly<Partial<Record<Base, FollowedFile>>>) | undefined;
  readonly dataFolder: string;
  readonly fileOf: (base: Base) => string;
}

/** A published file that a base follows. */
export interface FollowedFile {
  readonly state: 'current' | 'fetching' | 'behind' | 'unpublished';
  /** Its data version. */
  readonly published: string | null;
  readonly file: string | null;
  readonly published_at: string | null;
  readonly fault: string | null;
  readonly failures: number;
}

type Add = (name: string, help: string, lines: () => readonly Line[]) => void;

/** Metrics of the bases and their disk, read at each `GET /metrics`. */
export function registerStates(registry: Registry, states: States): void {
  const add: Add = (name, help, lines) => {
    addRead(registry, PREFIX + name, help, lines);
  };
  addBases(add, states);
  addDisk(add, states);
  add('result_cache_bytes', 'Estimated size of the cache of answers', () => lineOf({}, states.cacheBytes()));
  addTurns(add, states);
  addFiles(add, states);
}

function addBases(add: Add, { bases, coverage, fileOf }: States): void {
  const ofBases = (
    name: string,
    help: string,
    read: (status: BaseStatus, base: Base) => number | null | undefined,
  ) => {
    add(name, help, () => {
      const statuses = bases();
      return BASES.flatMap((base) => lineOf({ base }, read(statuses[base], base)));
    });
  };
  ofBases('base_up', 'Whether the base answers: 1 or 0', ({ state }) => (state === 'up' ? 1 : 0));
  ofBases('base_queue_length', 'Asks that wait for a thread of the base', ({ waiting }) => waiting);
  ofBases('base_decisions', 'Decisions that the base holds', ({ docs }) => docs);
  ofBases(
    'base_data_generation',
    'Data generation of the base, which rises with each load',
    ({ generation }) => generation,
  );
  add(
    'base_threads',
    'Threads of the base: idle and busy ones of its pool, and those left behind that still run',
    () => Object.entries(bases()).flatMap(([base, status]) => threadsOf(base, status)),
  );
  ofBases(
    'base_thread_restarts_total',
    'Threads of the base that were started anew',
    ({ restarts }) => restarts,
  );
  ofBases(
    'base_file_bytes',
    'Size of the file of the base with its write-ahead log',
    (_, base) => baseFileFacts(fileOf(base))?.bytes,
  );
  add(
    'base_coverage_timestamp_seconds',
    'When the coverage of the base was calculated, since the Unix epoch; absent before the first time',
    () =>
      coverage().bases.flatMap(({ base, calculado_em }) =>
        lineOf({ base }, calculado_em === undefined ? null : Date.parse(calculado_em) / 1_000),
      ),
  );
}

function addDisk(add: Add, { dataFolder }: States): void {
  add(
    'base_synced_file_timestamp_seconds',
    'Day of the latest file that sync loaded into the base, since the Unix epoch; absent without one',
    () => BASES.flatMap((base) => lineOf({ base }, syncedFileAt(dataFolder, base))),
  );
  const ofDisk = (name: string, help: string, read: (disk: Disk) => number) => {
    add(name, help, () => {
      const disk = diskOf(dataFolder);
      return lineOf({}, disk && read(disk));
    });
  };
  ofDisk('data_disk_bytes', 'Size of the disk of the data folder', ({ bytes }) => bytes);
  ofDisk('data_disk_free_bytes', 'Free bytes of that disk', ({ freeBytes }) => freeBytes);
}

/** Searches that wait before any base is asked. */
function addTurns(add: Add, { waiting }: States): void {
  add('turn_waiting_searches', 'Searches that wait for the turn of their key', () =>
    lineOf({}, waiting().searches),
  );
  add('turn_waiting_keys', 'Keys with a search that waits for its turn', () => lineOf({}, waiting().askers));
}

function addFiles(add: Add, { files }: States): void {
  if (files === undefined) return;
  const ofFiles = (name: string, help: string, read: (file: FollowedFile) => number) => {
    add(name, help, () => Object.entries(files()).flatMap(([base, file]) => lineOf({ base }, read(file))));
  };
  ofFiles('base_published_file_current', 'Whether the base has the published data: 1 or 0', ({ state }) =>
    state === 'current' ? 1 : 0,
  );
  add(
    'base_published_timestamp_seconds',
    'When the data that the base follows were published, since the Unix epoch',
    () =>
      Object.entries(files()).flatMap(([base, { published_at }]) =>
        lineOf({ base }, published_at === null ? null : Date.parse(published_at) / 1_000),
      ),
  );
  ofFiles(
    'base_published_file_fault',
    'Whether the published file cannot be followed: 1 or 0',
    ({ fault }) => (fault === null ? 0 : 1),
  );
  ofFiles(
    'base_published_file_failures_total',
    'Files that could not be fetched',
    ({ failures }) => failures,
  );
}

function threadsOf(
  base: string,
  { threads, threads_busy, threads_left_behind }: BaseStatus,
): readonly Line[] {
  const counts = { idle: threads - threads_busy, busy: threads_busy, left_behind: threads_left_behind };
  return Object.entries(counts).map(([state, value]) => ({ labels: { base, state }, value }));
}
