/** One line of the table; `ok` null where there is no aim. */
export interface Row {
  readonly measure: string;
  readonly aim: string;
  readonly reached: string;
  readonly ok: boolean | null;
}

/** A line of the table without an aim. */
export function info(measure: string, reached: string): Row {
  return { measure, aim: '', reached, ok: null };
}

/** A line of the table whose value may be no more than its aim. */
export function aimed(measure: string, value: number, most: number, unit: string, reached: string): Row {
  return { measure, aim: `<= ${most}${unit}`, reached, ok: value <= most };
}

/** What a measurement found: lines of the table, and all else for the JSON. */
export interface Finding {
  readonly rows: readonly Row[];
  readonly details: unknown;
  /** Nothing was measured; the one row says why. */
  readonly isMissing?: true;
}
