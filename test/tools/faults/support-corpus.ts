import { isDeepStrictEqual } from 'node:util';
import type { Documento } from '../../../src/contract/documento.ts';
import { BASES, type Base } from '../../../src/contract/vocabulary.ts';
import type { Line } from '../../support/service.ts';

/** Words to search for; `holds` tests whether a decision has one. */
export const COMUM = 'precatoriocomum';
export const TERCO = 'tercoparcela';
export const SETIMO = 'setimoquinhao';
const PLANTED = [COMUM, TERCO, SETIMO];
const WORDS_MIN = 30;

/** So that a walk stays short however much is loaded, only the first ninety decisions and then each fiftieth count. */
function holds(word: string, place: number): boolean {
  const step = word === TERCO ? 3 : word === SETIMO ? 7 : 1;
  return (place <= 90 || place % 50 === 0) && place % step === 0;
}

/**
 * The decision at a place (from 1, which is also its number once loaded in order), in one of its versions. Every
 * field is filled, so that a record that is another's, or only a part, is recognised. Each ninth ementa is longer
 * than a page of the base file.
 */
export function decision(base: Base, place: number, version = 1): Line {
  const mark = `${base} ${place} v${version}`;
  const length = place % 9 === 0 ? 900 : WORDS_MIN + (place % 40);
  const words = Array.from({ length }, (_, at) => `p${(place * 31 + at * 7 + version) % 997}`);
  const planted = PLANTED.filter((word) => holds(word, place));
  return {
    tipo: 'acordao',
    chave: `chave-${place}`,
    ...(base === 'eproc' ? { tribunal: place % 2 === 0 ? 'tnu' : 'trf6' } : {}),
    fonte: base.toUpperCase(),
    processo: `${String(place).padStart(7, '0')}-10.2020.8.13.0024`,
    classe: { sigla: 'AC', descricao: `Apelação de ${mark}` },
    orgao_julgador: `${place}ª Turma de ${base}`,
    relator: `Relatora ${mark}`,
    redator: `Redator ${mark}`,
    data_julgamento: `2020-${String((place % 12) + 1).padStart(2, '0')}-15`,
    data_publicacao: `2021-${String((place % 12) + 1).padStart(2, '0')}-16`,
    ementa_status: 'completa',
    ementa: `EMENTA de ${mark}. ${planted.join(' ')} ${words.join(' ')} fim de ${mark}.`,
    tese: `Tese de ${mark}`,
    dispositivo: `Dispositivo de ${mark}`,
    inteiro_teor: { existe_na_origem: place % 2 === 0, caracteres: place },
    citacao: `Citação de ${mark}`,
    legislacao_citada: [`Lei ${place}`, `Decreto ${place} de ${base}`],
    temas: [`Tema de ${mark}`],
    extras: { lugar: place, base, lista: [place, { versao: version }] },
  };
}

export function decisions(base: Base, last: number, first = 1, version = 1): Line[] {
  return Array.from({ length: last - first + 1 }, (_, at) => decision(base, first + at, version));
}

export function linesOf(lines: readonly Line[]): string {
  return `${lines.map((line) => JSON.stringify(line)).join('\n')}\n`;
}

const records = new Map<string, Documento>();

/** The record that the contract promises for a decision, worked out from the line alone, once. */
function recordOf(base: Base, place: number, version = 1): Documento {
  return records.getOrInsertComputed(`${base} ${place} ${version}`, () => {
    const { chave: _chave, tribunal: _tribunal, ...fields } = decision(base, place, version);
    // The remaining fields are all fields of a Documento.
    return { id: `${base}:${place}`, base, ...fields } as unknown as Documento;
  });
}

/**
 * What is loaded: the versions that each base's decisions may be in, by number. Grows while an ingest runs
 * during the traffic; an answer may then hold either.
 */
export class Loaded {
  readonly #versions = new Map<string, number[]>();
  readonly counts: Readonly<Record<Base, number>>;

  constructor(counts: Readonly<Record<Base, number>>) {
    this.counts = counts;
    for (const base of BASES) this.allow(base, 1, counts[base], 1);
  }

  /** From now on decisions `first` to `last` may be seen in this version too. */
  allow(base: Base, first: number, last: number, version: number): void {
    for (let place = first; place <= last; place += 1) {
      const id = `${base}:${place}`;
      this.#versions.set(id, [...(this.#versions.get(id) ?? []), version]);
    }
  }

  /** From now on decisions `first` to `last` must be seen in this version. */
  replace(base: Base, first: number, last: number, version: number): void {
    for (let place = first; place <= last; place += 1) this.#versions.set(`${base}:${place}`, [version]);
  }

  faultOfRecord(record: Documento): string | null {
    return this.#faultOf(record.id, (expected) => isDeepStrictEqual(record, expected));
  }

  /** What is wrong with a row of a search, or null: its excerpt begins the ementa, all else is the record's. */
  faultOfItem(item: Readonly<Record<string, unknown>>): string | null {
    const { trecho_da_ementa, ...fields } = item;
    return this.#faultOf(String(item['id']), (expected) => {
      const same = Object.entries(fields).every(([name, value]) =>
        isDeepStrictEqual(value, expected[name as keyof Documento]),
      );
      return same && isExcerpt(trecho_da_ementa, expected.ementa ?? '');
    });
  }

  #faultOf(id: string, matches: (expected: Documento) => boolean): string | null {
    const [base, place] = id.split(':') as [Base, string];
    const versions = this.#versions.get(id);
    if (versions === undefined) return `${id} was never loaded`;
    return versions.some((version) => matches(recordOf(base, Number(place), version)))
      ? null
      : `${id} is not as it was loaded`;
  }
}

const EXCERPT_MIN = 300;

function isExcerpt(excerpt: unknown, ementa: string): boolean {
  if (typeof excerpt !== 'string') return false;
  return excerpt === ementa || (excerpt.length >= EXCERPT_MIN && ementa.startsWith(excerpt));
}

/** Numbers of a base's decisions that hold the word, newest first: what `ordem=recentes` must give. */
export function newestWith(word: string, count: number): number[] {
  return Array.from({ length: count }, (_, at) => count - at).filter((place) => holds(word, place));
}
