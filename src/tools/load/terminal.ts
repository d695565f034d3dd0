export const SUMMARY_WIDTH = 80;
const MARGIN = 2;

export type Column<T> = readonly [name: string, cell: (of: T) => string];

/** Aligns the first column left, the rest right, with narrower gaps if the table is too wide. */
export function table<T>(columns: readonly Column<T>[], rows: readonly T[], first: number): string[] {
  const lines = [columns.map(([name]) => name), ...rows.map((row) => columns.map(([, cell]) => cell(row)))];
  const widths = columns.map((_, at) =>
    Math.max(at === 0 ? first : 0, ...lines.map((cells) => cells[at]?.length ?? 0)),
  );
  const width = widths.reduce((sum, one) => sum + MARGIN + one, -MARGIN);
  const gap = ' '.repeat(width > SUMMARY_WIDTH ? 1 : MARGIN);
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, at) => (at === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[at] ?? 0)))
      .join(gap);
  return lines.map((cells) => line(cells).trimEnd());
}

/** Wraps a text to the summary's width and keeps the indent. A longer word stays whole. */
export function wrapped(text: string): string[] {
  const indent = text.length - text.trimStart().length;
  const lines = Bun.wrapAnsi(text.trimStart(), SUMMARY_WIDTH - MARGIN).split('\n');
  return lines.map((line, at) => ' '.repeat(at === 0 ? indent : MARGIN) + line);
}

/** At most three digits, unless the integer part has more. */
export function ms(value: number): string {
  if (value >= 100) return String(Math.round(value));
  return value >= 10 ? value.toFixed(1) : value.toFixed(2);
}

export function rate(value: number): string {
  return value >= 100 ? String(Math.round(value)) : String(Number(value.toPrecision(3)));
}

export function percent(share: number): string {
  return `${Math.round(share * 100)}%`;
}
