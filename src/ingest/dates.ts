import { existsInCalendar } from '../contract/calendar.ts';

/** The latest plausible days of judgment and of publication. */
export interface LastDays {
  readonly judged: string;
  readonly published: string;
}

/** The two dates of a decision, `YYYY-MM-DD` or null. */
export interface Dates {
  readonly judged: string | null;
  readonly published: string | null;
}

/** A date of a court's record as received, and its name in `extras`, which keeps it if it is not used unchanged. */
export interface CourtDate {
  readonly name: string;
  readonly value: unknown;
}

/**
 * The latest judgment is tomorrow, because of clocks and time zones. A publication may be announced for a later day: a
 * gazette issued before the courts' recess counts as published after it.
 */
export function lastDays(now: Date): LastDays {
  return { judged: dayAfter(now, 1), published: dayAfter(now, DAYS_ANNOUNCED_MAX) };
}

/**
 * The plausible dates. A date before 1800 or after the last day becomes null. A date that lost its century gets it back if
 * the other date proves it. @param dates days as written; they may not exist in the calendar.
 */
export function possibleDates(dates: Dates, last: LastDays): Dates {
  const judged = possible(dates.judged, last.judged);
  const published = possible(dates.published, last.published);
  return {
    judged: judged ?? withCentury(dates.judged, last.judged, (day) => follows(published, day)),
    published: published ?? withCentury(dates.published, last.published, (day) => follows(day, judged)),
  };
}

const FIRST_DAY = '1800-01-01';
const DAY_MS = 86_400_000;
const DAYS_ANNOUNCED_MAX = 60;
/** Courts publish within this many years. A limit below 100 leaves one possible century. */
const YEARS_TO_PUBLISH_MAX = 20;

function dayAfter(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

function possible(day: string | null, last: string): string | null {
  return day !== null && existsInCalendar(day) && day >= FIRST_DAY && day <= last ? day : null;
}

/** A day of a year `00YY`, moved to the one century that fits the other date. */
function withCentury(
  day: string | null,
  last: string,
  agrees: (candidate: string) => boolean,
): string | null {
  if (day?.startsWith('00') !== true) return null;
  for (let century = Number(last.slice(0, 2)); century >= 18; century -= 1) {
    const candidate = possible(`${century}${day.slice(2)}`, last);
    if (candidate !== null && agrees(candidate)) return candidate;
  }
  return null;
}

function follows(published: string | null, judged: string | null): boolean {
  if (published === null || judged === null || published < judged) return false;
  return Number(published.slice(0, 4)) - Number(judged.slice(0, 4)) <= YEARS_TO_PUBLISH_MAX;
}
