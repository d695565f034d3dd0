import { numbersIn } from '../../contract/numbers.ts';
import { PERCENTILES, type Distribution, type PercentileName } from './histogram.ts';

/** With fewer, one answer more or less may double the percentile. */
const BEYOND_MIN = 4;

/** How a report is written: in English in the terminal, in Portuguese on the page. */
export type Language = ReturnType<typeof languageOf>;

export const ENGLISH = languageOf('en');
export const PORTUGUESE = languageOf('pt-BR');

function languageOf(locale: 'en' | 'pt-BR') {
  const useGrouping = locale === 'pt-BR';
  const { whole, number, percent, finePercent } = numbersIn(locale);
  const digits = (most: number, signDisplay: 'auto' | 'exceptZero' = 'auto') =>
    new Intl.NumberFormat(locale, { useGrouping, maximumSignificantDigits: most, signDisplay });
  const [oneDigit, threeDigits, signed] = [digits(1), digits(3), digits(3, 'exceptZero')];
  const say = (english: string, portuguese: string) => (locale === 'en' ? english : portuguese);
  const short = (value: number) => (value >= 1_000 ? whole(value) : threeDigits.format(value));
  const any = say('any', 'qualquer');
  return {
    /** The text in this language. */
    say,
    whole,
    /** Milliseconds with a useful number of digits. */
    ms: number,
    /** At most three digits, unless there are more before the point. */
    short,
    /** A change or an end of its interval, with its sign. */
    signed: (value: number) => (Number.isFinite(value) ? signed.format(value) : any),
    /** @param share from 0 to 1; near the ends with a decimal, since 0 and 100% are said of no others. */
    percent: (share: number | null) => {
      if (share !== null && share > 0 && share < 0.01) return `${oneDigit.format(share * 100)}%`;
      return share !== null && share >= 0.99 ? finePercent(share) : percent(share);
    },
    rate: (perS: number) => `${short(perS)}/s`,
    /** Marked if fewer than four answers are beyond it. */
    percentile: (times: Distribution | null | undefined, name: PercentileName) => {
      if (times === null || times === undefined) return whole(null);
      const beyond = times.count * (1 - PERCENTILES[name] / 100);
      return `${beyond < BEYOND_MIN ? say('~', '≈ ') : ''}${number(times[name])}`;
    },
  };
}

/** The parts of a list, with the last by its word. */
export function listed(parts: readonly string[], and: string): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${and} ${parts.at(-1)}`;
}
