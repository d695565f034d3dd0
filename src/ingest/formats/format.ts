import type { Documento } from '../../contract/documento.ts';
import type { Base } from '../../contract/enums.ts';
import type { Campos } from '../canonical.ts';
import { BeyondBounds } from '../bounds.ts';
import { possibleDates, type CourtDate, type LastDays } from '../dates.ts';
import type { Encoding } from '../encoding.ts';
import { writtenDay } from '../normalise.ts';
import { extra } from './fields.ts';

/** One text to read: a file, or one of those in a zip. */
export interface Source {
  /** As messages name it. */
  readonly name: string;
  /** The names, without folders, of the text itself and of what holds it; none for a pipe. */
  readonly fileNames: readonly string[];
  readonly encoding: Encoding;
  /** Its bytes, decompressed. */
  readonly open: () => AsyncIterable<Buffer>;
}

/** A record, found where it stands: at a line, or in words (`record 7`). */
export interface Found {
  readonly place: number | string;
  /** Maps it. A first reading, which is there to find damage, does not ask for it. */
  readonly item: (last: LastDays) => Item;
}

/** What a record is: a decision, one that cannot be loaded, or one that has no place in the base. */
export type Item =
  | Canonical
  | { readonly kind: 'reject'; readonly reason: string; readonly text: string | null }
  | { readonly kind: 'left-out'; readonly reason: string };

/** A decision as a canonical line, which is checked where it is prepared, and what is kept beside it until then. */
export interface Canonical {
  readonly kind: 'linha';
  readonly linha: string;
  /** True where its `texto` is known to be a part of the full text, so that its length says nothing. */
  readonly isTextoCut: boolean;
  /** A key under which an earlier version has loaded the same decision. */
  readonly formerChave: string | null;
  /** For `changedAt`; null where the format has no such thing. */
  readonly extras: Registro['extras'] | null;
  readonly came: Came;
}

/** A record as it came. */
export interface Came {
  /** For the rejects file. */
  readonly text: () => string | null;
  /** About what it keeps in memory, in characters. */
  readonly size: number;
}

/** Of a record whose source is not kept. */
export const NOTHING_KEPT: Came = { text: () => null, size: 0 };

/** A way in which decisions come. A new one is a module beside this one and a row in `table.ts`. */
export interface Formato {
  readonly name: string;
  /** One line for the command's help. */
  readonly about: string;
  readonly bases: readonly Base[];
  /** True where a text that begins so is of this format beyond doubt. */
  readonly recognises: (start: string) => boolean;
  /** Reads a text from its start; may be called again. @throws Damaged, and what reading the bytes throws. */
  readonly read: (source: Source) => AsyncGenerator<Found>;
  /**
   * True where what was read before damage is good and stays. Of any other format a text is read to its end before
   * the first decision of it is loaded, so that damaged input loads nothing at all.
   */
  readonly isLoadedWhileRead: boolean;
  /** When the source last changed a decision, in a form that sorts, or null where it does not say. */
  readonly changedAt: (extras: Documento['extras']) => string | null;
}

/** A decision as a court's format gives it: the canonical fields, `chave` and `extras` among them, dates as they came. */
export type Registro = Omit<Campos, 'extras' | DateField> &
  Readonly<Record<DateField, CourtDate>> & { readonly extras: Readonly<Record<string, unknown>> };
type DateField = 'data_julgamento' | 'data_publicacao';

/** What became of one record of a court. */
export type Mapped =
  | { readonly registro: Registro; readonly isTextoCut?: boolean; readonly formerChave?: string | null }
  | { readonly reject: string }
  | { readonly leftOut: string };

/** Maps a record and makes a canonical line of it. What is beyond a bound is rejected. */
export function toItem(map: () => Mapped, last: LastDays, came: Came): Item {
  const mapped = orReject(map);
  if ('leftOut' in mapped) return { kind: 'left-out', reason: mapped.leftOut };
  if ('reject' in mapped) return { kind: 'reject', reason: mapped.reject, text: came.text() };
  const { registro, isTextoCut = false, formerChave = null } = mapped;
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
  return { kind: 'linha', linha: JSON.stringify(linha), isTextoCut, formerChave, extras, came };
}

function orReject(map: () => Mapped): Mapped {
  try {
    return map();
  } catch (error) {
    if (error instanceof BeyondBounds) return { reject: error.message };
    throw error;
  }
}
