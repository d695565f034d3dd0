import { bug } from '../bug.ts';
import { hash } from 'node:crypto';
import leven from 'leven';
import { Type, type Static, type TSchema } from 'typebox';
import { Compile } from 'typebox/compile';
import { TIPOS_DA_BASE, tribunaisDaBase } from '../contract/catalog.ts';
import { CodigoTribunalSchema, StatusEmentaSchema, TipoSchema } from '../contract/enums.ts';
import { STATUS_EMENTA, type Base, type CodigoTribunal } from '../contract/vocabulary.ts';
import { nullable } from '../contract/nullable.ts';
import { BeyondBounds, checkJson, orLimit } from './bounds.ts';
import { NUMBER_LENGTH_MAX, NUMBERS_MAX } from './case-numbers.ts';
import { possibleDates, type Dates, type LastDays } from './dates.ts';
import { isObject } from './formats/fields.ts';
import { NotJson, parsedJson } from './json-words.ts';
import { FIELDS } from './lines.ts';
import { withoutFullText } from './full-text.ts';
import { rawMember } from './raw-member.ts';
import { SECRECY_SIGN, isSecrecyName } from './secrecy.ts';
import { textOrNull } from './text.ts';

const optional = <S extends TSchema>(schema: S) => Type.Optional(nullable(schema));
const text = optional(Type.String());
const texts = optional(Type.Array(Type.String()));
/** Any value passes here; `datesIn` replaces an invalid date by null. */
const date = Type.Optional(Type.Unknown());

/**
 * The canonical ingest format: one decision a line, the fields of Documento without `id` and `base`, and what is only searched:
 * `numeros`, the case's other numbers, and `texto`, the full text.
 */
export const LinhaSchema = Type.Object(
  {
    chave: optional(Type.String({ minLength: 1, maxLength: 500 })),
    tribunal: optional(CodigoTribunalSchema),
    fonte: text,
    tipo: TipoSchema,
    processo: text,
    numeros: optional(Type.Array(Type.String({ maxLength: NUMBER_LENGTH_MAX }), { maxItems: NUMBERS_MAX })),
    classe: optional(Type.Object({ sigla: text, descricao: text }, { additionalProperties: false })),
    orgao_julgador: text,
    relator: text,
    redator: text,
    data_julgamento: date,
    data_publicacao: date,
    ementa_status: optional(StatusEmentaSchema),
    ementa: text,
    tese: text,
    dispositivo: text,
    inteiro_teor: optional(
      Type.Object(
        {
          existe_na_origem: optional(Type.Boolean()),
          caracteres: optional(Type.Integer({ minimum: 0 })),
        },
        { additionalProperties: false },
      ),
    ),
    citacao: text,
    legislacao_citada: texts,
    temas: texts,
    extras: optional(Type.Object({})),
    texto: text,
  },
  { additionalProperties: false },
);
export type Campos = Static<typeof LinhaSchema>;

/** A valid line: its fields, its court, and `extras` as received, plus the dates not accepted and without full texts. */
export interface Linha {
  readonly campos: Campos;
  readonly tribunal: CodigoTribunal;
  /** Only dates that are plausible. */
  readonly dates: Dates;
  /** Why a given date is not used: one text for each. */
  readonly unusedDates: readonly string[];
  /** Fields of `extras` that were full texts. The longest one is `campos.texto`, if the line gave none. */
  readonly fullTexts: readonly string[];
  readonly extrasJson: string;
  /** The source's key. Without one, a hash of the line, so that the same line loaded twice is one decision. */
  readonly chave: string;
  readonly digest: Buffer;
}

const checker = Compile(LinhaSchema);
const NOT_JSON = 'not valid JSON';
/** A longer text is not a date, and is dropped. */
const UNUSED_DATE_MAX = 100;
/** Characters of an unknown field's name that a message shows. */
const UNKNOWN_NAME_MAX = 60;

