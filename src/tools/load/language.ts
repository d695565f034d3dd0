import { numbersIn } from '../../contract/numbers.ts';
import type { Distribution, PercentileName } from './histogram.ts';
import { roundedPercentile, roundedRate, type Rounded } from './rounding.ts';

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
  const rounded = ({ value, decimals, isOpen }: Rounded) => {
    const decimal = { useGrouping, minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    return `${isOpen ? say('~', '≈ ') : ''}${value.toLocaleString(locale, decimal)}`;
  };
  const any = say('any', 'qualquer');
  return {
    isPage: locale === 'pt-BR',
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
    /** Rounded as its sample supports, marked if the sample is too small for an upper bound. */
    percentile: (times: Distribution | null | undefined, name: PercentileName) =>
      times === null || times === undefined ? whole(null) : rounded(roundedPercentile(times, name)),
    /** Counted in some seconds, a second. */
    perSecond: (count: number, seconds: number) => rounded(roundedRate(count, seconds)),
  };
}

/** The parts of a list, with the last by its word. */
export function listed(parts: readonly string[], and: string): string {
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} ${and} ${parts.at(-1)}`;
}
