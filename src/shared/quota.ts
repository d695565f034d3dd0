import type { Clock } from '../clock.ts';

export const DAY_MS = 86_400_000;
/** A clock may step back over midnight, or be days ahead until it is put right. */
const DAYS_KEPT = 3;

/** The state of a key's quota today, after the charge. */
export interface QuotaState {
  /** False if the day's quota was already used up: nothing was charged. */
  readonly granted: boolean;
  readonly limit: number;
  readonly remaining: number;
  /** Seconds to the next UTC midnight, rounded up. */
  readonly resetSeconds: number;
}

/** Counts each key's searches and record reads per UTC day. With the counts in this process it answers synchronously. */
export interface Quota {
  /** Charges one unit, atomically and before the work starts. */
  charge(key: string, limit: number): QuotaState | Promise<QuotaState>;
  /** The state without a charge, for answers that cost nothing. */
  peek(key: string, limit: number): QuotaState | Promise<QuotaState>;
}

/** The quotas of a service with a single process. A restart begins a new count. */
export function quotaOfThisProcess(clock: Clock): Quota {
  /** Units by key, of the latest days, newest first. */
  let days = new Map<number, Map<string, number>>();
  const today = () => {
    const day = dayOfTime(clock.date());
    const known = days.get(day);
    if (known !== undefined) return known;
    const made = new Map<string, number>();
    days = new Map([[day, made] as const, ...days].slice(0, DAYS_KEPT));
    return made;
  };
  return {
    charge: (key, limit) => {
      const counts = today();
      const used = counts.get(key) ?? 0;
      const granted = used < limit;
      if (granted) counts.set(key, used + 1);
      return quotaState(clock, granted ? used + 1 : used, limit, granted);
    },
    peek: (key, limit) => quotaState(clock, today().get(key) ?? 0, limit, true),
  };
}

export function quotaState(clock: Clock, used: number, limit: number, granted: boolean): QuotaState {
  const resetSeconds = Math.ceil((DAY_MS - (clock.date().getTime() % DAY_MS)) / 1_000);
  return { granted, limit, remaining: Math.max(0, limit - used), resetSeconds };
}

export function dayOfTime(time: Date): number {
  return Math.floor(time.getTime() / DAY_MS);
}
