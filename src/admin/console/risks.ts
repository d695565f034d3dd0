import type { BaseConfig } from '../../config/config.ts';
import { BASE_SETTINGS, type BaseKey } from '../../config/settings.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';

export interface Machine {
  readonly cores: number;
  /** The median time of the latest requests to a base, milliseconds; null if there were none. */
  readonly typicalMs?: (base: Base) => number | null;
}

interface Wanted {
  readonly base: Base;
  readonly chave: BaseKey;
  readonly para: number;
}

/** Above so many threads for each core, in a base or in all bases together, threads delay each other. */
const THREADS_PER_CORE_OF_BASE = 2;
const THREADS_PER_CORE = 4;
/** The least fraction of the default: of a window with time for common searches, of a queue that takes a burst. */
const FRACTION_LEAST = 0.1;
const number = new Intl.NumberFormat('pt-BR');

/**
 * What a change would do to users, as a Portuguese sentence without a full stop; null if there is nothing to
 * confirm. Only a change for the worse is a risk: never fewer threads, longer windows, or a return to the default.
 * @param current the settings before the change.
 */
export function riskOf(
  machine: Machine,
  current: Readonly<Record<Base, BaseConfig>>,
  { base, chave, para }: Wanted,
): string | null {
  const de = current[base][chave];
  const fallback = BASE_SETTINGS.find(({ key }) => key === chave)?.fallback ?? 0;
  if (para === fallback) return null;
  if (chave === 'threads' && para > fallback && para > de)
    return riskOfThreads(machine, current, { base, para });
  return para < de ? riskOfLess({ base, chave, para }, fallback, machine.typicalMs?.(base) ?? null) : null;
}

function riskOfThreads(
  { cores }: Machine,
  current: Readonly<Record<Base, BaseConfig>>,
  { base, para }: Pick<Wanted, 'base' | 'para'>,
): string | null {
  const others = BASES.filter((one) => one !== base);
  const ofAll = para + others.reduce((sum, one) => sum + current[one].threads, 0);
  const counted = cores === 1 ? '1 núcleo' : `${cores} núcleos`;
  const consequence = `as threads disputam a CPU entre si e com quem responde os pedidos, e todas as bases atrasam, por segundos enquanto as novas iniciam`;
  if (para > THREADS_PER_CORE_OF_BASE * cores)
    return `a base ${base} teria ${para} threads para ${counted}, mais de ${THREADS_PER_CORE_OF_BASE} por núcleo: ${consequence}`;
  if (ofAll > THREADS_PER_CORE * cores)
    return `todas as bases teriam ${ofAll} threads para ${counted}, mais de ${THREADS_PER_CORE} por núcleo: ${consequence}`;
  return null;
}

function riskOfLess(
  { base, chave, para }: Wanted,
  fallback: number,
  typicalMs: number | null,
): string | null {
  switch (chave) {
    case 'threads':
      return null;
    case 'queue_max':
      return para < fallback * FRACTION_LEAST
        ? `uma fila de ${number.format(para)} é menos de um décimo do padrão, ${number.format(fallback)}: as buscas que chegam juntas são recusadas por ${base}`
        : null;
    case 'relevance_ms':
    case 'recency_ms':
    case 'count_ms':
    case 'record_ms': {
      const consequence = CONSEQUENCES[chave](base);
      if (para < fallback * FRACTION_LEAST)
        return `${number.format(para)} ms é menos de um décimo do padrão, ${number.format(fallback)} ms: ${consequence}`;
      return typicalMs !== null && para < typicalMs && chave !== 'count_ms'
        ? `${number.format(para)} ms é menos do que leva metade dos pedidos a ${base} agora, ${number.format(typicalMs)} ms: ${consequence}`
        : null;
    }
  }
}

type Window = Exclude<BaseKey, 'threads' | 'queue_max'>;

const CONSEQUENCES: Readonly<Record<Window, (base: Base) => string>> = {
  relevance_ms: (base) => `as buscas por relevância em ${base} não terminam a tempo e voltam por recentes`,
  recency_ms: (base) =>
    `as buscas por recentes em ${base} não terminam a tempo, e ${base} fica em bases_sem_resposta`,
  count_ms: (base) => `as buscas em ${base} perdem a contagem de encontrados`,
  record_ms: (base) => `as leituras de registros de ${base} terminam em 504`,
};