/** Reads one line. @returns the line, or the reason (English, for the operator) why it is rejected. */
export function readLine(line: string, base: Base, last: LastDays): Linha | string {
  let read: ReturnType<typeof parsedJson>;
  try {
    checkJson(line);
    read = parsedJson(line);
  } catch (error) {
    return whyNotJson(line, error);
  }
  const campos = withoutSecrecy(read.value, line);
  if (!checker.Check(campos)) return explain(campos, base);
  const types: readonly string[] = TIPOS_DA_BASE[base];
  if (!types.includes(campos.tipo))
    return `tipo: ${campos.tipo} is not in base ${base} (${types.join(' or ')})`;
  const courts = tribunaisDaBase(base);
  const tribunal = campos.tribunal ?? (courts.length === 1 ? courts[0] : undefined);
  if (tribunal === undefined) return `tribunal: required in base ${base} (${courts.join(' or ')})`;
  if (!courts.includes(tribunal))
    return `tribunal: ${tribunal} is not in base ${base} (${courts.join(' or ')})`;
  if (/^[a-z]+:\/\//iu.test(campos.fonte ?? '')) return 'fonte: must be a label, not a URL';
  const { dates, changed, unusedDates } = datesIn(campos, last);
  const extras = orLimit(() => withoutFullText(extrasWith(changed, campos, read.json)));
  if (typeof extras === 'string') return extras;
  const digest = digestOf(line);
  return {
    campos: { ...campos, texto: campos.texto ?? extras.text },
    tribunal,
    dates,
    unusedDates,
    extrasJson: extras.json,
    fullTexts: extras.names,
    chave: campos.chave ?? `sha256:${digest.toString('hex')}`,
    // Whether a date is accepted depends on the day of the load, so the same line may give another decision later.
    digest: changed.length === 0 ? digest : digestOf(`${line}\n${JSON.stringify(dates)}`),
  };
}

function whyNotJson(line: string, error: unknown): string {
  if (error instanceof BeyondBounds) return error.message;
  if (error instanceof NotJson) return `${NOT_JSON}: ${error.message}`;
  return line.trimEnd().endsWith(',') ? `${NOT_JSON}: it ends with a comma, as in a list` : NOT_JSON;
}

/** A line may say beside its fields that its case is, or is not, under secrecy. A line that is has passed `--include-sealed`. */
function withoutSecrecy(campos: unknown, line: string): unknown {
  if (!SECRECY_SIGN.test(line) || !isObject(campos)) return campos;
  return Object.fromEntries(Object.entries(campos).filter(([name]) => !isSecrecyName(name)));
}

function digestOf(content: string): Buffer {
  return hash('sha256', content, 'buffer').subarray(0, 16);
}

type Member = readonly [name: string, text: string];

/** The plausible dates, the received texts that were not used unchanged, and why a value is not used at all. */
function datesIn({ data_julgamento: julgamento, data_publicacao: publicacao }: Campos, last: LastDays) {
  const dates = possibleDates({ judged: dayOrNull(julgamento), published: dayOrNull(publicacao) }, last);
  const changed = [
    ...(dates.judged === julgamento ? [] : textMember('data_julgamento', julgamento)),
    ...(dates.published === publicacao ? [] : textMember('data_publicacao', publicacao)),
  ];
  const unusedDates = [
    ...(dates.judged === null ? whyUnused('data_julgamento', julgamento) : []),
    ...(dates.published === null ? whyUnused('data_publicacao', publicacao) : []),
  ];
  return { dates, changed, unusedDates };
}

function whyUnused(name: string, value: unknown): string[] {
  const isNothing = value === undefined || value === null;
  if (isNothing || (typeof value === 'string' && textOrNull(value) === null)) return [];
  return [`${name}: ${dayOrNull(value) === null ? 'not written YYYY-MM-DD' : 'cannot be true'}`];
}

function dayOrNull(value: unknown): string | null {
  return typeof value === 'string' && /^\d{4}-\d{2}-\d{2}$/u.test(value) ? value : null;
}

function textMember(name: string, value: unknown): Member[] {
  return typeof value === 'string' && value.length <= UNUSED_DATE_MAX && textOrNull(value) !== null
    ? [[name, value]]
    : [];
}

/** The text of `extras` as received, plus the members that it does not have. */
function extrasWith(members: readonly Member[], { extras }: Campos, line: string): string {
  const raw = extras === null || extras === undefined ? null : rawMember(line, 'extras');
  const added = members.filter(([name]) => !Object.hasOwn(extras ?? {}, name));
  if (added.length === 0) return raw ?? '{}';
  const addedJson = JSON.stringify(Object.fromEntries(added));
  return Object.keys(extras ?? {}).length === 0
    ? addedJson
    : `${(raw ?? bug('no text of extras')).slice(0, -1)},${addedJson.slice(1)}`;
}

/** Fields with members of their own. */
const OBJECTS: Readonly<Record<string, string>> = {
  classe: '{"sigla": "REsp", "descricao": "Recurso Especial"}',
  inteiro_teor: '{"existe_na_origem": true, "caracteres": 12000}',
};

function explain(value: unknown, base: Base): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return 'not a JSON object';
  const unknown = Object.keys(value).find((key) => !FIELDS.includes(key));
  if (unknown !== undefined) {
    const name = unknown.slice(0, UNKNOWN_NAME_MAX);
    return `unknown field ${JSON.stringify(name)} (${nearestField(name) ?? 'extras may hold it'})`;
  }
  if (!('tipo' in value)) return 'tipo: required';
  const { instancePath, message } = checker.Errors(value)[0] ?? bug('refused without an error');
  const field = instancePath.split('/').filter(Boolean).join('.');
  if (field === 'tipo') return `tipo: must be one of ${TIPOS_DA_BASE[base].join(', ')}`;
  if (field === 'tribunal') return `tribunal: must be one of ${tribunaisDaBase(base).join(', ')}`;
  if (field === 'ementa_status') return `ementa_status: must be one of ${STATUS_EMENTA.join(', ')}`;
  const [outer = '', inner = ''] = field.split('.');
  const form = OBJECTS[outer];
  if (form !== undefined && !form.includes(`"${inner}"`)) return `${outer}: must be like ${form}`;
  return `${field}: ${message}`;
}

function nearestField(name: string): string | undefined {
  const near = FIELDS.map((field) => ({ field, distance: leven(name, field) }));
  const [nearest] = near.toSorted((a, b) => a.distance - b.distance);
  return nearest !== undefined && nearest.distance <= name.length / 2
    ? `nearest: ${nearest.field}`
    : undefined;
}
