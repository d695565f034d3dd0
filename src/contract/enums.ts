import { Type } from 'typebox';
import {
  BASES,
  CODIGOS_TRIBUNAL,
  ORDEM_PADRAO,
  ORDENS,
  RAMOS,
  STATUS_EMENTA,
  TIPOS,
  UFS,
  type Ordem,
} from './vocabulary.ts';

export const BaseSchema = vocabulary(BASES, 'Base', 'Base que guarda a decisão; uma base não é um tribunal.');
export const TipoSchema = vocabulary(TIPOS, 'Tipo', 'Tipo da decisão.');
export const OrdemSchema = ordem({});
/** The order that a search requests. */
export const OrdemPedidaSchema = ordem({ default: ORDEM_PADRAO });
export const StatusEmentaSchema = vocabulary(
  STATUS_EMENTA,
  'StatusEmenta',
  'Quanto confiar na ementa: `truncada` foi cortada na origem; `suspeita` é muito curta, está ilegível ou é texto da página.',
);
export const RamoSchema = vocabulary(RAMOS, 'Ramo', 'Ramo da Justiça.');
export const CodigoTribunalSchema = vocabulary(
  CODIGOS_TRIBUNAL,
  'CodigoTribunal',
  'Código do tribunal, como no catálogo da cobertura.',
);
export const UfSchema = vocabulary(UFS, 'Uf', 'Sigla do estado; `BR` são os tribunais nacionais.');

function ordem(options: { readonly default?: Ordem }) {
  const description =
    '`relevancia` é calculada dentro de cada base; `recentes` é a ordem de inclusão na base, e não a do julgamento.';
  return vocabulary(ORDENS, 'Ordem', description, options);
}

/** A closed vocabulary as a schema. Its `title` is its name in the OpenAPI document. */
function vocabulary<T extends string[]>(
  words: readonly [...T],
  title: string,
  description: string,
  options: { readonly default?: T[number] } = {},
) {
  return Type.Enum(words, { title, type: 'string', description, ...options });
}
