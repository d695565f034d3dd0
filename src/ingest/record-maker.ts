import { tipoCode, tribunalCode } from '../index/format/schema.ts';
import type { Base } from '../contract/enums.ts';
import { WORD_BOUNDS } from './bounds.ts';
import { readLine, type Linha } from './canonical.ts';
import type { LastDays } from './dates.ts';
import { toDecisao } from './decisao.ts';
import { BeyondWordBounds, Inverter } from '../index/write/inverter.ts';
import type { NewRecord, RecordBatch } from '../index/write/record-batch.ts';

/** Canonical lines, in order. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** Ascending positions in `lines` of those whose `texto` is only part of the full text. */
  readonly cut: readonly number[];
  readonly last: LastDays;
}

/** Beyond this many words the inverter starts with new word numbers, so that memory stays bounded. */
const WORDS_MAX = 500_000;

/** Makes records of canonical lines: checks each line, makes what is stored of it, and inverts its texts. */
export class RecordMaker {
  readonly #base: Base;
  #inverter = new Inverter(WORD_BOUNDS);

  constructor(base: Base) {
    this.#base = base;
  }

  recordsOf({ lines, cut, last }: LineBatch): RecordBatch {
    const restarts = this.#inverter.size > WORDS_MAX;
    if (restarts) this.#inverter = new Inverter(WORD_BOUNDS);
    const items = lines.map((line, at) =>
      this.#recordOrReason(readLine(line, this.#base, last), cut.includes(at)),
    );
    return { items, texts: { words: this.#inverter.newWords(), restarts } };
  }

  /** @returns the record, or why the line is rejected. */
  #recordOrReason(linha: Linha | string, isTextoCut: boolean): NewRecord | string {
    if (typeof linha === 'string') return linha;
    try {
      return this.#recordOf(linha, isTextoCut);
    } catch (error) {
      if (error instanceof BeyondWordBounds) return error.message;
      throw error;
    }
  }

  #recordOf(linha: Linha, isTextoCut: boolean): NewRecord {
    const { indexed, ...decisao } = toDecisao(linha, { isTextoCut });
    return {
      ...decisao,
      isMadeUp: isMadeUp(linha.campos.extras),
      tribunal: tribunalCode(decisao.tribunal),
      tipo: tipoCode(decisao.tipo),
      julgamento: decisao.julgamento ?? 0,
      publicacao: decisao.publicacao ?? 0,
      ...this.#inverter.invert(indexed),
    };
  }
}

/** Whether a decision is one of the generator's, which marks each in its `extras`. */
function isMadeUp(extras: object | null | undefined): boolean {
  return extras !== null && extras !== undefined && 'demonstracao' in extras && extras.demonstracao === true;
}
