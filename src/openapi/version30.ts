type Json = Readonly<Record<string, unknown>>;

/** Their values are data or a text, whatever they look like. */
const DATA = new Set(['const', 'default', 'enum', 'example', 'examples']);
/** Their members have names of our own, which may look like a keyword. */
const NAMED = new Set([
  'content',
  'headers',
  'parameters',
  'paths',
  'properties',
  'responses',
  'schemas',
  'securitySchemes',
]);

/**
 * The same document as OpenAPI 3.0, for generators that read no 3.1. It translates what our schemas use; anything else of 3.1
 * stays, and is no valid 3.0, as a test then finds.
 * Source: spec.openapis.org/oas/v3.0.4, "Schema Object".
 */
export function asVersion30(document: Json & { readonly info: Json }): Json {
  const { jsonSchemaDialect: _dialect, info, ...rest } = document;
  const { summary: _summary, ...kept } = info;
  return { ...members({ ...rest, info: kept }), openapi: '3.0.4' };
}

function walk(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(walk);
  return isObject(value) ? schemaOf30(members(value)) : value;
}

function members(object: Json): Json {
  return Object.fromEntries(
    Object.entries(object).map(([key, value]) => {
      if (DATA.has(key) || key.startsWith('x-')) return [key, value];
      return [key, NAMED.has(key) && isObject(value) ? named(value) : walk(value)];
    }),
  );
}

function named(object: Json): Json {
  return Object.fromEntries(Object.entries(object).map(([name, value]) => [name, walk(value)]));
}

/** No other object of a document has any of these keywords. */
function schemaOf30(schema: Json): Json {
  return reference(example(constant(nullable(schema))));
}

function constant(schema: Json): Json {
  const { const: only, ...rest } = schema;
  return 'const' in schema ? { ...rest, enum: [only] } : schema;
}

/** A schema's examples are a list; those of a body have names, and stay. */
function example(schema: Json): Json {
  const { examples, ...rest } = schema;
  return Array.isArray(examples) ? { ...rest, example: examples[0] } : schema;
}

/** Whatever stands beside a reference is ignored in 3.0. */
function reference(object: Json): Json {
  const { $ref, ...beside } = object;
  const isSchema = String($ref).startsWith('#/components/schemas/') && Object.keys(beside).length > 0;
  if ($ref === undefined) return object;
  return isSchema ? { ...beside, allOf: [{ $ref }] } : { $ref };
}

/** A schema or null: `nullable` in place of the branch for null. */
function nullable(schema: Json): Json {
  const { anyOf, ...rest } = schema;
  const branches: unknown[] = Array.isArray(anyOf) ? anyOf : [];
  const [only, ...others] = branches.filter((branch) => !isObject(branch) || branch['type'] !== 'null');
  const isOne = others.length === 0 && branches.length === 2;
  return isOne && isObject(only) ? { ...only, ...rest, nullable: true } : schema;
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
