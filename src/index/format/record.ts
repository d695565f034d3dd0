import { DamagedBase } from './seal.ts';

/*
 * How the two contract objects of a decision are stored, each value once. The row of `resumo` has the values of the
 * Resumo. Values that many decisions share stand once, in a frame. The rest of a record is what the Documento has beside
 * the Resumo. Splitting and joining work on JSON texts: the field names are known, so nothing is parsed.
 */

/** Stands between values. JSON text never holds this character: strings escape it. */
const VALUE_END = '\u001f';

/** A value of a contract object: what comes before it in the JSON text, and whether it is a string or null. */
interface Field {
  readonly before: string;
  readonly isText: boolean;
}

const text = (before: string): Field => ({ before, isText: true });
const json = (before: string): Field => ({ before, isText: false });

/** What both objects have after their `base`, in the order of the contract. */
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
];
const RESUMO = [...SHARED, EXCERPT];
const DOCUMENTO = [...SHARED, ...REST];
/** The values of a Resumo that are in its frame, and those that are its own. */
const FRAME_AT = [0, 1, 3, 4, 5, 9];
const OWN_AT = [2, 6, 7, 8, 10];
const EXCERPT_AT = RESUMO.length - 1;
const EMENTA_AT = 1;
const EXTRAS_AT = REST.length - 1;

/** An ementa is stored whole, or from where the excerpt of it ends. */
const WHOLE = '=';
const AFTER_EXCERPT = '+';

export interface StoredRecord {
  readonly frame: string;
  /** The values of the Resumo that are not in its frame. */
  readonly own: string;
  /** The values of the Documento that are not in its Resumo. */
  readonly rest: string;
}

/** @param resumo and @param documento the contract's objects as JSON texts without their `id` (`withoutId`). */
export function splitRecord(base: string, resumo: string, documento: string): StoredRecord {
  const values = valuesOf(base, resumo, RESUMO);
  const all = valuesOf(base, documento, DOCUMENTO);
  if (SHARED.some((_, at) => values[at] !== all[at])) throw new Error('a Resumo is not that of its record');
  const rest = all.slice(SHARED.length);
  const ementa = rest[EMENTA_AT] ?? '';
  const excerpt = values[EXCERPT_AT] ?? '';
  if (ementa !== '') {
    const isStart = ementa.startsWith(excerpt);
    rest[EMENTA_AT] = isStart ? AFTER_EXCERPT + ementa.slice(excerpt.length) : WHOLE + ementa;
  }
  const picked = (places: readonly number[]) => places.map((at) => values[at] ?? '').join(VALUE_END);
  return { frame: picked(FRAME_AT), own: picked(OWN_AT), rest: rest.join(VALUE_END) };
}

/** A row of `resumo`: the number of its frame, or 0 where no other row may have that, with the frame at its end. */
export function rowOf({ frame, own }: StoredRecord, number: number): string {
  return number > 0 ? `${number}${VALUE_END}${own}` : `0${VALUE_END}${own}${VALUE_END}${frame}`;
}

/** A frame as parts of JSON text, each up to the next value that is not in it. */
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
    const { before, isText } = SHARED[FRAME_AT[at] ?? 0] ?? EXCERPT;
    return before + jsonOf(values[at] ?? '', isText);
  };
  return {
    toProcesso: `","base":"${base}"${field(0)}${field(1)}${SHARED[2].before}`,
    toRelator: field(2) + field(3) + field(4) + SHARED[6].before,
    afterDates: field(5),
  };
}

/** Gives the frame of a number. @throws DamagedBase */
export type FrameOf = (number: number) => Frame;

/** What both objects begin with, and the excerpt as it is stored. */
function startOf(
  base: string,
  numero: number,
  row: string,
  frameOf: FrameOf,
): [start: string, excerpt: string] {
  const parts = row.split(VALUE_END);
  const number = Number(parts[0]);
  const own = number > 0 ? parts.length : parts.length - FRAME_AT.length;
  if (own !== OWN_AT.length + 1) throw wrongCount();
  const frame = number > 0 ? frameOf(number) : openFrame(base, parts.slice(own).join(VALUE_END));
  const [, processo = '', relator = '', julgamento = '', publicacao = '', excerpt = ''] = parts;
  const start =
    `{"id":"${base}:${numero}${frame.toProcesso}${jsonOf(processo, true)}${frame.toRelator}${jsonOf(relator, true)}` +
    `,"data_julgamento":${jsonOf(julgamento, true)},"data_publicacao":${jsonOf(publicacao, true)}${frame.afterDates}`;
  return [start, excerpt];
}

/** The Resumo as JSON text. @throws DamagedBase */
export function resumoJson(base: string, numero: number, row: string, frameOf: FrameOf): string {
  const [start, excerpt] = startOf(base, numero, row, frameOf);
  return `${start}${EXCERPT.before}${jsonOf(excerpt, true)}}`;
}

/** The Documento as JSON text. @throws DamagedBase */
export function documentoJson(
  base: string,
  numero: number,
  row: string,
  rest: string,
  frameOf: FrameOf,
): string {
  const [start, excerpt] = startOf(base, numero, row, frameOf);
  const values = restValues(rest);
  const ementa = values[EMENTA_AT] ?? '';
  const end = ementa.slice(1);
  values[EMENTA_AT] = ementa.startsWith(AFTER_EXCERPT) ? excerpt + end : end;
  return `${start}${REST.map(({ before, isText }, at) => before + jsonOf(values[at] ?? '', isText)).join('')}}`;
}

/** The `extras` of a record as JSON text. */
export function extrasJson(rest: string): string {
  return restValues(rest)[EXTRAS_AT] ?? '';
}

function restValues(rest: string): string[] {
  const values = rest.split(VALUE_END);
  if (values.length !== REST.length) throw wrongCount();
  return values;
}

function wrongCount(): DamagedBase {
  return new DamagedBase('a record has not as many values as it must');
}

function valuesOf(base: string, source: string, fields: readonly Field[]): string[] {
  const start = `,"base":"${base}"`;
  if (!source.startsWith(start)) throw new Error(`a record is not of base ${base}`);
  let from = start.length;
  return fields.map(({ before, isText }, at) => {
    if (!source.startsWith(before, from)) throw new Error(`a record lacks ${before}`);
    const next = fields[at + 1];
    const value = from + before.length;
    // A key with its quotes is nowhere in a string, where quotes are escaped. After the last value comes the brace.
    from = next === undefined ? source.length - 1 : source.indexOf(next.before, value);
    return shortened(source.slice(value, from), isText);
  });
}

/** Without the quotes of a string, and nothing for null; an empty string keeps its quotes. */
function shortened(value: string, isText: boolean): string {
  if (value === 'null') return '';
  return isText && value !== '""' ? value.slice(1, -1) : value;
}

/** The other way. */
function jsonOf(value: string, isText: boolean): string {
  if (value === '') return 'null';
  return isText && value !== '""' ? `"${value}"` : value;
}
