import type { Rng } from './rng.ts';

const DAY_MS = 86_400_000;
/** Judgments cover twenty years up to a fixed day, because the data must not depend on the clock. */
const FIRST_DAY = Date.UTC(2006, 9, 30);
/** The number of days, the last included. */
const DAYS = (Date.UTC(2026, 9, 30) - FIRST_DAY) / DAY_MS + 1;

/** Days from judgment to publication: the deciles of a delay whose median is 6, as in published decisions. */
const DELAYS = [1, 2, 3, 4, 5, 6, 6, 7, 9, 12, 20, 45];

/**
 * The dates of lines follow a court that delivers its archive in growing instalments, each running
 * from the oldest decision to the newest: 2,000 lines, then 4,000, 8,000 and so on. So any run covers
 * the years in roughly rising order, whatever its length, and a longer run extends a shorter one.
 */
const FIRST_SWEEP = 2000;
/** Below 1, so that later years have more decisions, as in real courts. */
const RECENT = 0.36;

/** `YYYY-MM-DD` of a day number (0 is the first); null outside the calendar. */
export function isoDate(day: number): string | null {
  return day < DAYS ? dateOf(day).toISOString().slice(0, 10) : null;
}

export function yearOf(day: number): number {
  return dateOf(day).getUTCFullYear();
}

function dateOf(day: number): Date {
  return new Date(FIRST_DAY + day * DAY_MS);
}

/**
 * The day number on which line `index` was judged: a working day, roughly rising with the line.
 * @param firstDay the court's first day, `YYYY-MM-DD`; without it, the calendar's first day.
 */
export function judgmentDay(rng: Rng, index: number, firstDay?: string): number {
  let sweep = FIRST_SWEEP;
  let position = index;
  for (; position >= sweep; sweep *= 2) position -= sweep;
  const risen = (position / sweep) ** RECENT * DAYS + (rng.unit() + rng.unit() - 1) * 120;
  // A few decisions arrive late, out of order.
  const day = rng.chance(0.04) ? rng.below(DAYS) : risen;
  // Reflects days outside the calendar. Clamping would give the first and last day a hundred times their share.
  const inside = day < 0 ? -day : day > DAYS - 1 ? 2 * (DAYS - 1) - day : day;
  const from = firstDay === undefined ? 0 : (Date.parse(firstDay) - FIRST_DAY) / DAY_MS;
  return Math.min(DAYS - 1, workingDay(rng, Math.floor(from + inside * (1 - from / DAYS))));
}

/** It may fall outside the calendar. */
export function publicationDay(rng: Rng, judged: number): number {
  return workingDay(rng, judged + rng.pick(DELAYS));
}

/** A date in the years before a day, as ementas write it: `12/03/2019`. */
export function writtenDate(rng: Rng, upToDay: number): string {
  const date = dateOf(Math.max(0, upToDay - 30 - rng.below(1500)));
  return date.toISOString().slice(0, 10).split('-').toReversed().join('/');
}

/** Nearly always the day itself or the Monday after it. */
function workingDay(rng: Rng, day: number): number {
  const weekday = dateOf(day).getUTCDay();
  if ((weekday !== 0 && weekday !== 6) || rng.chance(0.02)) return day;
  return day + (weekday === 6 ? 2 : 1);
}
