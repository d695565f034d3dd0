import type { PosicaoRelevancia, SearchReply, SearchRequest } from '../../engine/messages.ts';
import { BaseFileError } from '../format/file-check.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import { CONTAGEM_MAX } from '../../contract/vocabulary.ts';
import { EMPTY, countBits, freeBits, isEmpty, truncate } from './bitset.ts';
import { BudgetExceeded } from './budget.ts';
import { filterOf } from './filters.ts';
import { stateOf, type Connection, type Snapshot } from './connection.ts';
import { Lists } from './lists.ts';
import { Matching, type Found } from './evaluate.ts';
import { NewestFirst } from './newest.ts';
import { Scoring } from './scoring.ts';
import { rank, type InBlock } from './top-k.ts';
import { rows } from './rows.ts';
import { replacedSince } from './replaced.ts';

type Page = Pick<SearchReply, 'numeros' | 'scores' | 'inicio'> & { matches: number | null };
type FoundIn = (block: number) => Found;

/** Answers one search in one read transaction. @throws BudgetExceeded, DamagedBase, or SQLite's error. */
export function search(connection: Connection, request: SearchRequest, snapshot: Snapshot): SearchReply {
  const { ordem, tree, posicao, filtro } = request;
  freeBits();
  const lists = new Lists(connection, snapshot, ordem === 'recentes' ? 'members' : 'impacts');
  const matching = new Matching(connection, lists, tree);
  const filter = filterOf(connection, filtro, snapshot);
  const foundIn: FoundIn = (block) => {
    const found = matching.in(block);
    if (filter !== null && !isEmpty(found.bits)) filter(found.bits, block);
    return found;
  };
  const start = posicao?.ordem === 'recentes' ? posicao.abaixo_de : snapshot.lastDocId + 1;
  // A cursor may come from a larger file that stood in this one's place.
  const newest = new NewestFirst(foundIn, Math.min(start, snapshot.lastDocId + 1), connection.budget);
  const page =
    ordem === 'recentes'
      ? byInclusion(request, start, newest, snapshot.generation)
      : byRelevance(connection, request, snapshot, lists, foundIn);
  const orderedAt = performance.now();
  const resumos = rows(connection, 'resumo', page.numeros.slice(0, request.rows_max), snapshot);
  const readAt = performance.now();
  const ausentes = absent(request, page, lists);
  const contagem = count(connection, request, page.matches, newest);
  return {
    kind: 'search',
    numeros: page.numeros,
    scores: page.scores,
    inicio: page.inicio,
    resumos: resumos.map((json) => json ?? missing()),
    contagem,
    ...(ausentes.length === 0 ? {} : { ausentes }),
    count_ms: performance.now() - readAt,
    rows_ms: readAt - orderedAt,
    ...stateOf(snapshot),
  };
}

function byInclusion(
  { numeros_max }: SearchRequest,
  start: number,
  newest: NewestFirst,
  generation: number,
): Page {
  const numeros = newest.take(numeros_max);
  return {
    numeros,
    scores: null,
    inicio: { ordem: 'recentes', abaixo_de: start, generation },
    matches: null,
  };
}

function byRelevance(
  connection: Connection,
  request: SearchRequest,
  snapshot: Snapshot,
  lists: Lists,
  foundIn: FoundIn,
): Page {
  const { lastDocId, generation } = snapshot;
  const { posicao, termos, numeros_max } = request;
  const start: PosicaoRelevancia | null = posicao?.ordem === 'relevancia' ? posicao : null;
  const horizon = start?.horizonte ?? lastDocId;
  const page = {
    after: start === null || start.score === null ? null : { score: start.score, docId: start.numero },
    most: numeros_max,
  };
  const replaced =
    start === null || start.generation === generation
      ? new Map()
      : replacedSince(connection, start.generation, snapshot);
  const scoring = new Scoring(lists, termos, horizon, start?.df ?? null, replaced);
  const blocks: InBlock[] = [];
  let candidates = 0;
  for (let block = 0; block * BLOCK_SIZE <= Math.min(horizon, lastDocId); block += 1) {
    const { bits, verify } = foundIn(block);
    if (bits === EMPTY) continue;
    truncate(bits, horizon + 1 - block * BLOCK_SIZE);
    const inBlock = { block, bits, count: countBits(bits), verify };
    if (inBlock.count > 0) blocks.push(inBlock);
    candidates += inBlock.count;
  }
  const { numeros, scores, matches } = rank(blocks, scoring, page, connection.budget);
  const first = { ordem: 'relevancia' as const, horizonte: horizon, df: [...scoring.df] };
  const areMatches = blocks.every(({ verify }) => verify === null);
  return {
    numeros,
    scores,
    inicio: start ?? { ...first, score: null, numero: 0, generation },
    matches: areMatches ? candidates : matches,
  };
}

/** A page that is full says nothing of absent words: a search that finds much is not to pay for them. */
function absent({ termos, posicao, numeros_max }: SearchRequest, { numeros }: Page, lists: Lists): number[] {
  if (posicao !== null || numeros.length === numeros_max) return [];
  return [...termos.keys()].filter((at) => {
    const termo = termos[at];
    return termo !== undefined && !lists.of(termo).occurs();
  });
}

/**
 * Counting is a courtesy: the page is there, and when the time for counting runs out it goes without. A search by relevance
 * counts within its own time.
 */
function count(
  { budget }: Connection,
  { ordem, count_ms, work_ms }: SearchRequest,
  known: number | null,
  newest: NewestFirst,
): number | null {
  if (count_ms === null) return null;
  if (known !== null) return Math.min(known, CONTAGEM_MAX + 1);
  try {
    const ms = ordem === 'relevancia' ? Math.min(budget.remaining(), count_ms) : count_ms;
    budget.start(performance.now() + ms, work_ms);
    return newest.count();
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    throw error;
  }
}

/** A match without its row is a damaged base, and no page may be made of it. */
function missing(): never {
  throw new BaseFileError('a decision that matches has no row');
}
