import { forEachOf } from '../contract/records.ts';
import type { BaseStatus } from '../engine/messages.ts';

interface OfProcess {
  /** The name shown to operators: `process 2`, `node a`. */
  readonly name: string;
  readonly status: BaseStatus;
}

const ADDED = [
  'threads',
  'threads_busy',
  'threads_left_behind',
  'restarts',
  'waiting',
  'under_way',
  'result_cache_bytes',
] as const;

/** Up if any process has the base up; threads, queues and memory added up; the data of the latest generation. */
export function mergedStatus(all: readonly OfProcess[]): BaseStatus {
  const [first] = all;
  if (first !== undefined && all.length === 1) return first.status;
  const statuses = all.map(({ status }) => status);
  const latest = statuses.toSorted((a, b) => (b.generation ?? -1) - (a.generation ?? -1)).at(0);
  const { generation, docs, made_up } = latest ?? { generation: null, docs: null, made_up: null };
  const added = forEachOf(ADDED, (key) => statuses.reduce((sum, status) => sum + status[key], 0));
  return { ...stateOf(all), ...added, generation, docs, made_up };
}

/** If it is down only in some, the detail names them. */
function stateOf(all: readonly OfProcess[]): Pick<BaseStatus, 'state' | 'detail'> {
  const down = all.filter(({ status }) => status.state === 'down');
  const isUp = all.some(({ status }) => status.state === 'up');
  const [first] = down;
  if (first === undefined) return { state: isUp ? 'up' : 'unknown', detail: '' };
  if (!isUp) return { state: 'down', detail: first.status.detail };
  const names = down.map(({ name }) => name).join(', ');
  return { state: 'up', detail: `down in ${names}: ${first.status.detail}` };
}
