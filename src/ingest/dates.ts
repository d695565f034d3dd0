import { existsInCalendar } from '../contract/calendar.ts';

/** The last days on which a decision known by now can have been judged, and published. */
export interface LastDays {
  readonly judged: string;
  readonly published: string;
}

/** The two dates of a decision, `YYYY-MM-DD` or null. */
export interface Dates {
  readonly judged: string | null;
  readonly published: string | null;
}

/** A date of a court's record as it came, and the name under which `extras` keeps it where it is not used so. */
export interface CourtDate {
  readonly name: string;
  readonly value: unknown;
}

/**
 * Tomorrow, for no clock or time zone is exact to the day; a publication may be announced for later, as a gazette that
 * comes out before the courts' recess counts as published after it.
 */
export function lastDays(now: Date): LastDays {
  return { judged: dayAfter(now, 1), published: dayAfter(now, DAYS_ANNOUNCED_MAX) };
}

/**
 * The dates that can be true: those outside 1800 to the last day are null, unless they have lost their century and the
 * other one proves it. @param dates days as written, in the calendar or not.
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
/** A court that publishes a decision does so within these years; in a hundred more, no century is proved. */
const YEARS_TO_PUBLISH_MAX = 20;

function dayAfter(now: Date, days: number): string {
  return new Date(now.getTime() + days * DAY_MS).toISOString().slice(0, 10);
}

function possible(day: string | null, last: string): string | null {
  return day !== null && existsInCalendar(day) && day >= FIRST_DAY && day <= last ? day : null;
}

/** A day of a year `00YY` in the one century that the other date agrees with. */
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
