import type { Base, CodigoTribunal, Ramo, Tipo, Uf } from './vocabulary.ts';

/** A court. */
export interface Tribunal {
  readonly codigo: CodigoTribunal;
  readonly nome: string;
  readonly base: Base;
  readonly ramo: Ramo;
  readonly uf: Uf;
}

/** Every court, with its base, branch and state code. */
export const TRIBUNAIS: readonly Tribunal[] = [
  { codigo: 'tst', nome: 'Tribunal Superior do Trabalho', base: 'tst', ramo: 'trabalhista', uf: 'BR' },
  { codigo: 'stf', nome: 'Supremo Tribunal Federal', base: 'stf', ramo: 'superior', uf: 'BR' },
  { codigo: 'stj', nome: 'Superior Tribunal de Justiça', base: 'stj', ramo: 'superior', uf: 'BR' },
  {
    codigo: 'tnu',
    nome: 'Turma Nacional de Uniformização dos Juizados Especiais Federais',
    base: 'eproc',
    ramo: 'federal',
    uf: 'BR',
  },
  {
    codigo: 'trf6',
    nome: 'Tribunal Regional Federal da 6ª Região',
    base: 'eproc',
    ramo: 'federal',
    uf: 'MG',
  },
  {
    codigo: 'trt3',
    nome: 'Tribunal Regional do Trabalho da 3ª Região',
    base: 'trt3',
    ramo: 'trabalhista',
    uf: 'MG',
  },
  {
    codigo: 'tjmg',
    nome: 'Tribunal de Justiça do Estado de Minas Gerais',
    base: 'tjmg',
    ramo: 'estadual',
    uf: 'MG',
  },
];

/** The types in each base, in the contract's order. */
export const TIPOS_DA_BASE = {
  tst: [
    'acordao',
    'decisao_monocratica',
    'decisao_presidencia',
    'decisao_vice_presidencia',
    'decisao_corregedoria',
    'sumula',
    'orientacao_jurisprudencial',
    'precedente_normativo',
  ],
  stf: ['acordao', 'decisao_monocratica', 'sumula', 'informativo'],
  stj: ['acordao'],
  tjmg: ['acordao'],
  trt3: ['acordao'],
  eproc: ['acordao', 'decisao_monocratica', 'sumula'],
} as const satisfies Readonly<Record<Base, readonly Tipo[]>>;
export type TipoDaBase<B extends Base> = (typeof TIPOS_DA_BASE)[B][number];

/**
 * The codes of courts and types in a base file. Existing files keep their codes, so a code never changes and is never reused. A
 * new court or type takes the next free code below 32.
 */
export const TRIBUNAL_NO_ARQUIVO: Readonly<Record<CodigoTribunal, number>> = {
  tst: 0,
  stf: 1,
  stj: 2,
  tnu: 3,
  trf6: 4,
  trt3: 5,
  tjmg: 6,
};
export const TIPO_NO_ARQUIVO: Readonly<Record<Tipo, number>> = {
  acordao: 0,
  decisao_monocratica: 1,
  decisao_presidencia: 2,
  decisao_vice_presidencia: 3,
  decisao_corregedoria: 4,
  sumula: 5,
  orientacao_jurisprudencial: 6,
  precedente_normativo: 7,
  informativo: 8,
};

/** The courts that a base holds, in catalog order. */
export function tribunaisDaBase(base: Base): readonly CodigoTribunal[] {
  return TRIBUNAIS.filter((tribunal) => tribunal.base === base).map((tribunal) => tribunal.codigo);
}
