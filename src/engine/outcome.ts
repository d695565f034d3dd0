/**
 * Why a base gives no reply. Nothing is thrown across a thread, where an error would lose its class and code.
 * `deadline`: the budget ran out; `overloaded`: a bounded queue is full; `unavailable`: the base failed.
 */
export const FAILURES = ['deadline', 'overloaded', 'unavailable'] as const;
/** `abandoned` is no fault of the base: the sender left first. */
export type Failure = (typeof FAILURES)[number] | 'abandoned';
export type Failed = { readonly ok: false; readonly failure: Failure; readonly detail?: string };
export type Outcome<T> = { readonly ok: true; readonly value: T } | Failed;

export function done<T>(value: T): Outcome<T> {
  return { ok: true, value };
}

export function failed(failure: Failure, detail?: string): Failed {
  return detail === undefined ? { ok: false, failure } : { ok: false, failure, detail };
}
