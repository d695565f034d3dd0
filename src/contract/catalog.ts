import type { Base, CodigoTribunal, Ramo, Uf } from './enums.ts';

/** One court of the catalog (spec section 2, "Court catalog"). */
export interface Tribunal {
  readonly codigo: CodigoTribunal;
  readonly nome: string;
  readonly base: Base;
  readonly ramo: Ramo;
  readonly uf: Uf;
}

/** Every court, each linked to one base, one branch and one state code. */
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

/** The courts that a base holds, in catalog order. */
export function tribunaisDaBase(base: Base): readonly CodigoTribunal[] {
  return TRIBUNAIS.filter((tribunal) => tribunal.base === base).map((tribunal) => tribunal.codigo);
}
