import { COLUMNS } from '../index/format/bm25f.ts';
import { checksum, tipoCode, tribunalCode } from '../index/format/schema.ts';
import type { Base } from '../contract/enums.ts';
import { WORD_BOUNDS } from './bounds.ts';
import { readLine, type Linha } from './canonical.ts';
import type { LastDays } from './dates.ts';
import { toDecisao } from './decisao.ts';
import { isMadeUp } from './made-up.ts';
import { BeyondWordBounds, Weigher, type NewTexts, type Weights } from '../index/write/inverter.ts';

/** A decision as `BaseWriter` writes it: all that can be worked out without the base, as plain data. */
export interface Prepared extends Weights {
  readonly chave: string;
  readonly isMadeUp: boolean;
  readonly digest: Uint8Array;
  /** Codes and dates as the columns of the base hold them. */
  readonly tribunal: number;
  readonly tipo: number;
  readonly julgamento: number;
  readonly publicacao: number;
  /** The text of each index column. */
  readonly indexed: readonly string[];
  /** True when it is indexed by a full text that is not kept. */
  readonly indexesFullText: boolean;
  readonly resumo: string;
  readonly resumoSum: number;
  /** Compressed. */
  readonly documento: Uint8Array;
  readonly documentoSum: number;
}

/** Lines to prepare, in their order. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** Places in `lines`, rising, of those whose `texto` is known to be a part of the full text. */
  readonly cut: readonly number[];
  readonly last: LastDays;
}

export interface PreparedBatch {
  /** In the order of the lines; the reason where a line is rejected. */
  readonly items: readonly (Prepared | string)[];
  /** Texts whose numbers occur in this batch for the first time; all that came before are void when it restarts. */
  readonly texts: NewTexts & { readonly restarts: boolean };
}

/** Words known at the most; past this the numbers start anew, so that memory stays flat. */
const WORDS_MAX = 500_000;
/** Of zstd: higher ones take much longer for little less. */
const COMPRESSION_LEVEL = 1;

/** Works out what is stored of each line: reading, checking, JSON texts, checksums, weights. */
export class Preparer {
  readonly #base: Base;
  #weigher = new Weigher(WORD_BOUNDS);

  constructor(base: Base) {
    this.#base = base;
  }

  prepare({ lines, cut, last }: LineBatch): PreparedBatch {
    const restarts = this.#weigher.size > WORDS_MAX;
    if (restarts) this.#weigher = new Weigher(WORD_BOUNDS);
    const items = lines.map((line, at) =>
      this.#prepareOne(readLine(line, this.#base, last), cut.includes(at)),
    );
    return { items, texts: { ...this.#weigher.newTexts(), restarts } };
  }

  #prepareOne(linha: Linha | string, isTextoCut: boolean): Prepared | string {
    if (typeof linha === 'string') return linha;
    try {
      return this.#decisaoOf(linha, isTextoCut);
    } catch (error) {
      if (error instanceof BeyondWordBounds) return error.message;
      throw error;
    }
  }

  #decisaoOf(linha: Linha, isTextoCut: boolean): Prepared {
    const {
      chave,
      digest,
      tribunal,
      tipo,
      julgamento,
      publicacao,
      indexed,
      indexesFullText,
      resumo,
      documento,
    } = toDecisao(linha, this.#base, { isTextoCut });
    const compressed = Bun.zstdCompressSync(documento, { level: COMPRESSION_LEVEL });
    return {
      chave,
      isMadeUp: isMadeUp(linha.campos.extras),
      digest,
      tribunal: tribunalCode(tribunal),
      tipo: tipoCode(tipo),
      julgamento: julgamento ?? 0,
      publicacao: publicacao ?? 0,
      indexed: COLUMNS.map((column) => indexed[column]),
      indexesFullText,
      resumo,
      resumoSum: checksum(resumo),
      documento: compressed,
      documentoSum: checksum(compressed),
      ...this.#weigher.weigh(indexed),
    };
  }
}
