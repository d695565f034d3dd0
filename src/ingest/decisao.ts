import { storedRecord } from '../index/format/record.ts';
import { dateCode, tipoCode, tribunalCode } from '../index/format/schema.ts';
import { indexedOf, type DocumentPostings, type IndexedTexts } from '../index/write/inverter.ts';
import type { Documento } from '../contract/documento.ts';
import type { NewRecord } from '../index/write/record-batch.ts';
import type { Linha } from './canonical.ts';
import { caseNumbersOf } from './case-numbers.ts';
import { ementaStatus, excerpt, textOrNull } from './text.ts';

/** A decision to store, before its texts are inverted. Its full text is indexed if it has no ementa, and never stored. */
export type Decisao = Omit<NewRecord, keyof DocumentPostings> & { readonly indexed: IndexedTexts };

/** Maps a canonical line to the decision to store. @param isTextoCut true if `texto` is only part of the full text. */
export function toDecisao(linha: Linha, { isTextoCut } = { isTextoCut: false }): Decisao {
  const { campos, chave, digest, dates } = linha;
  const documento = documentoOf(linha, isTextoCut);
  const texto = nullableText(campos.texto);
  const caseNumbers = caseNumbersOf(documento.processo, nullableList(campos.numeros) ?? [], campos.extras);
  return {
    chave,
    digest,
    isMadeUp: isMadeUp(campos.extras),
    tribunal: tribunalCode(linha.tribunal),
    tipo: tipoCode(documento.tipo),
    julgamento: dates.judged === null ? 0 : dateCode(dates.judged),
    publicacao: dates.published === null ? 0 : dateCode(dates.published),
    indexed: indexedOf({ ...documento, ementa: documento.ementa ?? texto }, caseNumbers),
    indexesFullText: documento.ementa === null && texto !== null,
    // `extras` as received.
    ...storedRecord(documento, excerpt(documento.ementa), linha.extrasJson, caseNumbers),
  };
}

/** The record without `extras` and without the base's additions. */
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

/** Whether a decision is one of the generator's, which marks each in its `extras`. */
function isMadeUp(extras: object | null | undefined): boolean {
  return extras !== null && extras !== undefined && 'demonstracao' in extras && extras.demonstracao === true;
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
  return text.length - (text.match(SURROGATE_PAIRS)?.length ?? 0);
}

const SURROGATE_PAIRS = /[\u{10000}-\u{10ffff}]/gu;
