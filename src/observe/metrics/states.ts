import type { Registry } from '@prometheus-io/client';
import type { BaseStatus } from '../../engine/messages.ts';
import type { Cobertura } from '../../contract/cobertura.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import { baseFileFacts, diskOf, syncedFileAt } from '../data-disk.ts';
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

type Value = number | null | undefined;
type Add<Read> = (name: string, help: string, read: Read) => void;

/** Adds a metric by what its value is of; one without a value has no line. */
interface Adding {
  readonly lines: Add<() => readonly Line[]>;
  readonly service: Add<() => Value>;
  readonly bases: Add<(base: Base) => Value>;
}

/** Metrics of the bases and their disk, read at each `GET /metrics`. */
export function registerStates(registry: Registry, states: States): void {
  const lines: Adding['lines'] = (name, help, read) => {
    addRead(registry, PREFIX + name, help, read);
  };
  const add: Adding = {
    lines,
    service: (name, help, read) => {
      lines(name, help, () => lineOf({}, read()));
    },
    bases: (name, help, read) => {
      lines(name, help, () => BASES.flatMap((base) => lineOf({ base }, read(base))));
    },
  };
  addBases(add, states);
  addService(add, states);
  if (states.files !== undefined) addFiles(add, states.files);
}

function addBases(add: Adding, { bases, coverage, fileOf, dataFolder }: States): void {
  const of = (base: Base) => bases()[base];
  add.bases('base_up', 'Whether the base answers: 1 or 0', (base) => Number(of(base).state === 'up'));
  add.bases('base_queue_length', 'Asks that wait for a thread of the base', (base) => of(base).waiting);
  add.bases('base_decisions', 'Decisions that the base holds', (base) => of(base).docs);
  const generation = 'Data generation of the base, which rises with each load';
  add.bases('base_data_generation', generation, (base) => of(base).generation);
  const threads = 'Threads of the base: idle and busy ones of its pool, and those left behind that still run';
  add.lines('base_threads', threads, () => Object.entries(bases()).flatMap(threadsOf));
  const restarts = 'Threads of the base that were started anew';
  add.bases('base_thread_restarts_total', restarts, (base) => of(base).restarts);
  const bytes = 'Size of the file of the base with its write-ahead log';
  add.bases('base_file_bytes', bytes, (base) => baseFileFacts(fileOf(base))?.bytes);
  add.bases(
    'base_coverage_timestamp_seconds',
    'When the coverage of the base was calculated, since the Unix epoch; absent before the first time',
    (base) => secondsOf(coverage().bases.find((one) => one.base === base)?.calculado_em),
  );
  add.bases(
    'base_synced_file_timestamp_seconds',
    'Day of the latest file that sync loaded into the base, since the Unix epoch; absent without one',
    (base) => syncedFileAt(dataFolder, base),
  );
}

/** Its disk, its cache, and searches that wait before any base is asked. */
function addService(add: Adding, { dataFolder, cacheBytes, waiting }: States): void {
  add.service('data_disk_bytes', 'Size of the disk of the data folder', () => diskOf(dataFolder)?.bytes);
  add.service('data_disk_free_bytes', 'Free bytes of that disk', () => diskOf(dataFolder)?.freeBytes);
  add.service('result_cache_bytes', 'Estimated size of the cache of answers', cacheBytes);
  const searches = 'Searches that wait for the turn of their key';
  add.service('turn_waiting_searches', searches, () => waiting().searches);
  add.service('turn_waiting_keys', 'Keys with a search that waits for its turn', () => waiting().askers);
}

function addFiles(add: Adding, files: NonNullable<States['files']>): void {
  const ofFile = (name: string, help: string, read: (file: FollowedFile) => Value) => {
    add.bases(`base_published_${name}`, help, (base) => {
      const file = files()[base];
      return file && read(file);
    });
  };
  const current = 'Whether the base has the published data: 1 or 0';
  ofFile('file_current', current, ({ state }) => Number(state === 'current'));
  const published = 'When the data that the base follows were published, since the Unix epoch';
  ofFile('timestamp_seconds', published, ({ published_at }) => secondsOf(published_at));
  const fault = 'Whether the published file cannot be followed: 1 or 0';
  ofFile('file_fault', fault, (file) => Number(file.fault !== null));
  ofFile('file_failures_total', 'Files that could not be fetched', ({ failures }) => failures);
}

function secondsOf(time: string | null | undefined): Value {
  return time ? Date.parse(time) / 1_000 : null;
}

function threadsOf([base, status]: readonly [string, BaseStatus]): readonly Line[] {
  const { threads, threads_busy, threads_left_behind } = status;
  const counts = { idle: threads - threads_busy, busy: threads_busy, left_behind: threads_left_behind };
  return Object.entries(counts).map(([state, value]) => ({ labels: { base, state }, value }));
}
