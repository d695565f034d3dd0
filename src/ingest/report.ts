import { visible } from '../process/visible.ts';
import type { Base } from '../contract/enums.ts';
import type { Notes } from './notes.ts';
import type { RejectsFile } from './rejects.ts';
import type { WrittenCounts } from '../index/write/base-writer.ts';

export interface Loaded {
  readonly base: Base;
  readonly counts: WrittenCounts;
  readonly rejects: RejectsFile;
  readonly notes: Notes;
  readonly seconds: number;
}

/** Prints what a load has done: one line of counts, and one for each thing that is worth a look. */
export function report({ base, counts, rejects, notes, seconds }: Loaded): void {
  const rate = Math.round(held(counts) / Math.max(seconds, 0.001));
  const outdated = notes.outdatedCount === 0 ? '' : `, ${notes.outdatedCount} older than what is held`;
  const leftOut = notes.leftOutCount === 0 ? '' : `, ${notes.leftOutCount} left out`;
  console.log(
    `${base}: ${counts.added} added, ${counts.replaced} replaced, ${counts.unchanged} unchanged, ` +
      `${rejects.count} rejected${outdated}${leftOut} (${seconds.toFixed(1)} s, ${rate}/s)`,
  );
  for (const line of notesOf(notes)) console.log(visible(line));
  if (rejects.count > 0 && rejects.path !== null)
    console.log(visible(`rejected lines, with reasons: ${rejects.path}`));
}

/** Why records were left out, and which texts had none. */
export function notesOf({ reasons, emptyNames }: Notes): string[] {
  const lines = [...reasons].map(([reason, count]) => `left out: ${count} for ${reason}`);
  const named = emptyNames.slice(0, NAMED_MAX).join(', ');
  const more = emptyNames.length > NAMED_MAX ? ` and ${emptyNames.length - NAMED_MAX} more` : '';
  return emptyNames.length === 0 ? lines : [...lines, `no decision in ${named}${more}`];
}

/** Decisions of the load that the base holds now. */
export function held({ added, replaced, unchanged }: WrittenCounts): number {
  return added + replaced + unchanged;
}

const NAMED_MAX = 5;
