import { expect, test } from 'vitest';
import { riskOf } from '../../../src/admin/console/risks.ts';
import { BASES, type Base } from '../../../src/contract/vocabulary.ts';
import type { BaseConfig } from '../../../src/config/config.ts';
import type { BaseKey } from '../../../src/config/settings.ts';

const SETTINGS: BaseConfig = {
  threads: 2,
  queue_max: 512,
  result_cache_mb: 8,
  relevance_ms: 1_500,
  recency_ms: 1_000,
  count_ms: 150,
  record_ms: 2_000,
};
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each base
const CURRENT = Object.fromEntries(BASES.map((base) => [base, SETTINGS])) as Record<Base, BaseConfig>;

const risk = (cores: number, chave: BaseKey, para: number, processes = 1) =>
  riskOf({ cores, processes }, CURRENT, { base: 'stj', chave, para });

test('threads are a risk past two for each core in one base, and past four for each core in all', () => {
  // Five bases have ten threads.
  expect(risk(4, 'threads', 6)).toBeNull();
  expect(risk(4, 'threads', 7)).toContain(
    'todas as bases teriam 17 threads para 4 núcleos, mais de 4 por núcleo',
  );
  expect(risk(4, 'threads', 9)).toContain('a base stj teria 9 threads para 4 núcleos, mais de 2 por núcleo');
  expect(risk(16, 'threads', 32)).toBeNull();
  expect(risk(16, 'threads', 33)).toContain('a base stj teria 33 threads');
});

test('threads of all processes count', () => {
  expect(risk(8, 'threads', 6)).toBeNull();
  expect(risk(8, 'threads', 6, 3)).toContain('a base stj teria 18 threads nos 3 processos para 8 núcleos');
});

test('fewer threads are no risk, however many they still are', () => {
  expect(risk(1, 'threads', 1)).toBeNull();
});

test('a window is a risk below a tenth of its default, unless it grows', () => {
  expect(risk(4, 'relevance_ms', 150)).toBeNull();
  expect(risk(4, 'relevance_ms', 149)).toBe(
    '149 ms é menos de um décimo do padrão, 1.500 ms: as buscas por relevância em stj não terminam a tempo e voltam por recentes',
  );
  expect(risk(4, 'record_ms', 199)).toContain('504');
  expect(risk(4, 'count_ms', 0)).toContain('contagem');
  expect(risk(4, 'recency_ms', 1)).toContain('bases_sem_resposta');
  const current = { ...CURRENT, stj: { ...SETTINGS, relevance_ms: 1 } };
  const wanted = { base: 'stj', chave: 'relevance_ms', para: 50 } as const;
  expect(riskOf({ cores: 4, processes: 1 }, current, wanted)).toBeNull();
});

test('queue and result cache have nothing to confirm', () => {
  expect(risk(1, 'queue_max', 1)).toBeNull();
  expect(risk(1, 'result_cache_mb', 0)).toBeNull();
});
