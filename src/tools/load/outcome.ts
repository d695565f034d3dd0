import { searchEnd, type SearchEnd } from './answer.ts';
import type { Answer } from './http-reader.ts';
import type { Sample } from './engine.ts';

/**
 * The outcome of a request. `incomplete`: a search without the answer of some base. `rejected`: a search that
 * the service rejected under overload. `error`: any other failure, by name.
 */
export type Outcome =
  | { readonly is: 'complete' | 'incomplete' | 'rejected'; readonly end: SearchEnd | null }
  | { readonly is: 'error'; readonly error: string }
  | { readonly is: 'interrupted' };

/** Waits that ended without an answer. Their time counts as a latency, as its lower bound. */
const WAITED_IN_VAIN = new Set(['timeout', 'unsent', '504 TEMPO_ESGOTADO']);
const CODIGO = /"codigo":"([A-Z_]{1,40})"/u;

/** @param wasStopped true if the load was stopped early, which closes every connection. */
export function outcomeOf({ ask, result }: Pick<Sample, 'ask' | 'result'>, wasStopped: boolean): Outcome {
  if (typeof result === 'string') {
    const wasCut = wasStopped && (result === 'closed' || result === 'unsent' || result === 'connect');
    return wasCut ? { is: 'interrupted' } : { is: 'error', error: result };
  }
  if (result.status !== 200) return { is: 'error', error: statusName(result) };
  return ask.kind === 'record' ? { is: 'complete', end: null } : searchOutcome(result);
}

/** True if the time of such a request is a wait for the user. */
export function isWait(outcome: Outcome): boolean {
  if (outcome.is === 'error') return WAITED_IN_VAIN.has(outcome.error);
  return outcome.is === 'complete' || outcome.is === 'incomplete';
}

function searchOutcome(answer: Answer): Outcome {
  let end: SearchEnd;
  try {
    end = searchEnd(answer);
  } catch {
    return { is: 'error', error: 'not_a_search' };
  }
  const { bases_sem_resposta: missing, por_base } = end;
  if (missing.length === 0) return { is: 'complete', end };
  const isRejected = missing.length === por_base.length && missing.every((base) => !base.tempo_esgotado);
  return { is: isRejected ? 'rejected' : 'incomplete', end };
}

/** The status with the contract's `codigo`, which the per-IP limit or a proxy does not send. */
function statusName({ status, body }: Answer): string {
  const codigo = CODIGO.exec(body.toString('latin1', 0, 1_024))?.[1];
  return codigo === undefined ? String(status) : `${status} ${codigo}`;
}
