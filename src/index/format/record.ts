import type { Documento } from '../../contract/documento.ts';
import { elementAt } from './element-at.ts';
import { utf8 } from './bytes.ts';
import { DamagedBase } from './seal.ts';

/*
 * A decision's two contract objects, stored without repeats. An `item` row has the Resumo's values, except those in its frame,
 * which many decisions share. A record's rest is the Documento without the Resumo. Values are JSON texts, so both objects are
 * made by joining, and nothing is parsed.
 */

/** Separates values. JSON never contains it unescaped. */
const VALUE_END = '\u001f';

/** A value of a contract object: the JSON text before it, and whether it is a string or null. */
interface Field {
  readonly before: string;
  readonly isText: boolean;
}

const text = (before: string): Field => ({ before, isText: true });
const json = (before: string): Field => ({ before, isText: false });

/** The fields of both objects after `base`, in the contract's order. */
const SHARED = [
  text(',"fonte":'),
  text(',"tipo":'),
  text(',"processo":'),
  text(',"classe":{"sigla":'),
  text(',"descricao":'),
  text('},"orgao_julgador":'),
  text(',"relator":'),
  text(',"data_julgamento":'),
  text(',"data_publicacao":'),
  text(',"ementa_status":'),
] as const;
const EXCERPT = text(',"trecho_da_ementa":');
const REST = [
  text(',"redator":'),
  text(',"ementa":'),
  text(',"tese":'),
  text(',"dispositivo":'),
  json(',"inteiro_teor":{"existe_na_origem":'),
  json(',"caracteres":'),
  text('},"citacao":'),
  json(',"legislacao_citada":'),
  json(',"temas":'),
  json(',"extras":'),
] as const;
/** The indices of the Resumo's values in the frame, and the number of other values. */
const FRAME_AT = [0, 1, 3, 4, 5, 9];
const OWN_COUNT = 5;
const EMENTA_AT = 1;
/** The case's other numbers are stored after these values, and are in no contract object. */
const CASE_NUMBERS_AT = REST.length;
/** The indices of ementa, tese, dispositivo, temas and the other numbers in the rest. */
const INDEXED_AT = [EMENTA_AT, 2, 3, 8, CASE_NUMBERS_AT];

/** An ementa is stored whole, or only what follows its excerpt. */
const WHOLE = '=';
const AFTER_EXCERPT = '+';

export interface StoredRecord {
  readonly frame: string;
  /** The Resumo's values outside the frame. */
  readonly own: string;
  /** The Documento's values outside the Resumo, and the case's other numbers, as UTF-8. */
  readonly rest: Uint8Array;
}

/** @param extras JSON text. @param caseNumbers the case's other numbers. */
export function storedRecord(
  decisao: Omit<Documento, 'id' | 'base' | 'extras'>,
  trecho: string | null,
  extras: string,
  caseNumbers: readonly string[],
): StoredRecord {
  const { fonte, tipo, classe, orgao_julgador, ementa_status, inteiro_teor } = decisao;
  const frame = [fonte, tipo, classe.sigla, classe.descricao, orgao_julgador, ementa_status];
  const excerpt = shortText(trecho);
  const own = [decisao.processo, decisao.relator, decisao.data_julgamento, decisao.data_publicacao];
  const rest = [
    shortText(decisao.redator),
    ementaAfter(excerpt, shortText(decisao.ementa)),
    shortText(decisao.tese),
    shortText(decisao.dispositivo),
    shortJson(inteiro_teor.existe_na_origem),
    shortJson(inteiro_teor.caracteres),
    shortText(decisao.citacao),
    shortJson(decisao.legislacao_citada),
    shortJson(decisao.temas),
    extras,
    shortJson(caseNumbers.length === 0 ? null : caseNumbers),
  ];
  return {
    frame: frame.map(shortText).join(VALUE_END),
    own: [...own.map(shortText), excerpt].join(VALUE_END),
    rest: Buffer.from(rest.join(VALUE_END)),
  };
}

function ementaAfter(excerpt: string, ementa: string): string {
  if (ementa === '') return '';
  return ementa.startsWith(excerpt) ? AFTER_EXCERPT + ementa.slice(excerpt.length) : WHOLE + ementa;
}

/** Whether a stored decision has the indexed texts of a record. @param row an `item` row. */
export function hasTextsOf(record: StoredRecord, row: string, rest: string): boolean {
  const [, processo, , , , excerpt] = row.split(VALUE_END);
  const [coming, , , , comingExcerpt] = record.own.split(VALUE_END);
  const [values, comingValues] = [restValues(rest), restValues(utf8(record.rest))];
  const isSame = processo === coming && excerpt === comingExcerpt;
  return isSame && INDEXED_AT.every((at) => values[at] === comingValues[at]);
}

