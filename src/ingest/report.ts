import { visible } from '../process/visible.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { Notes } from './notes.ts';
import type { Reasons } from './reasons.ts';
import type { RejectsFile } from './rejects.ts';
import type { WrittenCounts } from '../index/write/base-writer.ts';

export interface Loaded {
  readonly base: Base;
  readonly counts: WrittenCounts;
  readonly rejects: RejectsFile;
  readonly notes: Notes;
  readonly seconds: number;
}

/** One line of counts, and one line for each note. */
export function report({ base, counts, rejects, notes, seconds }: Loaded): string[] {
  const rate = Math.round(held(counts) / Math.max(seconds, 0.001));
  const outdated = notes.outdatedCount === 0 ? '' : `, ${notes.outdatedCount} older than the stored version`;
  const leftOut = notes.leftOut.total === 0 ? '' : `, ${notes.leftOut.total} left out`;
  return [
    `${base}: ${counts.added} added, ${counts.replaced} replaced, ${counts.unchanged} unchanged, ` +
      `${rejects.count} rejected${outdated}${leftOut} (${seconds.toFixed(1)} s, ${rate}/s)`,
    ...linesOf('rejected', rejects.reasons),
    ...notesOf(notes),
    ...(rejects.stored > 0 ? [`rejected lines, with reasons: ${rejects.path}`] : []),
    ...notStored(rejects),
  ].map(visible);
}

/** Lines for rejects that are not in the file: it is full, or a withdrawal removed it. */
export function notStored({ count, stored, removed, path }: RejectsFile): string[] {
  if (path === null) return [];
  const more = count - stored - removed;
  return [
    ...(removed > 0 ? [`a withdrawal removed ${removed} of the rejected lines`] : []),
    ...(more > 0
      ? [`the rejects file is full: it has the first ${stored}; ${more} more were only counted`]
      : []),
  ];
}

/** Why records were left out and dates not used, which fields were full texts, and which texts had no decision. */
export function notesOf({ leftOut, unusedDates, fullTexts, emptyNames, emptyCount }: Notes): string[] {
  const lines = [
    ...linesOf('left out', leftOut),
    ...linesOf('date not used', unusedDates),
    ...linesOf('full text, not stored', fullTexts, 'in'),
  ];
  const more = emptyCount > emptyNames.length ? ` and ${emptyCount - emptyNames.length} more` : '';
  return emptyCount === 0 ? lines : [...lines, `no decision in ${emptyNames.join(', ')}${more}`];
}

/** One line for each of the most frequent reasons, and one for all other reasons. */
export function linesOf(what: string, reasons: Reasons, preposition = 'for'): string[] {
  const shown = reasons.sorted.slice(0, REASONS_SHOWN);
  const others = reasons.total - shown.reduce((sum, [, count]) => sum + count, 0);
  const lines = shown.map(([reason, count]) => `${what}: ${count} ${preposition} ${reason}`);
  return others === 0
    ? lines
    : [...lines, `${what}: ${others} ${preposition} other${preposition === 'in' ? ' fields' : ' reasons'}`];
}

/** Decisions of the load that are in the base. */
export function held({ added, replaced, unchanged }: WrittenCounts): number {
  return added + replaced + unchanged;
}

const REASONS_SHOWN = 12;
