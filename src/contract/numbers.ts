export const NO_VALUE = '–';
type Value = number | null | undefined;

/** Numbers as pages and reports write them; a dash for none. */
export function numbersIn(locale: 'pt-BR' | 'en') {
  // A terminal's columns have no thousands separator.
  const useGrouping = locale === 'pt-BR';
  const withDecimals = (count: number) =>
    new Intl.NumberFormat(locale, {
      useGrouping,
      minimumFractionDigits: count,
      maximumFractionDigits: count,
    });
  const [wholes, one, two] = [withDecimals(0), withDecimals(1), withDecimals(2)];
  const whole = (value: Value) => (value === null || value === undefined ? NO_VALUE : wholes.format(value));
  /** @param part from 0 to 1. */
  const percent = (part: Value) =>
    part === null || part === undefined ? NO_VALUE : `${wholes.format(part * 100)}%`;
  return {
    whole,
    /** About three significant digits. */
    number: (value: Value) => {
      if (value === null || value === undefined) return NO_VALUE;
      const size = Math.abs(value);
      if (size >= 100 || size === 0) return whole(value);
      return (size >= 10 ? one : two).format(value);
    },
    one: (value: number) => one.format(value),
    percent,
    /** Rounded down to a tenth: only exactly 1 becomes 100%. @param part from 0 to 1. */
    finePercent: (part: Value) => {
      if (part === null || part === undefined || part === 1 || part === 0) return percent(part);
      return `${one.format(Math.floor(part * 1_000 + 1e-9) / 10)}%`;
    },
  };
}
