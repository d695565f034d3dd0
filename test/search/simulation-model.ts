import type { After, AfterRelevancia } from '../../src/engine/messages.ts';
import { dateText } from '../../src/index/format/schema.ts';
import type { BaseCobertura } from '../../src/contract/cobertura.ts';
import { TIPOS_DA_BASE } from '../../src/contract/catalog.ts';
import { TIPOS, type Base, type Ordem, type Tipo } from '../../src/contract/vocabulary.ts';
import type { Rng } from '../../src/tools/demo/rng.ts';

/** One version of a decision, valid from a data generation until the next version. Dates are `yyyymmdd`. */
export interface Versao {
  readonly generation: number;
  /** Weight of each of the two words of the query, 0 to 3: few values, so that scores tie. */
  readonly pesos: readonly [number, number];
  readonly julgamento: number | null;
  readonly publicacao: number | null;
  readonly tipo: Tipo;
}

interface Decisao {
  readonly doc_id: number;
  /** Whether the query matches it; a replacement never changes that. */
  readonly acha: boolean;
  readonly versoes: Versao[];
}

export interface Match {
  readonly doc_id: number;
  readonly score: number;
}

const DATES = [19_880_301, 19_991_231, 20_050_615, 20_161_104, 20_240_229, null] as const;

/**
 * A base with its whole history: decisions are added and replaced while pages are read, each change in its
 * own data generation, and every generation can still be queried.
 */
export class ModelBase {
  readonly base: Base;
  readonly #rng: Rng;
  readonly #decisoes: Decisao[] = [];
  /** The highest decision number of each generation. */
  readonly #lasts: number[] = [];
  readonly #sequences = new Map<string, readonly number[]>();

  constructor(base: Base, rng: Rng, size: number) {
    this.base = base;
    this.#rng = rng;
    for (let doc_id = 1; doc_id <= size; doc_id += 1) this.#add(0);
    this.#lasts.push(size);
  }

  get generation(): number {
    return this.#lasts.length - 1;
  }

  last(generation: number): number {
    return this.#lasts[generation] ?? 0;
  }

  /** Adds some decisions and replaces others. */
  change(): void {
    const generation = this.#lasts.length;
    for (const decisao of this.#decisoes) {
      if (this.#rng.chance(0.2)) decisao.versoes.push(this.#version(generation));
    }
    const appended = this.#rng.below(4);
    for (let count = 0; count < appended; count += 1) this.#add(generation);
    this.#lasts.push(this.#decisoes.length);
  }

  /** The document frequency of each word in a generation. */
  df(generation: number): [number, number] {
    const df: [number, number] = [0, 0];
    for (const decisao of this.#decisoes.slice(0, this.last(generation))) {
      const { pesos } = versionAt(decisao, generation);
      if (pesos[0] > 0) df[0] += 1;
      if (pesos[1] > 0) df[1] += 1;
    }
    return df;
  }

  /** The number of matches in a generation. */
  matches(generation: number): number {
    return this.sequence(generation, 'recentes').length;
  }

  /** All matches in a generation, in the requested order: what the joined pages must contain. */
  sequence(generation: number, ordem: Ordem): readonly number[] {
    const key = `${generation} ${ordem}`;
    const known = this.#sequences.get(key);
    if (known !== undefined) return known;
    const found =
      ordem === 'relevancia'
        ? this.ranked(firstPosition(this, generation)).map(({ doc_id }) => doc_id)
        : this.#found(this.last(generation))
            .map(({ doc_id }) => doc_id)
            .toReversed();
    this.#sequences.set(key, found);
    return found;
  }

  /** The matches by relevance after the position `after`. */
  ranked({ doc_id_max, df, generation, score, doc_id }: AfterRelevancia): Match[] {
    const ranked = this.#found(doc_id_max).map((decisao) => ({
      doc_id: decisao.doc_id,
      score: scoreOf(versionAt(decisao, generation), df),
    }));
    ranked.sort((a, b) => b.score - a.score || a.doc_id - b.doc_id);
    if (score === null) return ranked;
    return ranked.filter((one) => one.score < score || (one.score === score && one.doc_id > doc_id));
  }

  /** The matches by inclusion below a number, newest first. */
  newest(below: number): Match[] {
    return this.#found(below - 1)
      .map(({ doc_id }) => ({ doc_id, score: 0 }))
      .toReversed();
  }

  /** The decisions above a number in their present versions, at most `most` of them. */
  slice(above: number, most: number): readonly { doc_id: number; versao: Versao }[] {
    return this.#decisoes
      .slice(above, above + most)
      .map((decisao) => ({ doc_id: decisao.doc_id, versao: versionAt(decisao, this.generation) }));
  }

  /** The coverage of a generation, as the report must show it. */
  coverage(generation: number, calculado_em: string): BaseCobertura {
    const held = this.#decisoes.slice(0, this.last(generation)).map((one) => versionAt(one, generation));
    const tipos = new Set(held.map(({ tipo }) => tipo));
    return {
      base: this.base,
      calculado: true,
      total: held.length,
      periodo_do_julgamento: periodOf(held.map(({ julgamento }) => julgamento)),
      periodo_da_publicacao: periodOf(held.map(({ publicacao }) => publicacao)),
      tipos: TIPOS.filter((tipo) => tipos.has(tipo)),
      calculado_em,
    };
  }

  #found(horizon: number): Decisao[] {
    return this.#decisoes.filter(({ acha, doc_id }) => acha && doc_id <= horizon);
  }

  #add(generation: number): void {
    const acha = this.#rng.chance(0.8);
    this.#decisoes.push({ doc_id: this.#decisoes.length + 1, acha, versoes: [this.#version(generation)] });
  }

  #version(generation: number): Versao {
    const rng = this.#rng;
    return {
      generation,
      pesos: [rng.below(4), rng.below(4)],
      julgamento: rng.pick(DATES),
      publicacao: rng.pick(DATES),
      tipo: rng.pick(TIPOS_DA_BASE[this.base]),
    };
  }
}

/** The position before the first decision by relevance, of a generation. */
export function firstPosition(model: Pick<ModelBase, 'last' | 'df'>, generation: number): AfterRelevancia {
  return {
    ordem: 'relevancia',
    doc_id_max: model.last(generation),
    df: model.df(generation),
    score: null,
    doc_id: 0,
    generation,
  };
}

/** The text of a row; a reader identifies the decision by it. */
export function rowOf(object: 'resumo' | 'documento', base: Base, doc_id: number): string {
  return `${object}:${base}:${doc_id}`;
}

export function isOfOrder(after: After | null, ordem: Ordem): boolean {
  return after === null || after.ordem === ordem;
}

function versionAt({ versoes }: Decisao, generation: number): Versao {
  const version = versoes.findLast((one) => one.generation <= generation);
  if (version === undefined) throw new Error('a decision of a later generation');
  return version;
}

/** Rarer words weigh more, so frequencies other than the first page's give another order. */
function scoreOf({ pesos }: Versao, df: readonly number[]): number {
  return pesos[0] / (1 + (df[0] ?? 0)) + pesos[1] / (1 + (df[1] ?? 0));
}

function periodOf(codes: readonly (number | null)[]): { de: string | null; ate: string | null } {
  const known = codes.filter((code) => code !== null);
  if (known.length === 0) return { de: null, ate: null };
  return { de: dateText(Math.min(...known)), ate: dateText(Math.max(...known)) };
}
