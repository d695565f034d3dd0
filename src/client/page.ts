import { TRIBUNAIS } from '../contract/catalog.ts';
import { isAsTyped, readingOf, type TermoProximo } from './reading.ts';
import type { Base, Busca, Ordem } from './types.ts';

/** A search's page, with warnings. */
export type Pagina = Busca & {
  /** True if every base answered. Otherwise decisions of `bases_sem_resposta` may be missing. */
  readonly completa: boolean;
  /** Searched words that no decision of the searched bases has; the last one is `…` if there are more. */
  readonly termos_ausentes: readonly string[];
  /** Near words in these bases. */
  readonly termos_proximos: readonly TermoProximo[];
  /** The query as parsed, in FTS5 syntax; null after the first page. */
  readonly leitura: string | null;
  /** If nothing was found: a search that finds something. Show it; do not send it without consent. */
  readonly sugestao: string | null;
  /** All warnings in Portuguese, one line each. */
  readonly avisos: readonly string[];
};

export interface SearchRequest {
  readonly q: string;
  readonly ordem?: Ordem | undefined;
  readonly cursor?: string | undefined;
}

const COURTS = TRIBUNAIS.map(({ codigo, uf, ramo }) => `${codigo} (${uf}, ${ramo})`).join(', ');
const NO_COURT = `nenhum tribunal atende a tribunal, uf e ramo juntos: nada foi buscado; há ${COURTS}`;
const NO_ANSWER = 'nenhuma base respondeu: nada foi buscado; tente de novo mais tarde';

/** A base counts the decisions with a near word up to this. */
const COUNTED_MAX = 1_000;
const NOT_TOGETHER =
  'há decisões com cada uma das palavras, mas nenhuma com todas (e com os filtros); tire algumas, ou junte-as com OR';

/** False if no base was searched: none answered, or none was asked. */
export function hasAnswer(busca: Busca): boolean {
  return answered(busca).length > 0;
}

export function pageOf(busca: Busca, request: SearchRequest, headers: Headers): Pagina {
  const { leitura, ausentes, proximos, sugestao, avisos } = readingOf(headers);
  const isFirst = request.cursor === undefined;
  const isEmpty = isFirst && busca.itens.length === 0;
  const hasBases = busca.por_base.length + busca.bases_sem_resposta.length > 0;
  const isSearched = hasAnswer(busca);
  const isWhole = busca.bases_sem_resposta.length === 0;
  return {
    ...busca,
    completa: isWhole,
    termos_ausentes: ausentes,
    termos_proximos: proximos,
    leitura,
    sugestao,
    avisos: [
      ...(isFirst && !hasBases ? [NO_COURT] : []),
      ...unanswered(busca),
      ...(hasBases && !isSearched ? [NO_ANSWER] : []),
      ...fellBack(busca, request),
      ...(leitura === null || isAsTyped(request.q, leitura) ? [] : [`a busca foi lida assim: ${leitura}`]),
      ...avisos,
      ...absentLine(ausentes),
      ...proximos.map(nearLine),
      ...(sugestao === null ? [] : [`esta busca acha: ${sugestao}`]),
      ...(isEmpty && isSearched && isWhole ? apart(leitura, ausentes.length + proximos.length > 0) : []),
    ],
  };
}

function absentLine(ausentes: readonly string[]): string[] {
  if (ausentes.length === 0) return [];
  // Only the sign that there are more: the first is too long for the header.
  if (ausentes[0] === '…') return ['nenhuma decisão tem uma das palavras, longa demais para se mostrar'];
  return [`nenhuma decisão tem: ${ausentes.join(', ')}`];
}

function nearLine({ termo, proximos }: TermoProximo): string {
  const found = proximos.map(
    ({ texto, decisoes }) => `${texto} (em ${decisoes < COUNTED_MAX ? decisoes : `${decisoes} ou mais`})`,
  );
  return `perto de ${termo} há: ${found.join(', ')}`;
}

/** For a search for several words that all exist, but in no decision together. */
function apart(leitura: string | null, isExplained: boolean): string[] {
  if (leitura === null || isExplained || !/^[^"():*]+ AND [^"():*]+$/u.test(leitura)) return [];
  return / (?:OR|NOT) /u.test(leitura) ? [] : [NOT_TOGETHER];
}

function unanswered({ bases_sem_resposta }: Busca): string[] {
  return bases_sem_resposta.map(({ base, tempo_esgotado }) => {
    const why = tempo_esgotado ? 'a tempo' : '(falhou ou está sobrecarregada)';
    return `a base ${base} não respondeu ${why}: podem faltar decisões dela`;
  });
}

function answered({ por_base, bases_sem_resposta }: Busca): Busca['por_base'] {
  const silent = new Set<Base>(bases_sem_resposta.map(({ base }) => base));
  return por_base.filter(({ base }) => !silent.has(base));
}

function fellBack(busca: Busca, { ordem }: SearchRequest): string[] {
  if (ordem === 'recentes') return [];
  return answered(busca)
    .filter(({ ordem_aplicada }) => ordem_aplicada === 'recentes')
    .map(({ base }) => `a base ${base} respondeu por recentes, e não por relevância`);
}
