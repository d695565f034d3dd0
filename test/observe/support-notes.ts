import type { BaseStatus } from '../../src/engine/messages.ts';
import type { Step } from '../../src/engine/steps.ts';
import type { RequestNotes } from '../../src/http/observer.ts';
import type { SearchPage } from '../../src/search/page.ts';

/** What a service has used in a second. */
export const LOAD = { cpu_ms: 500, loop_delay_ms: 3, memory_bytes: 1_000 };

/** A base that answers. */
export const STATUS_UP: BaseStatus = {
  state: 'up',
  detail: '',
  threads: 1,
  threads_busy: 0,
  threads_left_behind: 0,
  restarts: 0,
  waiting: 0,
  under_way: 0,
  generation: 1,
  docs: 1,
  made_up: false,
};

/** An ask of a base that was answered. */
export const stepOf = (changed: Partial<Step>): Step => ({
  base: 'stj',
  kind: 'relevancia',
  startedAt: 0,
  queueMs: 1,
  runMs: 10,
  countMs: 0,
  rowsMs: 0,
  outcome: 'ok',
  ...changed,
});

/** A search that asked no base, and has no page. */
export const notesOf = (changed: Partial<RequestNotes>): RequestNotes => ({
  requestId: 'r',
  startedAt: 0,
  route: 'busca',
  keyId: null,
  refusal: null,
  isAbandoned: false,
  fault: null,
  pedido: null,
  page: null,
  isKept: false,
  steps: [],
  ...changed,
});

/** A page without decisions. */
export const pageOf = (changed: Partial<SearchPage>): SearchPage => ({
  itens: [],
  por_base: [],
  timings: [],
  bases_sem_resposta: [],
  cursor: null,
  absent: [],
  versions: new Map(),
  isWhole: true,
  ...changed,
});
