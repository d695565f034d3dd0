import { expect, test } from 'vitest';
import { riskOf } from '../../../src/admin/console/risks.ts';
import { BASES, type Base } from '../../../src/contract/vocabulary.ts';
import type { BaseConfig } from '../../../src/config/config.ts';
import { keysOf } from '../../../src/contract/records.ts';
import type { BaseKey } from '../../../src/config/settings.ts';

const SETTINGS: BaseConfig = {
  threads: 2,
  queue_max: 512,
  relevance_ms: 1_500,
  recency_ms: 1_000,
  count_ms: 150,
  record_ms: 2_000,
};
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- one entry for each base
const CURRENT = Object.fromEntries(BASES.map((base) => [base, SETTINGS])) as Record<Base, BaseConfig>;

const risk = (cores: number, chave: BaseKey, para: number) =>
  riskOf(cores, CURRENT, { base: 'stj', chave, para });

test('more than four threads a core in all bases are a risk', () => {
  // Five bases have ten threads.
  expect(risk(4, 'threads', 6)).toBeNull();
  expect(risk(4, 'threads', 7)).toContain(
    'todas as bases teriam 17 threads para 4 núcleos, mais de 4 por núcleo',
  );
});

test('fewer threads than before are never a risk', () => {
  expect(risk(1, 'threads', 1)).toBeNull();
});

test('no default is a risk on any number of cores', () => {
  const least = {
    threads: 1,
    queue_max: 1,
    relevance_ms: 1,
    recency_ms: 1,
    count_ms: 0,
    record_ms: 1,
  };
  for (const [from, to] of [
    [least, SETTINGS],
    [{ ...SETTINGS, threads: 16, relevance_ms: 9_000, queue_max: 9_999 }, SETTINGS],
  ] as const)
    for (const chave of keysOf(SETTINGS)) {
      const wanted = { base: 'stj', chave, para: to[chave] } as const;
      expect(riskOf(1, { ...CURRENT, stj: from }, wanted)).toBeNull();
    }
});

test('a window is a risk below a tenth of its default, unless it grows', () => {
  expect(risk(4, 'relevance_ms', 150)).toBeNull();
  expect(risk(4, 'relevance_ms', 149)).toBe(
    '149 é menos de um décimo do padrão, 1.500: as buscas por relevância em stj não terminam a tempo e voltam por recentes',
  );
  expect(risk(4, 'record_ms', 199)).toContain('504');
  expect(risk(4, 'count_ms', 0)).toContain('contagem');
  expect(risk(4, 'recency_ms', 1)).toContain('bases_sem_resposta');
  const current = { ...CURRENT, stj: { ...SETTINGS, relevance_ms: 1 } };
  const wanted = { base: 'stj', chave: 'relevance_ms', para: 50 } as const;
  expect(riskOf(4, current, wanted)).toBeNull();
});

test('a queue below a tenth of its default is a risk', () => {
  expect(risk(1, 'queue_max', 52)).toBeNull();
  expect(risk(1, 'queue_max', 1)).toContain('são recusadas por stj');
});
