import type { BaseStatus } from '../engine/snapshot.ts';

/** A base as one process has it. */
interface OfProcess {
  /** What an operator calls it: `process 2`, `node a`. */
  readonly name: string;
  readonly status: BaseStatus;
}

const NONE: BaseStatus = {
  state: 'unknown',
  detail: '',
  threads: 0,
  threads_busy: 0,
  threads_left_behind: 0,
  restarts: 0,
  waiting: 0,
  under_way: 0,
  result_cache_bytes: 0,
  generation: null,
  docs: null,
  made_up: null,
};

/**
 * A base as all of them together have it: up where it is in one of them; threads, queues and memory added up; the data as
 * the one has them that has seen the latest.
 */
export function mergedStatus(all: readonly OfProcess[]): BaseStatus {
  const [first] = all;
  if (first === undefined) return NONE;
  if (all.length === 1) return first.status;
  const statuses = all.map(({ status }) => status);
  const sum = (of: (status: BaseStatus) => number) =>
    statuses.reduce((total, status) => total + of(status), 0);
  const { generation, docs, made_up } = statuses.reduce((latest, status) =>
    (status.generation ?? -1) > (latest.generation ?? -1) ? status : latest,
  );
  return {
    ...stateOf(all),
    threads: sum(({ threads }) => threads),
    threads_busy: sum(({ threads_busy }) => threads_busy),
    threads_left_behind: sum(({ threads_left_behind }) => threads_left_behind),
    restarts: sum(({ restarts }) => restarts),
    waiting: sum(({ waiting }) => waiting),
    under_way: sum(({ under_way }) => under_way),
    result_cache_bytes: sum(({ result_cache_bytes }) => result_cache_bytes),
    generation,
    docs,
    made_up,
  };
}

/** Where it is down in some only, it says in which. */
function stateOf(all: readonly OfProcess[]): Pick<BaseStatus, 'state' | 'detail'> {
  const down = all.filter(({ status }) => status.state === 'down');
  const isUp = all.some(({ status }) => status.state === 'up');
  const [first] = down;
  if (first === undefined) return { state: isUp ? 'up' : 'unknown', detail: '' };
  if (!isUp) return { state: 'down', detail: first.status.detail };
  const names = down.map(({ name }) => name).join(', ');
  return { state: 'up', detail: `down in ${names}: ${first.status.detail}` };
}
