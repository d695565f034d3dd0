import { Type, type Static } from 'typebox';
import { BaseSchema, StatusEmentaSchema, TipoSchema } from './enums.ts';
import { closed } from './closed.ts';
import { nullable } from './nullable.ts';
import { ID_PATTERN } from './vocabulary.ts';

/** `YYYY-MM-DD`, or null if the source has no date or the day is not in the calendar. */
export const dataSchema = (description: string) => nullable(Type.String({ format: 'date' }), description);

/** The fields that Resumo and Documento share, in output order. */
export const camposComuns = {
  id: Type.String({
    pattern: ID_PATTERN,
    description: 'Identificador `<base>:<número>`; guarde-o como veio e use-o na rota da decisão.',
  }),
  base: BaseSchema,
  fonte: Type.String({
    description: 'Rótulo da origem da decisão, por exemplo a sigla de um tribunal; não é um endereço.',
  }),
  tipo: TipoSchema,
  processo: nullable(Type.String(), 'Número do processo como a origem o dá; pode ter sufixo.'),
  classe: Type.Object(
    {
      sigla: nullable(Type.String(), 'Sigla da classe processual.'),
      descricao: nullable(Type.String(), 'Nome da classe processual.'),
    },
    { description: 'Classe processual; as duas chaves estão sempre presentes.', additionalProperties: false },
  ),
  orgao_julgador: nullable(Type.String(), 'Órgão julgador.'),
  relator: nullable(Type.String(), 'Relator ou relatora.'),
  data_julgamento: dataSchema('Data do julgamento; nula se falta ou não existe no calendário.'),
  data_publicacao: dataSchema('Data da publicação; nula se falta ou não existe no calendário.'),
  ementa_status: StatusEmentaSchema,
};

/** Search item. All fields are always present. */
export const ResumoSchema = closed(
  'Resumo',
  'Item de uma busca. Todos os campos estão sempre presentes; `null` é o que a origem não informa.',
  {
    ...camposComuns,
    trecho_da_ementa: nullable(
      Type.String(),
      'Começo da ementa, para triagem, com as quebras de linha; não é o texto completo.',
    ),
  },
);
export type Resumo = Static<typeof ResumoSchema>;
