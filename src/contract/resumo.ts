import { Type, type Static } from 'typebox';
import { BaseSchema, StatusEmentaSchema, TipoSchema } from './enums.ts';
import { nullable } from './nullable.ts';

const nullableString = nullable(Type.String());
/** `YYYY-MM-DD`, or null where the source has none or the day is not in the calendar. */
export const DataSchema = nullable(Type.String({ format: 'date' }));

/** The fields that Resumo and Documento share, in the order in which they are written. */
export const camposComuns = {
  id: Type.String({ description: 'Identifier `<base>:<number>`; keep it as received' }),
  base: BaseSchema,
  fonte: Type.String({ description: 'Origin label of the decision, for example a court acronym' }),
  tipo: TipoSchema,
  processo: nullableString,
  classe: Type.Object({ sigla: nullableString, descricao: nullableString }, { additionalProperties: false }),
  orgao_julgador: nullableString,
  relator: nullableString,
  data_julgamento: DataSchema,
  data_publicacao: DataSchema,
  ementa_status: StatusEmentaSchema,
};

/** Search item (spec section 2). All fields are always present. */
export const ResumoSchema = Type.Object(
  { ...camposComuns, trecho_da_ementa: nullableString },
  { additionalProperties: false },
);
export type Resumo = Static<typeof ResumoSchema>;
