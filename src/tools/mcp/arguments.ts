import type { Static, TObject, TSchema } from 'typebox';
import { JurisprudenciaError } from '../../client/client.ts';

/** What is held here of a schema's property; the service refuses the rest, with the mend. */
interface Property {
  readonly type?: unknown;
  readonly pattern?: string;
  readonly maxLength?: number;
  readonly maximum?: number;
}

/**
 * A tool's arguments as assistants write them: null or an empty text is absent, a number may stand in a text, and a list in place of
 * a comma list. @throws JurisprudenciaError with the mend, in Portuguese, for names that do not fit the schema and for what is too long.
 */
export function readArguments<S extends TObject>(schema: S, given: object): Static<S> {
  const properties: Readonly<Record<string, Property>> = schema.properties;
  const required: readonly string[] = schema.required ?? [];
  const values = Object.entries(given).filter(([, value]) => value !== null && value !== '');
  const names = values.map(([name]) => name);
  const unknown = names.filter((name) => !Object.hasOwn(properties, name));
  if (unknown.length > 0) refuse(`não há ${unknown.join(', ')}; use ${Object.keys(properties).join(', ')}`);
  const missing = required.filter((name) => !names.includes(name));
  if (missing.length > 0) refuse(`falta ${missing.join(', ')}`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- each is of its property's type
  return Object.fromEntries(
    values.map(([name, value]) => [name, converted(name, properties[name] ?? {}, value)]),
  ) as Static<S>;
}

function converted(name: string, property: Property, value: unknown): string | number {
  const { type, pattern = '', maxLength = Infinity, maximum = Infinity } = property;
  // Only the pattern of a comma list has a comma.
  const plain: unknown = Array.isArray(value) && pattern.includes(',') ? value.join(',') : value;
  if (typeof plain !== 'string' && typeof plain !== 'number') refuse(`${name}: tem de ser um texto`);
  const text = String(plain);
  if ([...text].length > maxLength) refuse(`${name}: o máximo é ${maxLength} caracteres`);
  if (type !== 'integer') return text;
  const number = /^\s*\d{1,9}\s*$/u.test(text)
    ? Number(text)
    : refuse(`${name}: tem de ser um número inteiro`);
  return number <= maximum ? number : refuse(`${name}: o máximo é ${maximum}`);
}

function refuse(mend: string): never {
  throw new JurisprudenciaError(mend, { status: null, codigo: 'PARAMETRO_INVALIDO' });
}

const DATE_PATTERN = String.raw`^\d{4}-\d{2}-\d{2}$`;

/** A schema as shown to clients: some refuse all tools if one has the format `date`. */
export function withoutDateFormat<S extends TSchema>(schema: S): S {
  const text = JSON.stringify(schema, (_, value: unknown) => {
    if (typeof value !== 'object' || value === null || !('format' in value) || value.format !== 'date')
      return value;
    const { format: _format, ...others } = value;
    return { ...others, pattern: DATE_PATTERN };
  });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the same schema in plain JSON
  return JSON.parse(text) as S;
}
