import type { AfterRelevancia, SearchReply, SearchRequest } from '../../engine/messages.ts';
import { BaseFileError } from '../format/file-check.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import { readVersion, unpackWords, type Words } from '../format/term-vector.ts';
import { CONTAGEM_MAX } from '../../contract/vocabulary.ts';
import { EMPTY, countBits, freeBits, truncate } from './bitset.ts';
import { BudgetExceeded } from './budget.ts';
import { filterOf } from './filters.ts';
import { stateOf, type Connection, type Snapshot } from './connection.ts';
import { PostingLists } from './posting-lists.ts';
import { matching, type MatchesIn } from './evaluate.ts';
import { NewestFirst } from './newest.ts';
import { Scoring } from './scoring.ts';
import { rank, type InBlock } from './top-k.ts';
import { rows } from './rows.ts';

type Page = Pick<SearchReply, 'doc_ids' | 'scores' | 'start'> & { matches: number | null };

/** Answers one search in one read transaction. @throws BudgetExceeded, DamagedBase, or SQLite's error. */
export function search(connection: Connection, request: SearchRequest, snapshot: Snapshot): SearchReply {
  const { ordem, tree, after, filter } = request;
  freeBits();
  const lists = new PostingLists(connection, snapshot, ordem === 'recentes' ? 'members' : 'impacts');
  const foundIn = matching(connection, lists, tree, filterOf(connection, filter, snapshot));
  const start = after?.ordem === 'recentes' ? after.below : snapshot.docs + 1;
  // A cursor may come from a larger file that this one has replaced.
  const newest = new NewestFirst(foundIn, Math.min(start, snapshot.docs + 1), connection.budget);
  const page =
    ordem === 'recentes'
      ? byInclusion(request, start, newest, snapshot.generation)
      : byRelevance(connection, request, snapshot, lists, foundIn);
  const orderedAt = performance.now();
  const resumos = rows(connection, 'resumo', page.doc_ids.slice(0, request.rows_max), snapshot);
  const readAt = performance.now();
  const absent = absentTerms(request, page, lists);
  const count = counted(connection, request, page.matches, newest);
  return {
    kind: 'search',
    doc_ids: page.doc_ids,
    scores: page.scores,
    start: page.start,
    resumos: resumos.map((json) => json ?? missing()),
    count,
    ...(absent.length === 0 ? {} : { absent }),
    count_ms: performance.now() - readAt,
    rows_ms: readAt - orderedAt,
    ...stateOf(snapshot),
  };
}

function byInclusion(
  { doc_ids_max }: SearchRequest,
  start: number,
  newest: NewestFirst,
  generation: number,
): Page {
  return {
    doc_ids: newest.take(doc_ids_max),
    scores: null,
    start: { ordem: 'recentes', below: start, generation },
    matches: null,
  };
}

function byRelevance(
  connection: Connection,
  request: SearchRequest,
  snapshot: Snapshot,
  lists: PostingLists,
  foundIn: MatchesIn,
): Page {
  const { docs, generation } = snapshot;
  const { after, terms, doc_ids_max } = request;
  const start: AfterRelevancia | null = after?.ordem === 'relevancia' ? after : null;
  const horizon = start?.doc_id_max ?? docs;
  const page = {
    after: start === null || start.score === null ? null : { score: start.score, docId: start.doc_id },
    most: doc_ids_max,
  };
  const replaced =
    start === null || start.generation === generation
      ? new Map()
      : replacedSince(connection, start.generation, snapshot);
  const blocks: InBlock[] = [];
  let candidates = 0;
  for (let block = 0; block * BLOCK_SIZE <= Math.min(horizon, docs); block += 1) {
    const { bits, verify } = foundIn(block);
    if (bits === EMPTY) continue;
    truncate(bits, horizon + 1 - block * BLOCK_SIZE);
    const inBlock = { block, bits, count: countBits(bits), verify };
    if (inBlock.count > 0) blocks.push(inBlock);
    candidates += inBlock.count;
  }
  // A search that finds nothing, often for a word that the base lacks, reads no frequencies: no page follows.
  const ranked = candidates === 0 ? [] : terms;
  const scoring = new Scoring(lists, ranked, horizon, start?.df ?? null, replaced);
  const { docIds, scores, matches } = rank({ blocks, scoring, budget: connection.budget }, page);
  const first = { ordem: 'relevancia' as const, doc_id_max: horizon, df: [...scoring.df] };
  const areMatches = blocks.every(({ verify }) => verify === null);
  return {
    doc_ids: docIds,
    scores,
    start: start ?? { ...first, score: null, doc_id: 0, generation },
    matches: areMatches ? candidates : matches,
  };
}

/** None on a full page: a search that finds much is not to pay for it. */
function absentTerms(
  { terms, after, doc_ids_max }: SearchRequest,
  { doc_ids }: Page,
  lists: PostingLists,
): number[] {
  if (after !== null || doc_ids.length === doc_ids_max) return [];
  return [...terms.keys()].filter((at) => {
    const term = terms[at];
    return term !== undefined && !lists.of(term).occurs();
  });
}

/** The count, or null if its time runs out: at most half of the time left, so that the page comes back in time. */
function counted(
  { budget }: Connection,
  { count_ms }: SearchRequest,
  known: number | null,
  newest: NewestFirst,
): number | null {
  if (count_ms === null) return null;
  if (known !== null) return Math.min(known, CONTAGEM_MAX + 1);
  try {
    const now = performance.now();
    budget.start(now + Math.min(count_ms, (budget.deadline - now) / 2));
    return newest.count();
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    throw error;
  }
}

/**
 * The decisions replaced after the reader's first page, with their impacts then: the oldest version since.
 * @throws BudgetExceeded, DamagedBase
 */
function replacedSince(
  { row, budget }: Connection,
  generation: number,
  { replaced: [first, next] }: Snapshot,
): ReadonlyMap<number, Words> {
  const found = new Map<number, Uint8Array>();
  for (let id = next - 1; id >= first; id -= 1) {
    budget.check();
    const version = readVersion(row('replaced', id));
    if (version.generation <= generation) break;
    found.set(version.docId, version.packed);
  }
  return new Map([...found].map(([docId, packed]) => [docId, unpackWords(packed)]));
}

function missing(): never {
  throw new BaseFileError('a decision that matches has no row');
}
