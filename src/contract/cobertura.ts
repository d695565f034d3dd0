import { Type, type Static } from 'typebox';
import { closed } from './closed.ts';
import { BaseSchema, CodigoTribunalSchema, RamoSchema, TipoSchema, UfSchema } from './enums.ts';
import { dataSchema } from './resumo.ts';

const periodo = (description: string) =>
  Type.Object(
    { de: dataSchema('A data mais antiga.'), ate: dataSchema('A data mais recente.') },
    { description, additionalProperties: false },
  );

/** Coverage of a base. Until its first calculation ends it has no total: an absent field, not a zero. */
export const BaseCoberturaSchema = closed('BaseCobertura', 'Cobertura de uma base.', {
  base: BaseSchema,
  calculado: Type.Boolean({
    description: 'Se o cálculo da cobertura desta base terminou; até então não há total nem períodos.',
  }),
  total: Type.Optional(Type.Integer({ minimum: 0, description: 'Decisões na base.' })),
  periodo_do_julgamento: Type.Optional(
    periodo('Extremos das datas de julgamento encontradas; não é uma sequência sem lacunas.'),
  ),
  periodo_da_publicacao: Type.Optional(
    periodo('Extremos das datas de publicação encontradas; não é uma sequência sem lacunas.'),
  ),
  tipos: Type.Optional(Type.Array(TipoSchema, { description: 'Tipos presentes na base.' })),
  calculado_em: Type.Optional(
    Type.String({ format: 'date-time', description: 'Quando o cálculo terminou, em UTC.' }),
  ),
});
export type BaseCobertura = Static<typeof BaseCoberturaSchema>;

export const TribunalSchema = closed(
  'Tribunal',
  'Um tribunal do catálogo: sua base, seu ramo e seu estado.',
  {
    codigo: CodigoTribunalSchema,
    nome: Type.String({ description: 'Nome do tribunal.' }),
    base: BaseSchema,
    ramo: RamoSchema,
    uf: UfSchema,
  },
);

/** Coverage response. */
export const CoberturaSchema = closed(
  'Cobertura',
  'Catálogo, totais e períodos. A cobertura nunca prova que todos os julgados de um tribunal ou período estão presentes.',
  {
    bases: Type.Array(BaseCoberturaSchema, { description: 'As seis bases.' }),
    tipos_aceitos: Type.Array(TipoSchema, { description: 'Tipos que o filtro `tipo` da busca aceita.' }),
    tribunais: Type.Array(TribunalSchema, { description: 'Catálogo dos tribunais.' }),
  },
);
export type Cobertura = Static<typeof CoberturaSchema>;
