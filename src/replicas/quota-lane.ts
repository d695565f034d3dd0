import { randomUUID } from 'node:crypto';
import type { QuotaState } from '../shared/quota.ts';
import { counterName } from './counters.ts';

/** A charge that waits. */
export interface Waiter {
  readonly limit: number;
  readonly resolve: (state: QuotaState) => void;
}

export interface Addition {
  readonly name: string;
  readonly units: number;
  readonly id: string;
}

/** A key on a day. Charges during an addition are combined in the next one. */
export class Lane {
  waiting: Waiter[] = [];
  isAdding = false;
  /** While the counter is being read. */
  reading: Promise<void> | null = null;
  /** Charged on this day, by all processes, as last reported, without what is paid ahead here. */
  used = 0;
  /** The counter some seconds ago, from which a process that fell silent since took its part, 0 if not known; and as noted last. */
  usedBefore = 0;
  usedLast = 0;
  notedAt = Number.NEGATIVE_INFINITY;
  /** Units that are counted, and may be granted here without asking. */
  ahead = 0;
  /** Charges in the last second, about. */
  perSecond = 0;
  addedAt = 0;
  /** Charges since the last addition. */
  charges = 0;
  cancelReturn: () => void = () => undefined;
  /** While the counters are silent: what this process may still grant. */
  allowance: number | null = null;
  /** Until then a used-up quota is not read again. */
  fullUntil = Number.NEGATIVE_INFINITY;
  readonly day: number;
  /** The counter for the key on this day. */
  readonly name: string;

  constructor(day: number, key: string) {
    this.day = day;
    this.name = counterName(day, key);
  }
}

export function additionOf(name: string, units: number): Addition {
  return { name, units, id: randomUUID() };
}
