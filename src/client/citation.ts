export type NumberKind = 'cnj' | 'tjmg' | 'registro' | 'old' | 'short';
export type CitationKind = NumberKind | 'sumula' | 'orientacao_jurisprudencial' | 'precedente_normativo';

/** A day as cited: `YYYY-MM-DD`, or a year alone; `kind` is null if the text does not say of what. */
export interface CitedDate {
  readonly day: string;
  readonly kind: 'julgamento' | 'publicacao' | 'disponibilizacao' | null;
}

/** A citation of case law in a text, with what stands beside it. */
export interface Citation {
  readonly texto: string;
  /** UTF-16 units of the text. */
  readonly inicio: number;
  readonly fim: number;
  readonly kind: CitationKind;
  /** One form for all spellings; null if it cannot be read. */
  readonly numero: string | null;
  /** Keys of its class, incidents included (citation-classes.ts); empty if none is written. */
  readonly classes: readonly string[];
  /** `stj`, `tjmg`, `trt3`, `tjsp`, …: as written, or the only court with this class. */
  readonly tribunal: string | null;
  readonly uf: string | null;
  /** Of several decisions of a case: `1` of `(1)` and of `/001`; the body of an orientação. */
  readonly incident: string | null;
  readonly judges: readonly string[];
  readonly dates: readonly CitedDate[];
}

/** A citation whose number can be read. */
export type ReadCitation = Citation & { readonly numero: string };

/** A citation before what stands beside it is read. */
export type FoundCitation = Omit<Citation, 'texto' | 'judges' | 'dates'>;

/** Where a sticky pattern ends; -1 if it does not match there. */
export function endAt(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return pattern.test(text) ? pattern.lastIndex : -1;
}

export function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at;
  return pattern.exec(text);
}
