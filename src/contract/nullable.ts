import { Type, type TSchema } from 'typebox';

/** Accepts the schema or null, which means that the source has no value. */
export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
