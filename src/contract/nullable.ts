import { Type, type TSchema } from 'typebox';

/** What the schema accepts, or null: the contract's way to say that the source holds nothing. */
export const nullable = <S extends TSchema>(schema: S, description?: string) =>
  Type.Union([schema, Type.Null()], description === undefined ? {} : { description });
