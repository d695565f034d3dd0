import { Elysia } from 'elysia';
import { adminJson } from '../answer.ts';
import type { AdminPart } from '../app.ts';

/** One of several processes that serve, as an operator sees it. */
export interface ProcessState {
  /** Its number, from 1. */
  readonly process: number;
  readonly pid: number | null;
  readonly state: 'serving' | 'starting' | 'ended';
  readonly since: Date | null;
  readonly restarts: number;
  /** Requests answered since it began to serve. */
  readonly answers: number | null;
  readonly memory_bytes: number | null;
}

export interface ProcessesOptions {
  /** Absent where one process is all there is. */
  readonly processes?: () => readonly ProcessState[];
}

const ESTADOS = { serving: 'atende', starting: 'iniciando', ended: 'fora' } as const;

/** The processes that serve; none are listed where there is only this one. */
export function processesRoutes({ processes }: ProcessesOptions): AdminPart {
  return new Elysia().get('/console/api/processos', () =>
    adminJson(200, { processos: (processes?.() ?? []).map(describe) }),
  );
}

export type ProcessReport = ReturnType<typeof describe>;

function describe({ process, pid, state, since, restarts, answers, memory_bytes }: ProcessState) {
  return {
    processo: process,
    pid,
    estado: ESTADOS[state],
    desde: since?.toISOString() ?? null,
    reinicios: restarts,
    respostas: answers,
    memoria_bytes: memory_bytes,
  };
}
