import { Type, type Static } from 'typebox';
import { BaseSchema, CodigoTribunalSchema, RamoSchema, TipoSchema, UFS } from './enums.ts';
import { DataSchema } from './resumo.ts';

export const PeriodoSchema = Type.Object(
  { de: DataSchema, ate: DataSchema },
  { additionalProperties: false },
);

/** Coverage of one base. Until its first calculation ends it has no total: an absent field, not a zero. */
export const BaseCoberturaSchema = Type.Object(
  {
    base: BaseSchema,
    calculado: Type.Boolean(),
    total: Type.Optional(Type.Integer({ minimum: 0 })),
    periodo_do_julgamento: Type.Optional(PeriodoSchema),
    periodo_da_publicacao: Type.Optional(PeriodoSchema),
    tipos: Type.Optional(Type.Array(TipoSchema)),
    calculado_em: Type.Optional(Type.String({ format: 'date-time' })),
  },
  { additionalProperties: false },
);
export type BaseCobertura = Static<typeof BaseCoberturaSchema>;

export const TribunalSchema = Type.Object(
  {
    codigo: CodigoTribunalSchema,
    nome: Type.String(),
    base: BaseSchema,
    ramo: RamoSchema,
    uf: Type.Enum(UFS),
  },
  { additionalProperties: false },
);

/** Coverage response (spec section 2, Cobertura). */
export const CoberturaSchema = Type.Object(
  {
    bases: Type.Array(BaseCoberturaSchema),
    tipos_aceitos: Type.Array(TipoSchema),
    tribunais: Type.Array(TribunalSchema),
  },
  { additionalProperties: false },
);
export type Cobertura = Static<typeof CoberturaSchema>;
