import { visible } from '../process/visible.ts';
import type { Base } from '../contract/enums.ts';
import type { Notes } from './notes.ts';
import type { Reasons } from './reasons.ts';
import type { RejectsFile } from './rejects.ts';
import type { WrittenCounts } from '../index/write/base-writer.ts';

export interface Loaded {
  readonly base: Base;
  readonly counts: WrittenCounts;
  readonly rejects: RejectsFile;
  readonly rejectReasons: Reasons;
  readonly notes: Notes;
  readonly seconds: number;
}

/** Prints what a load has done: one line of counts, and one for each thing that is worth a look. */
export function report({ base, counts, rejects, rejectReasons, notes, seconds }: Loaded): void {
  const rate = Math.round(held(counts) / Math.max(seconds, 0.001));
  const outdated = notes.outdatedCount === 0 ? '' : `, ${notes.outdatedCount} older than what is held`;
  const leftOut = notes.leftOutCount === 0 ? '' : `, ${notes.leftOutCount} left out`;
  console.log(
    `${base}: ${counts.added} added, ${counts.replaced} replaced, ${counts.unchanged} unchanged, ` +
      `${rejects.count} rejected${outdated}${leftOut} (${seconds.toFixed(1)} s, ${rate}/s)`,
  );
  for (const line of [...linesOf('rejected', rejectReasons), ...notesOf(notes)]) console.log(visible(line));
  if (rejects.stored > 0) console.log(visible(`rejected lines, with reasons: ${rejects.path}`));
  for (const line of notStored(rejects)) console.log(line);
}

/** That a rejects file is full, where it is. */
export function notStored({ count, stored, path }: RejectsFile): string[] {
  if (path === null || stored === count) return [];
  return [`that file is full: it holds the first ${stored}, and ${count - stored} more were only counted`];
}

/** Why records were left out, and which texts had none. */
export function notesOf({ reasons, emptyNames, emptyCount }: Notes): string[] {
  const lines = linesOf('left out', reasons);
  const more = emptyCount > emptyNames.length ? ` and ${emptyCount - emptyNames.length} more` : '';
  return emptyCount === 0 ? lines : [...lines, `no decision in ${emptyNames.join(', ')}${more}`];
}

/** The commonest reasons, a line each, and how many had others. */
export function linesOf(what: string, reasons: Reasons): string[] {
  const shown = reasons.sorted.slice(0, REASONS_SHOWN);
  const rest = reasons.total - shown.reduce((sum, [, count]) => sum + count, 0);
  const lines = shown.map(([reason, count]) => `${what}: ${count} for ${reason}`);
  return rest === 0 ? lines : [...lines, `${what}: ${rest} for other reasons`];
}

/** Decisions of the load that the base holds now. */
export function held({ added, replaced, unchanged }: WrittenCounts): number {
  return added + replaced + unchanged;
}

const REASONS_SHOWN = 12;
