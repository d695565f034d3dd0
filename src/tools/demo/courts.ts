import { readFileSync } from 'node:fs';
import type { Base, CodigoTribunal, Tipo } from '../../contract/enums.ts';

/** The kind of case, which decides its class and its judging body. */
export type Field = 'penal' | 'civil' | 'publico';

/** A class of case as a source gives it, and as a headline names it. */
export interface CaseClass {
  readonly sigla: string | null;
  readonly descricao: string | null;
  readonly headline: string;
}

type ByField<T> = Readonly<Record<Field, readonly T[]>> | { readonly todos: readonly T[] };

/** The properties of a court's records. Shares are between 0 and 1. */
export interface Court {
  readonly judges: number;
  /** The source's form of judges' names, with `Name` or `NAME` for the name. */
  readonly judgeStyle: string;
  /** Quantiles of the ementa's length in characters, as measured on published ementas; the rest interpolate. */
  readonly lengths: readonly (readonly [share: number, characters: number])[];
  readonly classes: ByField<CaseClass>;
  readonly bodies: ByField<string>;
  readonly bodyShare: number;
  readonly dispositivoShare: number;
  readonly teseShare: number;
  readonly temasShare: number;
  readonly legislacaoShare: number;
  readonly citacaoShare: number;
}

interface CourtsFile {
  readonly courts: Readonly<Record<CodigoTribunal, Court>>;
  /** The types of a base, each with its cumulative share. */
  readonly types: Readonly<Record<Base, readonly (readonly [tipo: Tipo, upTo: number])[]>>;
  /** Relative weight of each branch of law in each base; a missing branch is absent. */
  readonly branches: Readonly<Record<Base, Readonly<Record<string, number>>>>;
}

const FILE = new URL('../../../data/demo/courts.json', import.meta.url);
// Our own file; the tests of the lines check each field.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { courts, types, branches } = JSON.parse(readFileSync(FILE, 'utf8')) as CourtsFile;
export { courts as COURTS, types as TYPES, branches as BRANCHES };

/** The list for a kind of case. */
export function ofField<T>(lists: ByField<T>, field: Field): readonly T[] {
  return 'todos' in lists ? lists.todos : lists[field];
}

/** The source truncates tjmg ementas of at least this length, in characters. */
export const TJMG_CAP_MIN = 3800;

/** The length in characters at a share `unit` (0 to 1) of a court's ementas: an inverse CDF. */
export function ementaLength(tribunal: CodigoTribunal, unit: number): number {
  let lowShare = 0;
  let lowLength = 0;
  for (const [share, length] of courts[tribunal].lengths) {
    if (unit < share) {
      return Math.round(lowLength + ((unit - lowShare) / (share - lowShare)) * (length - lowLength));
    }
    lowShare = share;
    lowLength = length;
  }
  return lowLength;
}
