import type { PosicaoRelevancia, SearchReply, SearchRequest } from '../../engine/messages.ts';
import { BLOCK_SIZE } from '../format/schema.ts';
import { CONTAGEM_MAX } from '../../contract/vocabulary.ts';
import { EMPTY, countBits, freeBits, highest, isEmpty, truncate, type Bits } from './bitset.ts';
import { BudgetExceeded } from './budget.ts';
import { filterOf } from './filters.ts';
import { BaseFileError, type Connection, type Snapshot } from './connection.ts';
import { Lists } from './lists.ts';
import { Matching } from './evaluate.ts';
import { NewestFirst } from './newest.ts';
import { Ranking } from './top-k.ts';
import { rows } from './rows.ts';
import { replacedSince } from './versions.ts';

type Page = Pick<SearchReply, 'numeros' | 'scores' | 'inicio'> & { matches: number | null };
/** The matches of a block that the filter lets through; `within` limits them, null does not. A fresh set, or `EMPTY`. */
type BlockMatches = (block: number, within: Bits | null) => Bits;

/** Answers one search in one read transaction. @throws BudgetExceeded, or SQLite's error. */
export function search(connection: Connection, request: SearchRequest, snapshot: Snapshot): SearchReply {
  const { ordem, programa, posicao, filtro } = request;
  freeBits();
  const direction = ordem === 'recentes' ? 'descending' : 'ascending';
  const lists = new Lists(connection, snapshot, ordem === 'recentes' ? 'members' : 'impacts');
  const matching = new Matching(connection, lists, programa, direction);
  const filter = filterOf(connection, filtro);
  const matchesOf: BlockMatches = (block, within) => {
    const bits = matching.bits(block, within);
    if (filter !== null && !isEmpty(bits)) filter(bits, block);
    return bits;
  };
  const start = posicao?.ordem === 'recentes' ? posicao.abaixo_de : snapshot.lastNumber + 1;
  const newest = new NewestFirst(matchesOf, start, matching.hasPassage);
  const page =
    ordem === 'recentes'
      ? byInclusion(request, start, newest)
      : byRelevance(connection, request, snapshot, lists, matchesOf);
  const orderedAt = performance.now();
  const resumos = rows(connection, 'resumo', page.numeros.slice(0, request.rows_max), snapshot);
  const readAt = performance.now();
  const contagem = count(connection, request, page.matches, newest);
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
    decisoes: snapshot.lastNumber,
    estado: snapshot.estado,
  };
}

function byInclusion({ numeros_max }: SearchRequest, start: number, newest: NewestFirst): Page {
  const numeros: number[] = [];
  for (const { base, end, bits } of newest.spans(numeros_max)) {
    for (const offset of highest(bits, end, numeros_max - numeros.length)) numeros.push(base + offset);
    if (numeros.length >= numeros_max) break;
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
    const bits = matchesOf(block, null);
    if (bits === EMPTY) continue;
    truncate(bits, horizon + 1 - block * BLOCK_SIZE);
    matches += ranking.add(block, bits, replaced);
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
  { count_ms, work_ms }: SearchRequest,
  known: number | null,
  newest: NewestFirst,
): number | null {
  if (count_ms === null) return null;
  if (known !== null) return Math.min(known, CONTAGEM_MAX + 1);
  try {
    connection.budget.start(performance.now() + count_ms, work_ms);
    let counted = 0;
    for (const { bits } of newest.spans(CONTAGEM_MAX + 1)) {
      counted += countBits(bits);
      if (counted > CONTAGEM_MAX) break;
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
