import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadLines, type Body, type Line } from '../support/service.ts';
import { expectNoUnhandledRejection, until } from '../tools/faults/support-poll.ts';
import { hasNatsServer } from './nats-server.ts';
import { WholeCluster } from './whole-cluster.ts';

const BEFORE = 400;
const PUBLICATIONS = 4;
const MORE = 25;

/** All of them match `comum`, and some are replaced by each load. */
const lines = (from: number, to: number, text = ''): Line[] =>
  Array.from({ length: to - from }, (_, at) => ({
    tipo: 'acordao',
    chave: `c${from + at}`,
    ementa: `comum ${text} decisão ${from + at}`,
  }));

describe.skipIf(!hasNatsServer())('while bases are published under load', () => {
  expectNoUnhandledRejection();
  let cluster: WholeCluster;
  let key: string;

  beforeAll(async () => {
    cluster = await WholeCluster.start();
    loadLines(cluster.publisherDir, 'stj', lines(0, BEFORE));
    await cluster.publishEverywhere();
    key = await cluster.issueKey('ana');
  });
  afterAll(() => cluster.stop());

  /** All pages of one search, each from another front. @returns the numbers, in their order. */
  async function walk(ordem: string): Promise<number[]> {
    const numbers: number[] = [];
    let cursor: string | null = null;
    for (let page = 0; ; page += 1) {
      const parameters = { q: 'comum', tribunal: 'stj', limite: '50', ordem };
      const body: Body = await cluster.busca(cluster.front(page), key, {
        ...parameters,
        ...(cursor !== null && { cursor }),
      });
      expect([body.erro, body.bases_sem_resposta]).toEqual([undefined, []]);
      numbers.push(...body.itens.map(({ id }) => Number(id.slice('stj:'.length))));
      cursor = body.proximo_cursor;
      if (cursor === null) return numbers;
    }
  }

  test('no search fails, and no page has a duplicate or a gap', async () => {
    const end = { isReached: false };
    const walks = { recentes: 0, relevancia: 0 };
    const walkOn = async (ordem: 'recentes' | 'relevancia') => {
      while (!end.isReached) {
        const numbers = await walk(ordem);
        const highest = Math.max(...numbers);
        expect(numbers.length).toBe(highest);
        expect(new Set(numbers).size).toBe(highest);
        if (ordem === 'recentes') expect(numbers).toEqual(numbers.toSorted((a, b) => b - a));
        walks[ordem] += 1;
      }
    };
    const records: number[] = [];
    const readOn = async () => {
      for (let at = 0; !end.isReached; at += 1) {
        const path = `stj:${at % 2 === 0 ? 1 + (at % BEFORE) : 9_999}`;
        const { status } = await cluster.get(cluster.front(at >> 1), path, key);
        if (status !== (at % 2 === 0 ? 200 : 404)) records.push(status);
      }
    };
    const traffic = Promise.all([walkOn('recentes'), walkOn('relevancia'), readOn()]);
    for (let at = 0; at < PUBLICATIONS; at += 1) {
      const from = BEFORE + at * MORE;
      loadLines(cluster.publisherDir, 'stj', [...lines(from, from + MORE), ...lines(at, at + 5, 'outra')]);
      await cluster.publishEverywhere();
      const haveWalked = () => Object.values(walks).every((count) => count > at);
      await Promise.race([until('both have walked', haveWalked), traffic]);
    }
    end.isReached = true;
    await traffic;
    expect(records).toEqual([]);
    expect((await walk('recentes')).length).toBe(BEFORE + PUBLICATIONS * MORE);
  });
});
