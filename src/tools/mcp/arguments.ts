import { fromJsonSchema } from '@modelcontextprotocol/server';
import type { Static, TObject } from 'typebox';
import { Errors } from 'typebox/value';

/** JSON Schema's name for a type. */
const TYPES: Readonly<Record<string, string>> = { string: 'um texto', integer: 'um número inteiro' };

/** A tool's arguments as its clients see them. The SDK would refuse others in English; `refusalOf` does so in Portuguese. */
export function unchecked<S extends TObject>(schema: S) {
  const { '~standard': standard } = fromJsonSchema<Static<S>>(schema);
  // Each tool checks them before it uses them.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  return { '~standard': { ...standard, validate: (value: unknown) => ({ value: value as Static<S> }) } };
}

/** Why arguments do not match the schema and how to correct them, in Portuguese; null if they match. */
export function refusalOf(schema: TObject, values: unknown): string | null {
  const error = Errors(schema, values).find(({ keyword }) => keyword !== 'boolean');
  if (error === undefined) return null;
  const { keyword, params } = error;
  if ('requiredProperties' in params) return `falta ${params.requiredProperties.join(', ')}`;
  if ('additionalProperties' in params) {
    return `não há ${params.additionalProperties.join(', ')}; use ${Object.keys(schema.properties).join(', ')}`;
  }
  const name = error.instancePath.slice(1);
  const about = schema.properties[name];
  return `${name}: ${mendOf(keyword, params) ?? `não serve. ${String(about && 'description' in about ? about.description : '')}`}`;
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
