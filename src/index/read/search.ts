import type { PosicaoRelevancia, SearchReply, SearchRequest } from '../../engine/messages.ts';
import { BaseFileError } from '../format/file-check.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import { CONTAGEM_MAX } from '../../contract/vocabulary.ts';
import { EMPTY, countBits, freeBits, isEmpty, truncate } from './bitset.ts';
import { BudgetExceeded } from './budget.ts';
import { filterOf } from './filters.ts';
import type { Connection, Snapshot } from './connection.ts';
import { Lists } from './lists.ts';
import { Matching, type Found } from './evaluate.ts';
import { NewestFirst } from './newest.ts';
import { Scoring } from './scoring.ts';
import { rank, type InBlock } from './top-k.ts';
import { rows } from './rows.ts';
import { replacedSince } from './versions.ts';

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
  const start = posicao?.ordem === 'recentes' ? posicao.abaixo_de : snapshot.lastNumber + 1;
  // A cursor may come from a larger file that stood in this one's place.
  const newest = new NewestFirst(foundIn, Math.min(start, snapshot.lastNumber + 1), connection.budget);
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
    generation: snapshot.generation,
    decisoes: snapshot.lastNumber,
    data_version: snapshot.dataVersion,
    demonstracao: snapshot.isMadeUp,
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
  const { lastNumber, generation } = snapshot;
  const { posicao, termos, numeros_max } = request;
  const start: PosicaoRelevancia | null = posicao?.ordem === 'relevancia' ? posicao : null;
  const horizon = start?.horizonte ?? lastNumber;
  const page = {
    after: start === null || start.score === null ? null : { score: start.score, numero: start.numero },
    most: numeros_max,
  };
  const replaced =
    start === null || start.generation === generation
      ? new Map()
      : replacedSince(connection, start.generation, snapshot);
  const scoring = new Scoring(lists, termos, horizon, start?.df ?? null, replaced);
  const blocks: InBlock[] = [];
  let candidates = 0;
  for (let block = 0; block * BLOCK_SIZE <= Math.min(horizon, lastNumber); block += 1) {
    const { bits, confirm } = foundIn(block);
    if (bits === EMPTY) continue;
    truncate(bits, horizon + 1 - block * BLOCK_SIZE);
    const inBlock = { block, bits, count: countBits(bits), confirm };
    if (inBlock.count > 0) blocks.push(inBlock);
    candidates += inBlock.count;
  }
  const { numeros, scores, matches } = rank(blocks, scoring, page, connection.budget);
  const first = { ordem: 'relevancia' as const, horizonte: horizon, df: [...scoring.df] };
  const areMatches = blocks.every(({ confirm }) => confirm === null);
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

/** Of the time of a search by relevance, how much it may take to count when its page is there. */
const COUNT_SHARE = 1 / 10;

/** Counting is a courtesy: when its own time runs out the page goes without. */
function count(
  connection: Connection,
  { ordem, count_ms, budget_ms, work_ms }: SearchRequest,
  known: number | null,
  newest: NewestFirst,
): number | null {
  if (count_ms === null) return null;
  if (known !== null) return Math.min(known, CONTAGEM_MAX + 1);
  const { budget } = connection;
  const isWithinSearch = ordem === 'relevancia';
  try {
    const ms = isWithinSearch ? Math.min(budget.remaining(), budget_ms * COUNT_SHARE) : count_ms;
    // One that was given little work has more of it when it is asked again.
    if (!isWithinSearch || work_ms === undefined) budget.start(performance.now() + ms, work_ms);
    return newest.count();
  } catch (error) {
    const isAskedAgain = isWithinSearch && work_ms !== undefined;
    if (error instanceof BudgetExceeded && !isAskedAgain) return null;
    throw error;
  }
}

/** A match without its row is a damaged base, and no page may be made of it. */
function missing(): never {
  throw new BaseFileError('a decision that matches has no row');
}
