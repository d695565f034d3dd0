import { withNumberForms } from './number-forms.ts';
import type { Base, Busca, Ordem } from './types.ts';

/** A page of a search, with its warnings. */
export type Pagina = Busca & {
  /** True if every base answered. Otherwise decisions of `bases_sem_resposta` may be missing. */
  readonly completa: boolean;
  /** Words of the search that no decision of the searched bases has. */
  readonly termos_ausentes: readonly string[];
  /** If nothing was found: a wider search with singular and plural, to show and not to send without consent. */
  readonly sugestao: string | null;
  /** All warnings in Portuguese, one line each. */
  readonly avisos: readonly string[];
};

export interface SearchRequest {
  readonly q: string;
  readonly ordem?: Ordem | undefined;
  readonly cursor?: string | undefined;
}

const NO_COURT = 'nenhum tribunal atende a tribunal, uf e ramo juntos: nada foi buscado';
const NO_ANSWER = 'nenhuma base respondeu: nada foi buscado; tente de novo mais tarde';

/** False where no base was searched: none answered, or none was asked. */
export function hasAnswer(busca: Busca): boolean {
  return answered(busca).length > 0;
}

export function pageOf(busca: Busca, request: SearchRequest, headers: Headers): Pagina {
  const absent = absentTerms(headers.get('jurisprudencia-termos-ausentes'));
  const isFirst = request.cursor === undefined;
  const isEmpty = isFirst && busca.itens.length === 0;
  const hasBases = busca.por_base.length + busca.bases_sem_resposta.length > 0;
  const isSearched = hasAnswer(busca);
  const suggestion = isEmpty && isSearched ? withNumberForms(request.q) : null;
  return {
    ...busca,
    completa: busca.bases_sem_resposta.length === 0,
    termos_ausentes: absent,
    sugestao: suggestion,
    avisos: [
      ...(isFirst && !hasBases ? [NO_COURT] : []),
      ...unanswered(busca),
      ...(hasBases && !isSearched ? [NO_ANSWER] : []),
      ...fellBack(busca, request),
      ...(absent.length === 0 ? [] : [`nenhuma decisão tem: ${absent.join(', ')}`]),
      ...(isEmpty && isSearched ? smallOperators(request.q) : []),
      ...(suggestion === null ? [] : [`talvez com singular e plural: ${suggestion}`]),
    ],
  };
}

/** Written small, or in Portuguese, an operator is a word that a decision has to have. */
function smallOperators(q: string): string[] {
  const written = OPERATORS.find(([word]) => new RegExp(`(?<= )${word}(?= )`, 'u').test(q));
  if (written === undefined) return [];
  const [word, operator] = written;
  return [`"${word}" é aqui uma palavra como as outras; o operador escreve-se ${operator}`];
}

const OPERATORS = [
  ['ou', 'OR'],
  ['or', 'OR'],
  ['and', 'AND'],
  ['not', 'NOT'],
] as const;

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

/** Decodes comma-separated, percent-encoded words. */
function absentTerms(header: string | null): string[] {
  const words = (header ?? '').split(',').map((word) => word.trim());
  return words.filter((word) => word !== '').map(decoded);
}

function decoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return word;
  }
}
