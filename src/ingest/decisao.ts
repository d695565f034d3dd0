import { storedRecord, type StoredRecord } from '../index/format/record.ts';
import { dateCode } from '../index/format/schema.ts';
import { indexedOf } from '../index/write/indexed.ts';
import type { IndexedField } from '../index/format/bm25f.ts';
import type { Documento } from '../contract/documento.ts';
import type { CodigoTribunal, Tipo } from '../contract/enums.ts';
import type { NewRecord } from '../index/write/record-batch.ts';
import type { Linha } from './canonical.ts';
import { ementaStatus, excerpt, textOrNull } from './text.ts';

/** A decision to store. Its full text is indexed in place of a missing ementa, and never stored. */
export interface Decisao extends Pick<NewRecord, 'chave' | 'indexesFullText'>, StoredRecord {
  readonly digest: Buffer;
  readonly tribunal: CodigoTribunal;
  readonly tipo: Tipo;
  readonly julgamento: number | null;
  readonly publicacao: number | null;
  readonly indexed: Readonly<Record<IndexedField, string>>;
}

/** Maps a canonical line to the decision to store. @param isTextoCut true if `texto` is only part of the full text. */
export function toDecisao(linha: Linha, { isTextoCut } = { isTextoCut: false }): Decisao {
  const documento = documentoOf(linha, isTextoCut);
  const { ementa, tese, dispositivo, temas, processo } = documento;
  const texto = nullableText(linha.campos.texto);
  return {
    chave: linha.chave,
    digest: linha.digest,
    tribunal: linha.tribunal,
    tipo: documento.tipo,
    julgamento: documento.data_julgamento === null ? null : dateCode(documento.data_julgamento),
    publicacao: documento.data_publicacao === null ? null : dateCode(documento.data_publicacao),
    indexed: indexedOf({ ementa: ementa ?? texto, tese, dispositivo, temas, processo }),
    indexesFullText: ementa === null && texto !== null,
    // `extras` as received.
    ...storedRecord(documento, excerpt(ementa), linha.extrasJson),
  };
}

/** The record without `extras`, and without what the base adds. */
function documentoOf(
  { campos, tribunal, dates }: Linha,
  isTextoCut: boolean,
): Omit<Documento, 'id' | 'base' | 'extras'> {
  const ementa = nullableText(campos.ementa);
  const texto = nullableText(campos.texto);
  return {
    fonte: nullableText(campos.fonte) ?? tribunal.toUpperCase(),
    tipo: campos.tipo,
    processo: nullableText(campos.processo),
    classe: {
      sigla: nullableText(campos.classe?.sigla),
      descricao: nullableText(campos.classe?.descricao),
    },
    orgao_julgador: nullableText(campos.orgao_julgador),
    relator: nullableText(campos.relator),
    data_julgamento: dates.judged,
    data_publicacao: dates.published,
    ementa_status: ementa === null ? 'ausente' : (campos.ementa_status ?? ementaStatus(ementa)),
    redator: nullableText(campos.redator),
    ementa,
    tese: nullableText(campos.tese),
    dispositivo: nullableText(campos.dispositivo),
    inteiro_teor: {
      existe_na_origem: campos.inteiro_teor?.existe_na_origem ?? (texto === null ? null : true),
      caracteres:
        campos.inteiro_teor?.caracteres ?? (texto === null || isTextoCut ? null : charactersIn(texto)),
    },
    citacao: nullableText(campos.citacao),
    legislacao_citada: nullableList(campos.legislacao_citada),
    temas: nullableList(campos.temas),
  };
}

function nullableText(text: string | null | undefined): string | null {
  return text === null || text === undefined ? null : textOrNull(text);
}

function nullableList(list: readonly string[] | null | undefined): string[] | null {
  const texts = list?.map((element) => textOrNull(element)).filter((element) => element !== null) ?? [];
  return texts.length === 0 ? null : texts;
}

/** Counts a surrogate pair as one character. */
function charactersIn(text: string): number {
  let count = text.length;
  for (let at = 1; at < text.length; at += 1) {
    if ((text.charCodeAt(at) & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800)
      count -= 1;
  }
  return count;
}
