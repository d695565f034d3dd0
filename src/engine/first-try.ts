import { FIRST_TRY_SLOWNESS, FIRST_TRY_WORK_MS } from '../config/limits.ts';
import type { Envelope } from './mailbox.ts';
import type { BaseReply, BaseRequest } from './messages.ts';
import type { Outcome } from './outcome.ts';
import { countMs } from './requests.ts';

/** The request with the limits of its first try. */
export function firstTryOf(request: BaseRequest): BaseRequest {
  const work_ms = firstTryWorkMs(request);
  const most = work_ms * FIRST_TRY_SLOWNESS;
  const limited = { ...request, work_ms, budget_ms: Math.min(most, request.budget_ms) };
  if (limited.kind !== 'search' || limited.count_ms === null) return limited;
  return { ...limited, count_ms: Math.min(most, limited.count_ms) };
}

/** Processor time of a first try, milliseconds. */
export function firstTryWorkMs(request: BaseRequest): number {
  const isRelevance = request.kind === 'search' && request.ordem === 'relevancia';
  return isRelevance ? FIRST_TRY_WORK_MS.relevance : FIRST_TRY_WORK_MS.other;
}

/** A request as its sender put it, and how long the sender waits. */
type Put = Pick<Envelope<{ readonly request: BaseRequest }, BaseReply>, 'message' | 'deadline' | 'open'>;

/**
 * True when the limits of a first try ended a request that still has time.
 * @param sent the request with those limits.
 * @param now when the outcome came.
 */
export function isCutShort(
  sent: BaseRequest | undefined,
  outcome: Outcome<BaseReply>,
  { message, deadline, open }: Put,
  now: number,
): boolean {
  if (sent?.work_ms === undefined || !open()) return false;
  const countingMs = countMs(message.request);
  const left = deadline - now - countingMs;
  if (!outcome.ok) return outcome.failure === 'deadline' && left > sent.work_ms;
  const { value } = outcome;
  const isUncounted = value.kind === 'search' && value.contagem === null;
  return isUncounted && value.count_ms < countingMs && left > 0;
}
