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
 * The same document as OpenAPI 3.0, for generators that read no 3.1. What 3.0 has no word for stays, and is no valid 3.0.
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
  const changed = constant(union(union(types(schema), 'anyOf'), 'oneOf'));
  return reference(bound(bound(example(changed), 'minimum', Math.max), 'maximum', Math.min));
}

function types(schema: Json): Json {
  const { type, ...rest } = schema;
  if (!Array.isArray(type)) return schema;
  const others: unknown[] = type.filter((name) => name !== 'null');
  const one =
    others.length === 1
      ? { ...rest, type: others[0] }
      : { ...rest, anyOf: others.map((name) => ({ type: name })) };
  return others.length === type.length ? one : orNull(one);
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

/** Without its branch for null: `nullable` in its place. */
function union(schema: Json, keyword: 'anyOf' | 'oneOf'): Json {
  const { [keyword]: branches, ...rest } = schema;
  if (!Array.isArray(branches)) return schema;
  const others: unknown[] = branches.filter((branch) => !isObject(branch) || branch['type'] !== 'null');
  if (others.length === branches.length) return schema;
  const [only] = others;
  return orNull(
    others.length === 1 && isObject(only) ? { ...only, ...rest } : { ...rest, [keyword]: others },
  );
}

function orNull(schema: Json): Json {
  const { enum: words } = schema;
  return {
    ...schema,
    ...(Array.isArray(words) ? { enum: [...new Set<unknown>(words).add(null)] } : {}),
    nullable: true,
  };
}

/** An exclusive limit is a number of its own in 3.1, and in 3.0 a mark on the other limit: the narrower of the two stays. */
function bound(schema: Json, limit: 'minimum' | 'maximum', narrower: (...limits: number[]) => number): Json {
  const exclusive = limit === 'minimum' ? 'exclusiveMinimum' : 'exclusiveMaximum';
  const { [exclusive]: open, ...rest } = schema;
  const closed = rest[limit];
  if (typeof open !== 'number') return schema;
  if (typeof closed === 'number' && narrower(open, closed) !== open) return rest;
  return { ...rest, [limit]: open, [exclusive]: true };
}

function isObject(value: unknown): value is Json {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
