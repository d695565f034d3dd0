import type { Schema } from '../../openapi/model.ts';

/** The parts of JSON Schema that the contract uses. */
interface Shape {
  readonly $ref?: string;
  readonly type?: string;
  readonly enum?: readonly string[];
  readonly anyOf?: readonly Shape[];
  readonly items?: Shape;
  readonly properties?: Readonly<Record<string, Shape>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean;
  readonly description?: string;
}

/** Named schemas as TypeScript declarations, so that the client's types do not need the schema library. */
export function typesText(schemas: Readonly<Record<string, Schema>>): string {
  const types = Object.entries(schemas).map(([name, schema]: [string, Shape]) => {
    return `${comment(schema)}export type ${name} = ${typeOf(schema)};\n`;
  });
  return types.join('\n');
}

function typeOf(shape: Shape): string {
  if (shape.$ref !== undefined) return shape.$ref.split('/').at(-1) ?? '';
  if (shape.enum !== undefined) return shape.enum.map((word) => `'${word}'`).join(' | ');
  if (shape.anyOf !== undefined) return shape.anyOf.map(typeOf).join(' | ');
  if (shape.items !== undefined) return `(${typeOf(shape.items)})[]`;
  if (shape.type === 'integer') return 'number';
  return shape.type === 'object' ? objectOf(shape) : String(shape.type);
}

function objectOf({ properties = {}, required = [], additionalProperties }: Shape): string {
  if (additionalProperties === true) return '{ [name: string]: unknown }';
  const fields = Object.entries(properties).map(
    ([name, field]) => `${comment(field)}${name}${required.includes(name) ? '' : '?'}: ${typeOf(field)};`,
  );
  return `{\n${fields.join('\n')}\n}`;
}

function comment({ description }: Shape): string {
  return description === undefined ? '' : `/** ${description.replaceAll('*/', '* /')} */\n`;
}
