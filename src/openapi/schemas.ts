import type { Schema } from './model.ts';

/** The name of a shared schema, or null for an inline schema. */
function titleOf(schema: object): string | null {
  return 'title' in schema && typeof schema.title === 'string' && 'type' in schema ? schema.title : null;
}

/** A copy with titled schemas as references, and these schemas. Uses of a schema may differ only in their default. */
export function collectSchemas<T>(value: T): { value: T; schemas: Record<string, Schema> } {
  const schemas: Record<string, Schema> = {};
  const copied = copy(value, schemas);
  // The copy has the shape of the value, and a reference is valid wherever a schema is.
  return {
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    value: copied as T,
    schemas: Object.fromEntries(Object.entries(schemas).toSorted(([a], [b]) => (a < b ? -1 : 1))),
  };
}

function copy(value: unknown, schemas: Record<string, Schema>): unknown {
  if (Array.isArray(value)) return value.map((element) => copy(element, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const title = titleOf(value);
  if (title === null) return copyFields(value, schemas);
  const { default: fallback, ...schema } = copyFields(value, schemas);
  schemas[title] = schema;
  const reference = { $ref: `#/components/schemas/${title}` };
  return fallback === undefined ? reference : { ...reference, default: fallback };
}

function copyFields(value: object, schemas: Record<string, Schema>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, copy(field, schemas)]));
}
