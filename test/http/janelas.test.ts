import { describe, expect, it } from 'vitest';
import type { Environment } from '../../src/config/config.ts';
import { servedInTest } from '../support/served.ts';
import type { Body, Service } from '../support/service.ts';
import { acordaos, decisaoPath, expectErro } from './checks.ts';

/**
 * A thread takes far longer than a millisecond to load, so a window of one has run out at the first request
 * whatever the machine, and a window of a minute has not: no test here waits or measures.
 */
const ENOUGH_MS = '60000';

let service: Service;
async function start(environment: Environment): Promise<void> {
  service = await servedInTest({ stj: acordaos(8, 'dano'), tst: acordaos(8, 'dano') }, environment);
}

async function busca(parameters: Record<string, string>): Promise<Body> {
  const { status, body } = await service.busca(parameters);
  expect(status).toBe(200);
  return body;
}
const orderOf = (body: Body, base: string) => body.por_base.find((one) => one.base === base)?.ordem_aplicada;

describe('a base that cannot order by relevance within its window', () => {
  const slow = { BASES_RECENCY_MS: ENOUGH_MS, BASES_RELEVANCE_MS: ENOUGH_MS, BASES_STJ_RELEVANCE_MS: '1' };

  it('falls back to recentes, alone, and por_base shows it', async () => {
    await start(slow);
    const body = await busca({ q: 'dano' });
    expect(body.bases_sem_resposta).toEqual([]);
    expect(orderOf(body, 'stj')).toBe('recentes');
    expect(orderOf(body, 'tst')).toBe('relevancia');
    expect(body.itens).toHaveLength(16);
  });

  it('gives its items by inclusion, newest first, on later pages too', async () => {
    await start(slow);
    const ids: string[] = [];
    let cursor: string | null = null;
    do {
      const search = { q: 'dano', tribunal: 'stj', limite: '3' };
      const body = await busca(cursor === null ? search : { ...search, cursor });
      expect(orderOf(body, 'stj')).toBe('recentes');
      ids.push(...body.itens.map(({ id }) => id));
      cursor = body.proximo_cursor;
    } while (cursor !== null && ids.length < 20);
    expect(ids).toEqual([8, 7, 6, 5, 4, 3, 2, 1].map((numero) => `stj:${numero}`));
  });
});

describe('a base that does not answer even so', () => {
  const silent = {
    BASES_RECENCY_MS: ENOUGH_MS,
    BASES_RELEVANCE_MS: ENOUGH_MS,
    BASES_STJ_RELEVANCE_MS: '1',
    BASES_STJ_RECENCY_MS: '1',
  };

  it('is listed in bases_sem_resposta with tempo_esgotado true; the others are still returned', async () => {
    await start(silent);
    const body = await busca({ q: 'dano' });
    expect(body.bases_sem_resposta).toEqual([{ base: 'stj', tempo_esgotado: true }]);
    expect(new Set(body.itens.map(({ base }) => base))).toEqual(new Set(['tst']));
    // The last order tried, the time spent, and no count.
    const entry = body.por_base.find(({ base }) => base === 'stj');
    expect(entry).toEqual({ base: 'stj', ordem_aplicada: 'recentes', ms: expect.any(Number) });
  });
});

describe('a base that is overloaded', () => {
  it('is listed with tempo_esgotado false, and every search is still 200', async () => {
    await start({ BASES_QUEUE_MAX: '1', BASES_RELEVANCE_MS: ENOUGH_MS, BASES_RECENCY_MS: ENOUGH_MS });
    const bodies = await Promise.all(Array.from({ length: 20 }, () => busca({ q: 'dano', tribunal: 'stj' })));
    const unanswered = bodies.flatMap((body) => body.bases_sem_resposta);
    expect(unanswered.length).toBeGreaterThan(0);
    expect(unanswered.length).toBeLessThan(20);
    expect(unanswered.every((one) => !one.tempo_esgotado)).toBe(true);
  });

  it('answers 504 TEMPO_ESGOTADO to record reads beyond its queue', async () => {
    await start({ BASES_QUEUE_MAX: '1', BASES_RECORD_MS: ENOUGH_MS });
    const responses = await Promise.all(Array.from({ length: 20 }, () => service.get(decisaoPath('stj:1'))));
    const late = responses.filter(({ status }) => status !== 200);
    expect(late.length).toBeGreaterThan(0);
    for (const response of late) await expectErro(response, 'TEMPO_ESGOTADO');
  });

  it('answers 504 TEMPO_ESGOTADO to a record read beyond its window', async () => {
    await start({ BASES_RECORD_MS: '1' });
    await expectErro(await service.get(decisaoPath('stj:1')), 'TEMPO_ESGOTADO');
  });
});

it('a count without time is omitted together with ha_mais_de_1000, and the items are given', async () => {
  await start({ BASES_COUNT_MS: '0', BASES_RECENCY_MS: ENOUGH_MS });
  const body = await busca({ q: 'dano', tribunal: 'stj', ordem: 'recentes' });
  expect(body.itens).toHaveLength(8);
  expect(Object.keys(body.por_base[0] ?? {}).toSorted()).toEqual(['base', 'ms', 'ordem_aplicada']);
});
