import type { Base } from '../contract/vocabulary.ts';
import { WORD_BOUNDS } from './bounds.ts';
import { readLine, type Linha } from './canonical.ts';
import { lastDays, type LastDays } from './dates.ts';
import { toDecisao } from './decisao.ts';
import type { BaseWriter } from '../index/write/base-writer.ts';
import { BeyondWordBounds, Inverter } from '../index/write/inverter.ts';
import type { NewRecord, RecordBatch } from '../index/write/record-batch.ts';

/** Canonical lines, in order. */
export interface LineBatch {
  readonly lines: readonly string[];
  /** Ascending indices of the lines whose `texto` is only part of the full text. */
  readonly cut: readonly number[];
  readonly last: LastDays;
}

/** Beyond this many words the inverter starts with new word numbers, so that memory stays bounded. */
const WORDS_MAX = 500_000;

/** Makes records from canonical lines: checks each line, makes its stored form, and inverts its texts. */
export class RecordMaker {
  readonly #base: Base;
  #inverter = new Inverter(WORD_BOUNDS);

  constructor(base: Base) {
    this.#base = base;
  }

  recordsOf({ lines, cut, last }: LineBatch): RecordBatch {
    const restarts = this.#inverter.size > WORDS_MAX;
    if (restarts) this.#inverter = new Inverter(WORD_BOUNDS);
    const unusedDates: string[] = [];
    const fullTexts: string[] = [];
    const items = lines.map((line, at) => {
      const linha = readLine(line, this.#base, last);
      if (typeof linha === 'string') return linha;
      const record = this.#recordOrReason(linha, cut.includes(at));
      if (typeof record === 'string') return record;
      unusedDates.push(...linha.unusedDates);
      fullTexts.push(...linha.fullTexts);
      return record;
    });
    return { items, unusedDates, fullTexts, texts: { words: this.#inverter.newWords(), restarts } };
  }

  /** @returns the record, or why the line is rejected. */
  #recordOrReason(linha: Linha, isTextoCut: boolean): NewRecord | string {
    const { indexed, ...decisao } = toDecisao(linha, { isTextoCut });
    try {
      return { ...decisao, ...this.#inverter.invert(indexed) };
    } catch (error) {
      if (error instanceof BeyondWordBounds) return error.message;
      throw error;
    }
  }
}

/** Writes valid canonical lines in the calling thread. @throws an Error with the reason if a line is rejected. */
export function writeLines(writer: BaseWriter, base: Base, lines: readonly string[], now = new Date()): void {
  const { items, texts } = new RecordMaker(base).recordsOf({ lines, cut: [], last: lastDays(now) });
  writer.addTerms(texts);
  for (const item of items) {
    if (typeof item === 'string') throw new Error(item);
    writer.write(item);
  }
  writer.commit();
}
