import type { Base } from '../contract/enums.ts';
import { lastDays } from './dates.ts';
import { Preparer } from './prepare.ts';
import type { BaseWriter } from '../index/write/base-writer.ts';

/** Writes lines that are known to be good, here and now. @throws the reason where one is not. */
export function writeLines(writer: BaseWriter, base: Base, lines: readonly string[], now = new Date()): void {
  const { items, texts } = new Preparer(base).prepare({ lines, cut: [], last: lastDays(now) });
  writer.learn(texts);
  for (const item of items) {
    if (typeof item === 'string') throw new Error(item);
    writer.write(item);
  }
  writer.commit();
}
