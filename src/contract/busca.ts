import { Type, type Static } from 'typebox';
import { BaseSchema, OrdemSchema } from './enums.ts';
import { closed } from './closed.ts';
import { nullable } from './nullable.ts';
import { ResumoSchema } from './resumo.ts';
import { CONTAGEM_MAX } from './vocabulary.ts';

export const PorBaseSchema = closed(
  'PorBase',
  'O que uma base consultada fez, tenha respondido ou não; `ordem_aplicada` é a ordem usada de fato.',
  {
    base: BaseSchema,
    ordem_aplicada: OrdemSchema,
    encontrados_ate_1000: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: CONTAGEM_MAX,
        description: `Decisões encontradas, contadas até ${CONTAGEM_MAX}; só na primeira página e se houve tempo de contar.`,
      }),
    ),
    ha_mais_de_1000: Type.Optional(
      Type.Boolean({ description: `Se a base tem mais de ${CONTAGEM_MAX}; acompanha a contagem.` }),
    ),
    ms: Type.Integer({ minimum: 0, description: 'Duração da consulta nesta base, em milissegundos.' }),
  },
);
export type PorBase = Static<typeof PorBaseSchema>;

export const BaseSemRespostaSchema = closed(
  'BaseSemResposta',
  'Uma base que não respondeu; os resultados das outras vêm assim mesmo.',
  {
    base: BaseSchema,
    tempo_esgotado: Type.Boolean({
      description: '`true`: a janela de tempo acabou; `false`: a base falhou ou está sobrecarregada.',
    }),
  },
);
export type BaseSemResposta = Static<typeof BaseSemRespostaSchema>;

/** Search response. */
export const BuscaSchema = closed('Busca', 'Uma página de resultados.', {
  itens: Type.Array(ResumoSchema, {
    description: 'Resultados desta página, um de cada base por vez.',
  }),
  por_base: Type.Array(PorBaseSchema, { description: 'Uma entrada para cada base consultada.' }),
  bases_sem_resposta: Type.Array(BaseSemRespostaSchema, {
    description: 'Bases que não responderam; a lista vazia diz que nenhuma faltou.',
  }),
  proximo_cursor: nullable(
    Type.String(),
    'Envie-o como `cursor` para a próxima página; nulo quando não há mais páginas.',
  ),
});
export type Busca = Static<typeof BuscaSchema>;
