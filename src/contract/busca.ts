import { Type, type Static } from 'typebox';
import { BaseSchema, OrdemSchema } from './enums.ts';
import { nullable } from './nullable.ts';
import { ResumoSchema } from './resumo.ts';
import { CONTAGEM_MAX } from './vocabulary.ts';

export const LIMITE_MAX = 50;
export const LIMITE_PADRAO = 20;
/** Length of `q`, in Unicode code points (spec section 4.2). */
export const Q_MIN = 2;
export const Q_MAX = 300;
/** A search over more bases than this, with no court choice, is refused (spec section 4.2, rule 1). */
export const BASES_SEM_ESCOLHA_MAX = 8;

export const PorBaseSchema = Type.Object(
  {
    base: BaseSchema,
    ordem_aplicada: OrdemSchema,
    encontrados_ate_1000: Type.Optional(Type.Integer({ minimum: 0, maximum: CONTAGEM_MAX })),
    ha_mais_de_1000: Type.Optional(Type.Boolean()),
    ms: Type.Integer({ minimum: 0, description: 'Duration of the query in that base, milliseconds' }),
  },
  { additionalProperties: false },
);
export type PorBase = Static<typeof PorBaseSchema>;

export const BaseSemRespostaSchema = Type.Object(
  {
    base: BaseSchema,
    tempo_esgotado: Type.Boolean({
      description: 'true: the time window ran out; false: the base failed or is overloaded',
    }),
  },
  { additionalProperties: false },
);
export type BaseSemResposta = Static<typeof BaseSemRespostaSchema>;

/** Search response (spec section 2, Busca). */
export const BuscaSchema = Type.Object(
  {
    itens: Type.Array(ResumoSchema),
    por_base: Type.Array(PorBaseSchema),
    bases_sem_resposta: Type.Array(BaseSemRespostaSchema),
    proximo_cursor: nullable(Type.String()),
  },
  { additionalProperties: false },
);
export type Busca = Static<typeof BuscaSchema>;