/** An `item` row: the frame's number, or 0 and the frame itself at the end. */
export function rowOf({ frame, own }: StoredRecord, number: number): string {
  return number > 0 ? `${number}${VALUE_END}${own}` : `0${VALUE_END}${own}${VALUE_END}${frame}`;
}

/** The numbers of the frames that items have, and 0 for those in the items' rows: a row begins with the digits. */
export const FRAMES_SQL = 'SELECT DISTINCT CAST(data AS INTEGER) FROM item';

/** A frame as parts of JSON text, each up to the next value outside the frame. */
export interface Frame {
  readonly toProcesso: string;
  readonly toRelator: string;
  readonly afterDates: string;
}

/** @throws DamagedBase */
export function openFrame(base: string, frame: string): Frame {
  const values = frame.split(VALUE_END);
  if (values.length !== FRAME_AT.length) throw wrongCount();
  const field = (at: number) => {
    const { before, isText } = elementAt(SHARED, elementAt(FRAME_AT, at));
    return before + jsonOf(elementAt(values, at), isText);
  };
  return {
    toProcesso: `","base":"${base}"${field(0)}${field(1)}${SHARED[2].before}`,
    toRelator: field(2) + field(3) + field(4) + SHARED[6].before,
    afterDates: field(5),
  };
}

export type FrameOf = (number: number) => Frame;

/** The common start of both objects, and the excerpt as stored. */
function startOf(
  base: string,
  docId: number,
  row: string,
  frameOf: FrameOf,
): [start: string, excerpt: string] {
  const parts = row.split(VALUE_END);
  const number = Number(parts[0]);
  const own = number > 0 ? parts.length : parts.length - FRAME_AT.length;
  if (own !== OWN_COUNT + 1) throw wrongCount();
  const frame = number > 0 ? frameOf(number) : openFrame(base, parts.slice(own).join(VALUE_END));
  const [, processo = '', relator = '', julgamento = '', publicacao = '', excerpt = ''] = parts;
  const start =
    `{"id":"${base}:${docId}${frame.toProcesso}${jsonOf(processo, true)}${frame.toRelator}${jsonOf(relator, true)}` +
    `,"data_julgamento":${jsonOf(julgamento, true)},"data_publicacao":${jsonOf(publicacao, true)}${frame.afterDates}`;
  return [start, excerpt];
}

/** The Resumo as JSON text. @throws DamagedBase */
export function resumoJson(base: string, docId: number, row: string, frameOf: FrameOf): string {
  const [start, excerpt] = startOf(base, docId, row, frameOf);
  return `${start}${EXCERPT.before}${jsonOf(excerpt, true)}}`;
}

/** The Documento as JSON text. @throws DamagedBase */
export function documentoJson(
  base: string,
  docId: number,
  row: string,
  rest: string,
  frameOf: FrameOf,
): string {
  const [start, excerpt] = startOf(base, docId, row, frameOf);
  const values = restValues(rest);
  const ementa = elementAt(values, EMENTA_AT);
  const end = ementa.slice(1);
  values[EMENTA_AT] = ementa.startsWith(AFTER_EXCERPT) ? excerpt + end : end;
  return `${start}${REST.map(({ before, isText }, at) => before + jsonOf(elementAt(values, at), isText)).join('')}}`;
}

/** The contract objects of a record that is in no base. */
export function recordJson(
  base: string,
  docId: number,
  record: StoredRecord,
): { readonly resumo: string; readonly documento: string } {
  const row = rowOf(record, 0);
  const frameOf = () => openFrame(base, record.frame);
  return {
    resumo: resumoJson(base, docId, row, frameOf),
    documento: documentoJson(base, docId, row, utf8(record.rest), frameOf),
  };
}

/** The case's other numbers in a record's rest. @throws DamagedBase */
export function caseNumbersIn(rest: string): string[] {
  // Written by `storedRecord`.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return JSON.parse(restValues(rest)[CASE_NUMBERS_AT] || '[]') as string[];
}

function restValues(rest: string): string[] {
  const values = rest.split(VALUE_END);
  if (values.length !== REST.length + 1) throw wrongCount();
  return values;
}

function wrongCount(): DamagedBase {
  return new DamagedBase('a record has not as many values as it must');
}

/** A string as JSON without quotes, empty for null; an empty string keeps its quotes. */
function shortText(value: string | null): string {
  if (value === null) return '';
  return value === '' ? '""' : JSON.stringify(value).slice(1, -1);
}

/** Other values as JSON, empty for null. */
function shortJson(value: unknown): string {
  return value === null ? '' : JSON.stringify(value);
}

/** The inverse of `shortText` and `shortJson`. */
function jsonOf(value: string, isText: boolean): string {
  if (value === '') return 'null';
  return isText && value !== '""' ? `"${value}"` : value;
}
