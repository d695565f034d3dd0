import type { PosicaoRelevancia, SearchReply, SearchRequest } from '../src/base/messages.ts';
import { BLOCK_SIZE } from '../src/base/schema.ts';
import { CONTAGEM_MAX } from '../src/contract/busca.ts';
import { countBits, highest, isEmpty, truncate, type Bits } from './bits.ts';
import { BudgetExceeded } from './budget.ts';
import { filterOf } from './columns.ts';
import { BaseFileError, type Connection, type Snapshot } from './connection.ts';
import { Lists } from './lists.ts';
import { Matching } from './matching.ts';
import { Ranking } from './ranking.ts';
import { rows } from './record.ts';
import { replacedSince } from './versions.ts';

type Page = Pick<SearchReply, 'numeros' | 'scores' | 'inicio'> & { matches: number | null };
/** The matches of a block that the filter lets through. */
type BlockMatches = (block: number) => Bits;

/** Answers one search in one read transaction. @throws BudgetExceeded, or SQLite's error. */
export function search(connection: Connection, request: SearchRequest, snapshot: Snapshot): SearchReply {
  const lists = new Lists(connection, snapshot);
  const matchesOf = filteredMatches(connection, request, lists);
  const page =
    request.ordem === 'recentes'
      ? byInclusion(request, snapshot, matchesOf)
      : byRelevance(connection, request, snapshot, lists, matchesOf);
  const orderedAt = performance.now();
  const resumos = rows(connection, 'resumo', page.numeros.slice(0, request.rows_max), snapshot);
  const readAt = performance.now();
  const contagem = count(connection, request, snapshot, page.matches, matchesOf);
  return {
    kind: 'search',
    numeros: page.numeros,
    scores: page.scores,
    inicio: page.inicio,
    resumos: resumos.map((json) => json ?? missing()),
    contagem,
    count_ms: performance.now() - readAt,
    rows_ms: readAt - orderedAt,
    geracao: snapshot.geracao,
  };
}

/** The query's own blocks; the last one is kept, for counting goes over the one that the page came from. */
function filteredMatches(connection: Connection, request: SearchRequest, lists: Lists): BlockMatches {
  let matching: Matching | null = null;
  const filter = filterOf(connection, request.filtro);
  const direction = request.ordem === 'recentes' ? 'descending' : 'ascending';
  const known = new Map<number, Bits>();
  return (block) => {
    let bits = known.get(block);
    if (bits === undefined) {
      matching ??= new Matching(connection, lists, request.programa, direction);
      bits = matching.bits(block);
      if (filter !== null && !isEmpty(bits)) filter(bits, block);
      known.clear();
      known.set(block, bits);
    }
    return bits;
  };
}

function byInclusion(request: SearchRequest, { lastNumber }: Snapshot, matchesOf: BlockMatches): Page {
  const { posicao, numeros_max } = request;
  const start = posicao?.ordem === 'recentes' ? posicao.abaixo_de : lastNumber + 1;
  const numeros: number[] = [];
  let below = start;
  while (numeros.length < numeros_max && below > 0) {
    const block = Math.floor((below - 1) / BLOCK_SIZE);
    const base = block * BLOCK_SIZE;
    const newest = highest(matchesOf(block), below - base, numeros_max - numeros.length);
    for (const offset of newest) numeros.push(base + offset);
    below = base;
  }
  return { numeros, scores: null, inicio: { ordem: 'recentes', abaixo_de: start }, matches: null };
}

function byRelevance(
  connection: Connection,
  request: SearchRequest,
  { lastNumber, geracao }: Snapshot,
  lists: Lists,
  matchesOf: BlockMatches,
): Page {
  const { posicao, termos, numeros_max } = request;
  const start: PosicaoRelevancia | null = posicao?.ordem === 'relevancia' ? posicao : null;
  const horizon = start?.horizonte ?? lastNumber;
  const ranking = new Ranking(lists, termos, horizon, start?.df ?? null, {
    after: start === null || start.score === null ? null : { score: start.score, numero: start.numero },
    most: numeros_max,
  });
  const replaced =
    start === null || start.geracao === geracao ? new Map() : replacedSince(connection, start.geracao);
  let matches = 0;
  for (let block = 0; block * BLOCK_SIZE <= horizon; block += 1) {
    const bits = matchesOf(block);
    if (isEmpty(bits)) continue;
    truncate(bits, horizon + 1 - block * BLOCK_SIZE);
    matches += countBits(bits);
    ranking.add(block, bits, replaced);
  }
  const first = { ordem: 'relevancia' as const, horizonte: horizon, df: [...ranking.df] };
  return {
    ...ranking.best(),
    inicio: start ?? { ...first, score: null, numero: 0, geracao },
    matches,
  };
}

/** Counting is a courtesy: when its own time runs out the page goes without. */
function count(
  connection: Connection,
  request: SearchRequest,
  { lastNumber }: Snapshot,
  known: number | null,
  matchesOf: BlockMatches,
): number | null {
  if (request.count_ms === null) return null;
  if (known !== null) return Math.min(known, CONTAGEM_MAX + 1);
  try {
    connection.budget.start(performance.now() + request.count_ms);
    let counted = 0;
    for (let block = Math.floor(lastNumber / BLOCK_SIZE); block >= 0 && counted <= CONTAGEM_MAX; block -= 1) {
      counted += countBits(matchesOf(block));
    }
    return Math.min(counted, CONTAGEM_MAX + 1);
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    throw error;
  }
}

/** A match without its row is a damaged base, and no page may be made of it. */
function missing(): never {
  throw new BaseFileError('a decision that matches has no row');
}
