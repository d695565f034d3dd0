import type { Static, TObject, TSchema } from 'typebox';
import { Errors } from 'typebox/value';
import { JurisprudenciaError } from '../../client/client.ts';

/**
 * A tool's arguments as assistants write them: null or an empty text is absent, a number may stand in a text, and a list in place of
 * a comma list. @throws JurisprudenciaError with the mend, in Portuguese, if they do not match the schema.
 */
export function readArguments<S extends TObject>(schema: S, given: unknown): Static<S> {
  const values = typeof given === 'object' && given !== null ? plain(schema, given) : given;
  const refusal = refusalOf(schema, values);
  if (refusal !== null)
    throw new JurisprudenciaError(refusal, { status: null, codigo: 'PARAMETRO_INVALIDO' });
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked
  return values as Static<S>;
}

function plain({ properties }: TObject, given: object): object {
  return Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => {
      const plainly = converted(properties[name] ?? {}, value);
      return plainly === null || plainly === '' ? [] : [[name, plainly]];
    }),
  );
}

function converted(schema: { readonly type?: unknown; readonly pattern?: unknown }, value: unknown): unknown {
  const { type, pattern } = schema;
  if (type === 'integer' && typeof value === 'string' && /^\s*\d{1,9}\s*$/u.test(value)) return Number(value);
  // Only the pattern of a comma list has a comma.
  if (typeof pattern !== 'string' || !pattern.includes(',')) return value;
  const isList = Array.isArray(value) && value.every((element) => typeof element === 'string');
  const text: unknown = isList ? value.join(',') : value;
  if (typeof text !== 'string') return text;
  const words = text.replaceAll(/\s*,\s*/gu, ',').trim();
  const form = new RegExp(pattern, 'u');
  return [words, words.toLowerCase(), words.toUpperCase()].find((one) => form.test(one)) ?? words;
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

/** JSON Schema's name for a type. */
const TYPES: Readonly<Record<string, string>> = { string: 'um texto', integer: 'um número inteiro' };

/** Why arguments do not match the schema and how to correct them, in Portuguese; null if they match. */
function refusalOf(schema: TObject, values: unknown): string | null {
  const error = Errors(schema, values).find(({ keyword }) => keyword !== 'boolean');
  if (error === undefined) return null;
  const { keyword, params } = error;
  if ('requiredProperties' in params) return `falta ${params.requiredProperties.join(', ')}`;
  if ('additionalProperties' in params) {
    return `não há ${params.additionalProperties.join(', ')}; use ${Object.keys(schema.properties).join(', ')}`;
  }
  const name = error.instancePath.slice(1);
  const { description = '' }: { readonly description?: string } = schema.properties[name] ?? {};
  return `${name}: ${mendOf(keyword, params) ?? `não serve. ${description}`}`;
}

function mendOf(keyword: string, params: object): string | null {
  if ('allowedValues' in params && Array.isArray(params.allowedValues))
    return `use ${params.allowedValues.join(', ')}`;
  if ('limit' in params)
    return `o ${keyword.startsWith('min') ? 'mínimo' : 'máximo'} é ${String(params.limit)}`;
  if ('type' in params) return `tem de ser ${TYPES[String(params.type)] ?? String(params.type)}`;
  if ('format' in params) return 'escreva a data como AAAA-MM-DD';
  return null;
}
