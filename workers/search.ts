import type { PosicaoRelevancia, SearchReply, SearchRequest } from '../src/base/messages.ts';
import { CONTAGEM_MAX } from '../src/contract/busca.ts';
import { BudgetExceeded } from './budget.ts';
import { BaseFileError, type Connection, type Snapshot } from './connection.ts';
import { allUpTo, countUpTo, newest } from './matches.ts';
import { rank } from './ranking.ts';
import { replacedSince } from './versions.ts';
import { rows } from './record.ts';

type Page = Pick<SearchReply, 'numeros' | 'scores' | 'inicio'> & { matches: number | null };

/** Answers one search in one read transaction. @throws BudgetExceeded, or SQLite's error. */
export function search(connection: Connection, request: SearchRequest, snapshot: Snapshot): SearchReply {
  const page =
    request.ordem === 'recentes'
      ? byInclusion(connection, request, snapshot)
      : byRelevance(connection, request, snapshot);
  const resumos = rows(connection, 'resumo', page.numeros.slice(0, request.rows_max));
  return {
    kind: 'search',
    numeros: page.numeros,
    scores: page.scores,
    inicio: page.inicio,
    resumos: resumos.map((json) => json ?? missing()),
    contagem: count(connection, request, page.matches),
    geracao: snapshot.geracao,
  };
}

function byInclusion(connection: Connection, request: SearchRequest, { lastNumber }: Snapshot): Page {
  const { posicao, consulta, filtro, numeros_max } = request;
  const below = posicao?.ordem === 'recentes' ? posicao.abaixo_de : lastNumber + 1;
  return {
    numeros: newest(connection, consulta, filtro, below, numeros_max),
    scores: null,
    inicio: { ordem: 'recentes', abaixo_de: below },
    matches: null,
  };
}

function byRelevance(
  connection: Connection,
  request: SearchRequest,
  { lastNumber, geracao }: Snapshot,
): Page {
  const { posicao, consulta, filtro, termos, numeros_max } = request;
  const start: PosicaoRelevancia | null = posicao?.ordem === 'relevancia' ? posicao : null;
  const horizon = start?.horizonte ?? lastNumber;
  const matches = allUpTo(connection, consulta, filtro, horizon);
  const after = start === null || start.score === null ? null : { score: start.score, numero: start.numero };
  const ranking = rank(connection, matches, termos, {
    horizon,
    df: start?.df ?? null,
    replaced:
      start === null || start.geracao === geracao ? [] : replacedSince(connection, start.geracao, matches),
    after,
    most: numeros_max,
  });
  return {
    numeros: ranking.numeros,
    scores: ranking.scores,
    inicio: start ?? {
      ordem: 'relevancia',
      horizonte: horizon,
      df: ranking.df,
      score: null,
      numero: 0,
      geracao,
    },
    matches: matches.length,
  };
}

/** Counting is a courtesy: when its own time runs out the page goes without. */
function count(connection: Connection, request: SearchRequest, known: number | null): number | null {
  if (request.count_ms === null) return null;
  if (known !== null) return Math.min(known, CONTAGEM_MAX + 1);
  try {
    connection.budget.start(performance.now() + request.count_ms);
    return countUpTo(connection, request.consulta, request.filtro, CONTAGEM_MAX + 1);
  } catch (error) {
    if (error instanceof BudgetExceeded) return null;
    throw error;
  }
}

/** A match without its row is a damaged base, and no page may be made of it. */
function missing(): never {
  throw new BaseFileError('a decision that matches has no row');
}
