import { TRIBUNAIS, tribunaisDaBase, type Tribunal } from '../contract/catalog.ts';
import {
  BASES,
  BASES_SEM_ESCOLHA_MAX,
  type Base,
  type CodigoTribunal,
  type Ramo,
  type Uf,
} from '../contract/vocabulary.ts';

/** A choice of courts. The three lists combine with AND; null means that the parameter is absent. */
export interface Escolha {
  readonly tribunal: readonly CodigoTribunal[] | null;
  readonly uf: readonly Uf[] | null;
  readonly ramo: readonly Ramo[] | null;
}

/** A base to search. `tribunais` limits it to some courts; null means the whole base. */
export interface BaseSelecionada {
  readonly base: Base;
  readonly tribunais: readonly CodigoTribunal[] | null;
}

/** Without a choice. */
const ALL: readonly BaseSelecionada[] = BASES.map((base) => ({ base, tribunais: null }));

/** The bases of the chosen courts, in the contract's order; empty if no court matches. */
export function select(escolha: Escolha): readonly BaseSelecionada[] {
  if (Object.values(escolha).every((list) => list === null)) return ALL;
  const chosen = TRIBUNAIS.filter((one) => isChosen(one, escolha));
  return BASES.flatMap((base) => {
    const selected = chosen.filter((one) => one.base === base).map(({ codigo }) => codigo);
    if (selected.length === 0) return [];
    return [{ base, tribunais: selected.length === tribunaisDaBase(base).length ? null : selected }];
  });
}

/** Without a choice of courts at most eight bases are searched. (Today there are six.) */
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
