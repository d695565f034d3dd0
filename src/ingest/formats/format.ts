import type { Documento } from '../../contract/documento.ts';
import type { Base } from '../../contract/vocabulary.ts';
import type { Campos } from '../canonical.ts';
import { orLimit } from '../bounds.ts';
import { possibleDates, type CourtDate, type LastDays } from '../dates.ts';
import type { Encoding } from '../encoding.ts';
import { writtenDay } from '../normalise.ts';
import { extra } from './fields.ts';

/** A text to read: a file, or a zip entry. */
export interface Source {
  /** The name in messages: `x.json`, `20220508.zip:acordaos.json`. */
  readonly name: string;
  /** Names without folders: the text's, and the zip's if any; empty for a pipe. */
  readonly fileNames: readonly string[];
  readonly encoding: Encoding;
  /** Its decompressed bytes, from the start. */
  readonly open: () => AsyncIterable<Buffer>;
}

/** A record and its position: a line number, or words (`record 7`). */
export interface FoundRecord {
  readonly place: number | string;
  /** Maps the record. The pass that only checks for damage does not call it. */
  readonly item: (last: LastDays) => Item;
  /** The field that says that the case is under secrecy; null if none does. */
  readonly sealedBy: () => string | null;
}

/** A record: a decision, a reject, or a record that does not belong to the base. */
export type Item =
  | Canonical
  | { readonly kind: 'reject'; readonly reason: string; readonly text: string | null }
  | { readonly kind: 'left-out'; readonly reason: string };

/** A decision as a canonical line, not checked yet, with data for the steps after the check. */
export interface Canonical {
  readonly kind: 'linha';
  readonly linha: string;
  /** True if `texto` is only part of the full text, so that its length is unknown. */
  readonly isTextoCut: boolean;
  /** The fields whose full text is not stored. */
  readonly texts: readonly string[];
  /** For `changedAt`; null if the format has none. */
  readonly extras: Registro['extras'] | null;
  readonly raw: RawRecord;
}

/** A record as received. */
export interface RawRecord {
  /** For the rejects file. */
  readonly text: () => string | null;
  /** Approximate memory that it holds, in characters. */
  readonly size: number;
}

/** For a record whose source text is not kept. */
export const NOT_RETAINED: RawRecord = { text: () => null, size: 0 };

/** A source format. A new one is a module in this folder and a row in `table.ts`. */
export interface Formato {
  readonly name: string;
  /** One line for the command's help. */
  readonly about: string;
  readonly bases: readonly Base[];
  /** How many signs of this format the start of a text has. @param names of its members, if it is JSON. */
  readonly recognises: (start: string, names: ReadonlySet<string>) => number;
  /** Reads a text from its start; may be called again. @throws Damaged, and the errors of `open`. */
  readonly read: (source: Source) => AsyncGenerator<FoundRecord>;
  /**
   * True if decisions before damaged data are loaded. In all other formats a text is read to the end before its first decision
   * is loaded, so that damaged input loads nothing.
   */
  readonly isLoadedWhileRead?: true;
  /** The time of the source's last change, as a sortable text; null if unknown. */
  readonly changedAt?: (extras: Documento['extras']) => string | null;
}

/** A decision from a court's format: the canonical fields, with dates as received. */
export type Registro = Omit<Campos, 'extras' | DateField> &
  Readonly<Record<DateField, CourtDate>> & { readonly extras: Readonly<Record<string, unknown>> };
type DateField = 'data_julgamento' | 'data_publicacao';

/** The result of mapping one record of a court. */
export type Mapped =
  | { readonly registro: Registro; readonly isTextoCut?: boolean; readonly texts?: readonly string[] }
  | { readonly reject: string }
  | { readonly leftOut: string };

/** The reject reason of a record without a key. */
export function missing(field: string): string {
  return `${field}: missing; nothing else identifies the decision`;
}

/** Maps a record to a canonical line. Rejects a record that exceeds a limit. */
export function toItem(map: () => Mapped, last: LastDays, raw: RawRecord): Item {
  const found = orLimit(map);
  const mapped = typeof found === 'string' ? { reject: found } : found;
  if ('leftOut' in mapped) return { kind: 'left-out', reason: mapped.leftOut };
  if ('reject' in mapped) return { kind: 'reject', reason: mapped.reject, text: raw.text() };
  const { registro, isTextoCut = false, texts = [] } = mapped;
  const { data_julgamento: julgamento, data_publicacao: publicacao } = registro;
  const written = { judged: writtenDay(julgamento.value), published: writtenDay(publicacao.value) };
  const { judged, published } = possibleDates(written, last);
  const extras = Object.fromEntries([
    ...Object.entries(registro.extras),
    ...(judged !== null && judged === written.judged ? [] : extra(julgamento.name, julgamento.value)),
    ...(published !== null && published === written.published
      ? []
      : extra(publicacao.name, publicacao.value)),
  ]);
  const linha = { ...registro, data_julgamento: judged, data_publicacao: published, extras };
  return { kind: 'linha', linha: JSON.stringify(linha), isTextoCut, texts, extras, raw };
}
