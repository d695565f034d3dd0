import { joined, markup, type Markup } from '../../html/markup.ts';
import type { Schema } from '../model.ts';
import { prose } from './prose.ts';

/** What the page reads of a JSON schema; the document uses no more. */
interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly const?: string;
  readonly anyOf?: readonly Shape[];
  readonly allOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly description?: string;
  readonly default?: string | number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
}

/** The schemas that have a name. */
export type Schemas = Readonly<Record<string, Schema>>;

export function shapeOf(schema: Schema): Shape {
  return schema;
}

/** The schema itself where it is only referred to. */
function referred(shape: Shape, schemas: Schemas): Shape {
  return shape.$ref === undefined ? shape : shapeOf(schemas[nameIn(shape.$ref)] ?? {});
}

function nameIn(ref: string): string {
  return ref.split('/').at(-1) ?? '';
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'texto',
  integer: 'inteiro',
  boolean: 'booleano',
  object: 'objeto',
  null: 'nulo',
};
const FORMATS: Readonly<Record<string, string>> = {
  date: 'data (AAAA-MM-DD)',
  'date-time': 'data e hora (UTC)',
};

/** The type of a value in words; a schema with a name is a link to it. */
export function typeText(shape: Shape): Markup {
  const { $ref, const: only, anyOf, allOf, items, type = '', format = '' } = shape;
  if ($ref !== undefined) return schemaLink($ref);
  if (only !== undefined) return markup`<code>${only}</code>`;
  if (anyOf !== undefined) return separated(anyOf.map(typeText), ' ou ');
  if (allOf?.[0] !== undefined) return typeText(allOf[0]);
  if (items !== undefined) return markup`lista de ${typeText(items)}`;
  return markup`${FORMATS[format] ?? TYPES[type] ?? 'valor'}`;
}

/** What else a value is held to: its words, its bounds, its form, its default. */
export function limits(shape: Shape, schemas: Schemas): Markup | null {
  const { minimum, maximum, minLength, maxLength, pattern } = shape;
  const words = referred(shape.items ?? shape, schemas).enum;
  const parts: (Markup | null)[] = [
    words === undefined ? null : markup`Valores: ${separated(words.map(code), ', ')}.`,
    between(minimum, maximum, ''),
    between(minLength, maxLength, ' caracteres'),
    pattern === undefined ? null : markup`Forma: ${code(pattern)}.`,
    shape.default === undefined ? null : markup`Padrão: ${code(String(shape.default))}.`,
  ];
  const said = parts.filter((part) => part !== null);
  return said.length === 0 ? null : markup`<p class="fraco">${separated(said, ' ')}</p>`;
}

/** A named schema: its fields as a table, or its words. */
export function schemaContent(name: string, shape: Shape, schemas: Schemas): Markup {
  const text = prose(shape.description ?? '');
  if (shape.properties === undefined) return joined([text, limits(shape, schemas)]);
  return joined([text, fieldTable('Campo', `Campos de ${name}`, fieldsOf(shape, '', schemas))]);
}

export interface Row {
  readonly name: string;
  readonly note: string;
  readonly type: Markup;
  readonly content: Markup;
}

/** Two columns, which a phone has room for. */
export function fieldTable(what: string, caption: string, rows: readonly Row[]): Markup {
  return markup`<table><caption>${caption}</caption><thead><tr><th scope="col">${what}</th><th scope="col">O que é</th></tr></thead><tbody>${rows.map(
    ({ name, note, type, content }) =>
      markup`<tr><th scope="row"><code>${name}</code><span class="tipo">${type}</span>${note === '' ? null : markup`<span class="nota">${note}</span>`}</th><td>${content}</td></tr>`,
  )}</tbody></table>`;
}

/** The fields of an object, those of an object in it after it. */
function fieldsOf({ properties = {}, required = [] }: Shape, prefix: string, schemas: Schemas): Row[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const row = {
      name: prefix + name,
      note: required.includes(name) ? 'sempre presente' : 'pode faltar',
      type: typeText(field),
      content: joined([
        prose(field.description ?? referred(field, schemas).description ?? ''),
        limits(field, schemas),
      ]),
    };
    return [row].concat(fieldsOf(field, `${prefix}${name}.`, schemas));
  });
}

function between(least: number | undefined, most: number | undefined, unit: string): Markup | null {
  if (least === undefined && most === undefined) return null;
  if (most === undefined) return markup`A partir de ${least ?? 0}${unit}.`;
  return markup`De ${least ?? 0} a ${most}${unit}.`;
}

function schemaLink(ref: string): Markup {
  const name = nameIn(ref);
  return markup`<a href="#esquema-${name}">${name}</a>`;
}

function code(text: string): Markup {
  return markup`<code>${text}</code>`;
}

function separated(parts: readonly Markup[], separator: string): Markup {
  return markup`${parts.map((part, at) => (at === 0 ? part : markup`${separator}${part}`))}`;
}
