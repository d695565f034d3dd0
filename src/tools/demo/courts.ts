import type { Base, CodigoTribunal, StatusEmenta, Tipo } from '../../contract/vocabulary.ts';
import { at, readData } from './lists.ts';
import type { CnjSegment } from './numbers.ts';

/** The kind of case, which decides class and judging body. */
export type Field = 'penal' | 'civil' | 'publico';

/** A class of case as a source gives it, and as a headline names it. */
export interface CaseClass {
  readonly sigla: string | null;
  readonly descricao: string | null;
  readonly headline: string;
}

type OptionalField = 'body' | 'dispositivo' | 'tese' | 'temas' | 'legislacao' | 'citacao';
type ByField<T> = Readonly<Record<Field, readonly T[]>> | { readonly todos: readonly T[] };
/** Values with the cumulative fraction of draws. */
export type Shares<T> = readonly (readonly [value: T, upTo: number])[];

/** The properties of a court's records. Fractions are between 0 and 1; texts may have slots (voice.ts). */
export interface Court {
  readonly judges: number;
  /** The source's form for judges' names, with `Name` or `NAME` for the name. */
  readonly judgeStyle: string;
  /** `YYYY-MM-DD`, for a court younger than the calendar. */
  readonly firstDay?: string;
  readonly segment: CnjSegment;
  /** Quantiles of the ementa's length in characters, as measured on published ementas; the rest interpolate. */
  readonly lengths: readonly (readonly [share: number, characters: number])[];
  readonly classes: ByField<CaseClass>;
  readonly bodies: ByField<string>;
  /** Fraction of the decisions that have the field. */
  readonly shares: Readonly<Record<OptionalField, number>>;
  readonly processo: string;
  /** How the court cites a decision: by its number, and what may follow. */
  readonly precedent: string;
  readonly source: string;
  readonly dispositivo: string;
  readonly tema: string;
  /** A decision has the first items of a list. */
  readonly extras: Readonly<Record<string, string | readonly string[] | null>>;
}

interface DemoFile {
  readonly courts: Readonly<Record<CodigoTribunal, Court>>;
  /** The types of a base. */
  readonly types: Readonly<Record<Base, Shares<Tipo>>>;
  readonly statuses: Shares<StatusEmenta>;
  /** The branches' relative weights in every base; a missing branch is absent. */
  readonly branches: Readonly<Record<Base, Readonly<Record<string, number>>>>;
  /** Names of types that state settled law in a sentence or two, with no case, class or reporting judge. */
  readonly statements: Readonly<Partial<Record<Tipo, string>>>;
}

// Our own file; the tests of the lines check each field.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
export const DEMO = JSON.parse(readData('courts.json')) as DemoFile;

/** The value at a cumulative fraction of draws. */
export function valueAt<T>(shares: Shares<T>, unit: number): T {
  return (shares.find(([, upTo]) => unit < upTo) ?? at(shares, shares.length - 1))[0];
}

/** The list for a kind of case. */
export function ofField<T>(lists: ByField<T>, field: Field): readonly T[] {
  return 'todos' in lists ? lists.todos : lists[field];
}

/** The length in characters at a quantile `unit` (0 to 1) of a court's ementas: an inverse CDF. */
export function ementaLength({ lengths }: Court, unit: number): number {
  const next = lengths.findIndex(([share]) => unit < share);
  const [[lowShare, low] = [0, 0], [share, length] = [1, 0]] = lengths.slice(next - 1, next + 1);
  return Math.round(low + ((unit - lowShare) / (share - lowShare)) * (length - low));
}
