import type { BaseConfig } from '../../config/config.ts';
import { bug } from '../../bug.ts';
import { BASE_KEYS, BASE_SETTINGS, type BaseKey, type LiveKey, type Place } from '../../config/settings.ts';
import { BASES, isOneOf, type Base } from '../../contract/vocabulary.ts';

export interface Wanted {
  readonly base: Place;
  readonly chave: LiveKey;
  readonly para: number;
}

/** Above so many threads for each core, in all bases together, threads delay each other. */
const THREADS_PER_CORE = 4;
/** The least fraction of the default: of a window with time for common searches, of a queue that takes a burst. */
const FRACTION_LEAST = 0.1;
const number = new Intl.NumberFormat('pt-BR');

/**
 * What a change would do to users, as a Portuguese sentence without a full stop; null if there is nothing to
 * confirm. Only a change for the worse is a risk: never fewer threads, longer windows, or a return to the default.
 * @param cores of the machine. @param current the settings before the change.
 */
export function riskOf(
  cores: number,
  current: Readonly<Record<Base, BaseConfig>>,
  { base, chave, para }: Wanted,
): string | null {
  if (base === 'servico' || !isOneOf(BASE_KEYS, chave)) return null;
  const de = current[base][chave];
  const fallback = BASE_SETTINGS.find(({ key }) => key === chave)?.fallback ?? bug(`no setting ${chave}`);
  if (chave === 'threads') {
    const all = BASES.reduce((sum, one) => sum + (one === base ? para : current[one].threads), 0);
    const counted = cores === 1 ? '1 núcleo' : `${cores} núcleos`;
    return para > de && para > fallback && all > THREADS_PER_CORE * cores
      ? `todas as bases teriam ${all} threads para ${counted}, mais de ${THREADS_PER_CORE} por núcleo: as threads disputam a CPU entre si e com quem responde os pedidos, e todas as bases atrasam, por segundos enquanto as novas iniciam`
      : null;
  }
  return para < de && para < fallback * FRACTION_LEAST
    ? `${number.format(para)} é menos de um décimo do padrão, ${number.format(fallback)}: ${CONSEQUENCES[chave](base)}`
    : null;
}

const CONSEQUENCES: Readonly<Record<Exclude<BaseKey, 'threads'>, (base: Base) => string>> = {
  queue_max: (base) => `as buscas que chegam juntas são recusadas por ${base}`,
  relevance_ms: (base) => `as buscas por relevância em ${base} não terminam a tempo e voltam por recentes`,
  recency_ms: (base) =>
    `as buscas por recentes em ${base} não terminam a tempo, e ${base} fica em bases_sem_resposta`,
  count_ms: (base) => `as buscas em ${base} perdem a contagem de encontrados`,
  record_ms: (base) => `as leituras de registros de ${base} terminam em 504`,
};
