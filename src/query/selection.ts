import { TRIBUNAIS, tribunaisDaBase, type Tribunal } from '../contract/catalog.ts';
import {
  BASES,
  BASES_SEM_ESCOLHA_MAX,
  type Base,
  type CodigoTribunal,
  type Ramo,
  type Uf,
} from '../contract/vocabulary.ts';

/** A choice of courts: the three lists combine with AND; null means that the parameter was not given. */
export interface Escolha {
  readonly tribunal: readonly CodigoTribunal[] | null;
  readonly uf: readonly Uf[] | null;
  readonly ramo: readonly Ramo[] | null;
}

/** A base to query; `tribunais` limits it to some of its courts, null takes the whole base. */
export interface BaseSelecionada {
  readonly base: Base;
  readonly tribunais: readonly CodigoTribunal[] | null;
}

/** The bases that hold the chosen courts, in the contract's order of bases; empty when no court is left. */
export function select(escolha: Escolha): BaseSelecionada[] {
  const chosen = new Set(TRIBUNAIS.filter((one) => isChosen(one, escolha)).map(({ codigo }) => codigo));
  return BASES.flatMap((base) => {
    const held = tribunaisDaBase(base);
    const kept = held.filter((codigo) => chosen.has(codigo));
    if (kept.length === 0) return [];
    return [{ base, tribunais: kept.length === held.length ? null : kept }];
  });
}

/** Spec section 4.2, rule 1: without a choice, no more than eight bases. (There are six today.) */
export function needsChoice(escolha: Escolha, bases: number): boolean {
  const chosen = escolha.tribunal !== null || escolha.uf !== null || escolha.ramo !== null;
  return !chosen && bases > BASES_SEM_ESCOLHA_MAX;
}

function isChosen({ codigo, uf, ramo }: Tribunal, escolha: Escolha): boolean {
  return (
    (escolha.tribunal === null || escolha.tribunal.includes(codigo)) &&
    (escolha.uf === null || escolha.uf.includes(uf)) &&
    (escolha.ramo === null || escolha.ramo.includes(ramo))
  );
}
