import { Type, type Static } from 'typebox';
import { ERROS } from './recusa.ts';

export const CodigoSchema = Type.Enum(Object.keys(ERROS), {
  title: 'Codigo',
  type: 'string',
  description: Object.entries(ERROS)
    .map(([codigo, { status, quando }]) => `- \`${codigo}\` (${status}): ${quando}.`)
    .join('\n'),
});

/** Error body. */
export const ErroSchema = Type.Object(
  {
    erro: Type.String({ minLength: 1, description: 'O que houve e como remediar, em português.' }),
    codigo: CodigoSchema,
  },
  {
    title: 'Erro',
    description: 'Corpo de toda recusa, exceto a do limite por endereço IP.',
    additionalProperties: false,
  },
);
export type Erro = Static<typeof ErroSchema>;
