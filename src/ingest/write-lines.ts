import type { Base } from '../contract/enums.ts';
import { lastDays } from './dates.ts';
import { RecordMaker } from './record-maker.ts';
import type { BaseWriter } from '../index/write/base-writer.ts';

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
