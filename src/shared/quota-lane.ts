import { randomUUID } from 'node:crypto';

/** The state of a key's quota today, after the charge. */
export interface QuotaState {
  /** False if the day's quota was already used up: nothing was charged. */
  readonly granted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds to the next UTC midnight, rounded up. */
  readonly resetSeconds: number;
}

export interface Waiter {
  readonly limit: number;
  state: QuotaState | null;
  resolve: ((state: QuotaState) => void) | null;
}

/** A key on a day. Charges during an addition are combined in the next one. */
export interface Lane {
  waiting: Waiter[];
  isAdding: boolean;
  /** While the counter is being read. */
  reading: Promise<void> | null;
  /** The counter for the key on this day. */
  name: string;
  day: number;
  /** Charged on this day, by all processes, as last reported, without what is paid ahead here. */
  used: number;
  /** The counter some seconds ago, from which a process that fell silent since took its part; and as noted last. */
  usedBefore: number;
  usedLast: number | null;
  notedAt: number;
  /** Units that are counted, and may be granted here without asking. */
  ahead: number;
  /** Charges in the last second, about. */
  perSecond: number;
  addedAt: number;
  /** Charges since the last addition. */
  charges: number;
  cancelReturn: () => void;
  /** While the counters are silent: what this process may still grant. */
  allowance: number | null;
  /** Until then a used-up quota is not read again. */
  fullUntil: number;
}

export interface Addition {
  readonly name: string;
  readonly units: number;
  readonly id: string;
}

type OfDay = 'day' | 'name' | 'used' | 'usedBefore' | 'usedLast' | 'notedAt' | 'ahead' | 'allowance';

export function newLane(): Omit<Lane, OfDay> {
  return {
    waiting: [],
    isAdding: false,
    reading: null,
    perSecond: 0,
    addedAt: 0,
    charges: 0,
    cancelReturn: () => undefined,
    fullUntil: Number.NEGATIVE_INFINITY,
  };
}

export function reply(waiter: Waiter, state: QuotaState): void {
  waiter.state = state;
  waiter.resolve?.(state);
}

export function additionOf(name: string, units: number): Addition {
  return { name, units, id: randomUUID() };
}
