import { Type, type TProperties } from 'typebox';

/** An object with these fields and no others. Its `title` is its name in the OpenAPI document. */
export function closed<Fields extends TProperties>(title: string, description: string, fields: Fields) {
  return Type.Object(fields, { title, description, additionalProperties: false });
}
