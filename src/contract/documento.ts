import { Type, type Static } from 'typebox';
import { nullable } from './nullable.ts';
import { camposComuns } from './resumo.ts';

const nullableString = nullable(Type.String());
const nullableStrings = nullable(Type.Array(Type.String()));

/**
 * Decision record (spec section 2): every Resumo field but the excerpt, and the rest. All fields are
 * always present; `extras` is outside the stable contract and comes back exactly as received.
 */
export const DocumentoSchema = Type.Object(
  {
    ...camposComuns,
    redator: nullableString,
    ementa: nullableString,
    tese: nullableString,
    dispositivo: nullableString,
    inteiro_teor: Type.Object(
      {
        existe_na_origem: nullable(Type.Boolean()),
        caracteres: nullable(Type.Integer({ minimum: 0 })),
      },
      { additionalProperties: false },
    ),
    citacao: nullableString,
    legislacao_citada: nullableStrings,
    temas: nullableStrings,
    extras: Type.Object({}),
  },
  { additionalProperties: false },
);
export type Documento = Static<typeof DocumentoSchema>;
