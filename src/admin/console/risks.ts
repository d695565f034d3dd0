import type { BaseConfig } from '../../config/config.ts';
import { BASE_SETTINGS, type BaseKey } from '../../config/settings.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';

/** What the threads of the bases share. */
export interface Machine {
  readonly cores: number;
  /** Processes that serve, each with all the threads of every base. */
  readonly processes: number;
}

interface Wanted {
  readonly base: Base;
  readonly chave: BaseKey;
  readonly para: number;
}

/** Threads for each core from which more of them delay each other: of one base, and of all bases. */
const THREADS_PER_CORE_OF_BASE = 2;
const THREADS_PER_CORE = 4;
/** Of a window's default, the least that leaves time for common searches. */
const WINDOW_SHARE_LEAST = 0.1;
const number = new Intl.NumberFormat('pt-BR');

/**
 * What a change would do to users, as a sentence in Portuguese without its full stop; null where there is nothing to
 * confirm. Only a change for the worse is a risk: fewer threads and longer windows never are.
 * @param current the settings before the change.
 */
export function riskOf(
  machine: Machine,
  current: Readonly<Record<Base, BaseConfig>>,
  { base, chave, para }: Wanted,
): string | null {
  const de = current[base][chave];
  if (chave === 'threads') return para > de ? riskOfThreads(machine, current, { base, para }) : null;
  return para < de ? riskOfWindow(base, chave, para) : null;
}

function riskOfThreads(
  { cores, processes }: Machine,
  current: Readonly<Record<Base, BaseConfig>>,
  { base, para }: Pick<Wanted, 'base' | 'para'>,
): string | null {
  const ofBase = para * processes;
  const others = BASES.filter((one) => one !== base);
  const ofAll = ofBase + others.reduce((sum, one) => sum + current[one].threads * processes, 0);
  const counted = cores === 1 ? '1 núcleo' : `${cores} núcleos`;
  const each = processes === 1 ? '' : ` nos ${processes} processos`;
  const consequence = `as threads disputam a CPU entre si e com quem responde os pedidos, e todas as bases atrasam, por segundos enquanto as novas iniciam`;
  if (ofBase > THREADS_PER_CORE_OF_BASE * cores)
    return `a base ${base} teria ${ofBase} threads${each} para ${counted}, mais de ${THREADS_PER_CORE_OF_BASE} por núcleo: ${consequence}`;
  if (ofAll > THREADS_PER_CORE * cores)
    return `todas as bases teriam ${ofAll} threads${each} para ${counted}, mais de ${THREADS_PER_CORE} por núcleo: ${consequence}`;
  return null;
}

function riskOfWindow(base: Base, chave: BaseKey, para: number): string | null {
  const consequence = CONSEQUENCES[chave];
  const fallback = BASE_SETTINGS.find(({ key }) => key === chave)?.fallback ?? 0;
  if (consequence === undefined || para >= fallback * WINDOW_SHARE_LEAST) return null;
  return `${number.format(para)} ms é menos de um décimo do padrão, ${number.format(fallback)} ms: ${consequence(base)}`;
}

/** What too short a window does. */
const CONSEQUENCES: Readonly<Partial<Record<BaseKey, (base: Base) => string>>> = {
  relevance_ms: (base) => `as buscas por relevância em ${base} não terminam a tempo e voltam por recentes`,
  recency_ms: (base) =>
    `as buscas por recentes em ${base} não terminam a tempo, e ${base} fica em bases_sem_resposta`,
  count_ms: (base) => `as buscas em ${base} perdem a contagem de encontrados`,
  record_ms: (base) => `as leituras de registros de ${base} terminam em 504`,
};
