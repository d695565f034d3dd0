import { bug } from '../../bug.ts';
import { findStarts, skipPositions } from '../format/positions.ts';
import { NO_BYTES } from '../format/posting-list.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import type { SingleEntry } from '../format/terms.ts';
import type { Groups } from './posting-buffer.ts';

/**
 * New postings in a list, by doc id, which replace the same decisions' old postings: in the arrays from `from` up to `to`. Impact 0
 * removes a decision; its positions are then a single end byte.
 */
export interface Changes {
  readonly docIds: Uint32Array;
  readonly impacts: Uint8Array;
  readonly from: number;
  readonly to: number;
  readonly positions: Uint8Array;
}

/** The changes of a term, by its number. */
export function changesOf(
  { starts, docIds, impacts, positions, positionStarts }: Groups,
  number: number,
): Changes {
  return {
    docIds,
    impacts,
    from: starts[number] ?? bug('no start'),
    to: starts[number + 1] ?? bug('no end'),
    positions: positions.subarray(positionStarts[number], positionStarts[number + 1]),
  };
}

/** Only the last change of a decision counts. */
export function settled(changes: Changes): Changes {
  const { docIds, from, to } = changes;
  const kept: number[] = [];
  for (let at = from; at < to; at += 1) if (at + 1 === to || docIds[at + 1] !== docIds[at]) kept.push(at);
  return kept.length === to - from ? changes : picked(changes, kept);
}

function picked({ docIds, impacts, positions, from, to }: Changes, kept: readonly number[]): Changes {
  const starts = new Uint32Array(to - from + 1);
  findStarts(positions, 0, to - from, starts);
  const bytes = kept.map((at) => positions.subarray(starts[at - from], starts[at - from + 1]));
  return {
    docIds: Uint32Array.from(kept, (at) => docIds[at] ?? bug('no doc id')),
    impacts: Uint8Array.from(kept, (at) => impacts[at] ?? bug('no impact')),
    positions: Buffer.concat(bytes),
    from: 0,
    to: kept.length,
  };
}

/** The changes before a doc id, and the rest. */
export function partedAt(changes: Changes, docId: number): [Changes, Changes] {
  const { docIds, positions, from, to } = changes;
  let at = from;
  while (at < to && (docIds[at] ?? bug('no doc id')) < docId) at += 1;
  if (at === to) return [changes, { ...changes, from: to, positions: NO_BYTES }];
  const end = skipPositions(positions, 0, at - from);
  return [
    { ...changes, to: at, positions: positions.subarray(0, end) },
    { ...changes, from: at, positions: positions.subarray(end) },
  ];
}

/** The number of changes that are not removals, their blocks, and the index of the last. */
export function presentIn({ docIds, impacts, from, to }: Changes): {
  count: number;
  blocks: number[];
  last: number;
} {
  const blocks: number[] = [];
  let count = 0;
  let last = from;
  for (let at = from; at < to; at += 1) {
    if (impacts[at] === 0) continue;
    count += 1;
    last = at;
    const block = blockIn(docIds, at);
    if (block !== blocks.at(-1)) blocks.push(block);
  }
  return { count, blocks, last };
}

/** The entry of a list whose only decision is that of a change. */
export function singleAt(changes: Changes, at: number, id: number): SingleEntry {
  const { docIds, impacts, positions, from } =
    changes.to - changes.from === 1 ? changes : picked(changes, [at]);
  return {
    kind: 'single',
    id,
    docId: docIds[from] ?? bug('no doc id'),
    impact: impacts[from] ?? bug('no impact'),
    positions,
  };
}

/** Adds a list's only decision to its changes, unless they include it. */
export function withSingle(changes: Changes, { docId, impact, positions }: SingleEntry): Changes {
  const [before, after] = partedAt(changes, docId);
  if (after.from < after.to && after.docIds[after.from] === docId) return changes;
  const { docIds, impacts, from, to } = changes;
  return {
    docIds: Uint32Array.of(...docIds.subarray(from, before.to), docId, ...docIds.subarray(before.to, to)),
    impacts: Uint8Array.of(...impacts.subarray(from, before.to), impact, ...impacts.subarray(before.to, to)),
    positions: Buffer.concat([before.positions, positions, after.positions]),
    from: 0,
    to: to - from + 1,
  };
}

/** The block of the doc id at an index. */
export function blockIn(docIds: Changes['docIds'], at: number): number {
  return Math.floor((docIds[at] ?? bug('no doc id')) / BLOCK_SIZE);
}
