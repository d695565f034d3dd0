import { keep, NOTHING, type Piece } from './pieces.ts';
import type { Rng } from './rng.ts';

const DAY_MS = 86_400_000;
/** Judgments cover twenty years up to a fixed day, because the data must not depend on the clock. */
const FIRST_DAY = Date.UTC(2006, 9, 30);
const LAST_DAY = Date.UTC(2026, 9, 30);
/** The number of days on which a decision may be judged or published, including the last. */
export const DAYS = Math.round((LAST_DAY - FIRST_DAY) / DAY_MS) + 1;

/** Every day as `YYYY-MM-DD`, and its weekday (0 is Sunday). */
const dates: readonly string[] = Array.from({ length: DAYS }, (_, day) =>
  new Date(FIRST_DAY + day * DAY_MS).toISOString().slice(0, 10),
);
const writtenDates: readonly Piece[] = dates.map((date) =>
  keep(`${date.slice(8)}/${date.slice(5, 7)}/${date.slice(0, 4)}`),
);
const weekdayOfFirst = new Date(FIRST_DAY).getUTCDay();

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
  return dates[day] ?? null;
}

/** The number of a day given as `YYYY-MM-DD`. */
export function dayOf(date: string): number {
  return Math.round((Date.parse(date) - FIRST_DAY) / DAY_MS);
}

/** The year of a day number. */
export function yearOf(day: number): number {
  return Number((dates[day] ?? '').slice(0, 4));
}

/** The day number on which line `index` was judged: a working day, roughly rising with the line. */
export function judgmentDay(rng: Rng, index: number): number {
  let sweep = FIRST_SWEEP;
  let position = index;
  for (; position >= sweep; sweep *= 2) position -= sweep;
  const day = (position / sweep) ** RECENT * DAYS + (rng.unit() + rng.unit() - 1) * 120;
  // A few decisions arrive late, out of any order.
  return workingDay(rng.chance(0.04) ? rng.below(DAYS) : day, rng);
}

/** The day number of publication after a judgment; it may fall outside the calendar. */
export function publicationDay(rng: Rng, judged: number): number {
  const day = judged + rng.pick(DELAYS);
  return rng.chance(0.02) ? day : afterWeekend(day);
}

/** A date as ementas write it, `12/03/2019`, in the years before a day. */
export function writtenDate(rng: Rng, upToDay: number): Piece {
  return writtenDates[Math.max(0, upToDay - 30 - rng.below(1500))] ?? NOTHING;
}

/** The same day, or the Monday after it. */
export function nextWorkingDay(day: number): number {
  return Math.min(DAYS - 1, afterWeekend(day));
}

function afterWeekend(day: number): number {
  const weekday = (weekdayOfFirst + day) % 7;
  return day + (weekday === 6 ? 2 : weekday === 0 ? 1 : 0);
}

function workingDay(day: number, rng: Rng): number {
  // Reflects days outside the calendar. Clamping would give the first and last day a hundred times their share.
  const inside = day < 0 ? -day : day > DAYS - 1 ? 2 * (DAYS - 1) - day : day;
  const whole = Math.floor(inside);
  const weekday = (weekdayOfFirst + whole) % 7;
  if ((weekday !== 0 && weekday !== 6) || rng.chance(0.02)) return whole;
  return whole > 2 ? whole - (weekday === 0 ? 2 : 1) : whole + 2;
}
