import type { Step } from '../../engine/steps.ts';
import { hundredths } from '../../http/server-timing.ts';
import type { Base } from '../../contract/vocabulary.ts';

/** A request to a base as the console shows it: times in milliseconds from the arrival of the search. */
export interface Passo {
  readonly base: Base;
  readonly passo: Step['kind'];
  readonly inicio_ms: number;
  readonly fila_ms: number;
  readonly exec_ms: number;
  readonly contagem_ms: number;
  readonly linhas_ms: number;
  /** True where the result cache answered. */
  readonly do_cache: boolean;
  readonly resultado: Step['outcome'];
}

/** @param startedAt the arrival, on the clock of the steps. */
export function passoOf(step: Step, startedAt: number): Passo {
  return {
    base: step.base,
    passo: step.kind,
    inicio_ms: hundredths(step.startedAt - startedAt),
    fila_ms: hundredths(step.queueMs),
    exec_ms: hundredths(step.runMs),
    contagem_ms: hundredths(step.countMs),
    linhas_ms: hundredths(step.rowsMs),
    do_cache: step.cached,
    resultado: step.outcome,
  };
}
