import type { Step } from '../../src/engine/steps.ts';
import type { RequestNotes } from '../../src/http/observer.ts';
import type { SearchPage } from '../../src/search/page.ts';

/** What a service of one process has used in a second. */
export const LOAD = { cpu_ms: 500, loop_delay_ms: 3, memory_bytes: 1_000, processes: 1, reporting: 1 };

/** An ask of a base that was answered. */
export const stepOf = (changed: Partial<Step>): Step => ({
  base: 'stj',
  kind: 'relevancia',
  startedAt: 0,
  queueMs: 1,
  runMs: 10,
  countMs: 0,
  rowsMs: 0,
  cached: false,
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
  ...changed,
});
