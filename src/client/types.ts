/** The contract's types. Only types, so that the client does not include the schema library. */
export type { BaseSemResposta, Busca, PorBase } from '../contract/busca.ts';
export type { BaseCobertura, Cobertura } from '../contract/cobertura.ts';
export type { Documento } from '../contract/documento.ts';
export type { Erro } from '../contract/erro.ts';
export type { Parametros } from '../contract/parametros.ts';
export type { Codigo } from '../contract/recusa.ts';
export type { Resumo } from '../contract/resumo.ts';
export type { Base, CodigoTribunal, Ordem, Ramo, StatusEmenta, Tipo, Uf } from '../contract/vocabulary.ts';
