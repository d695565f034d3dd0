import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { hasNeeded } from '../../support/needed.ts';
import { coresOf } from './on-cores.ts';
import { interleaved, ratioOf, spreadText } from './cost.ts';
import { GENERATORS, runLoad } from './generator.ts';
import { growthPlot } from './pictures.ts';
import { fewer, queriesOf } from './queries.ts';

const cost = (cpuMs: number) => ({ cpuMs, wallMs: 2 * cpuMs });

describe('a comparison', () => {
  test('runs all sides in each round, in reverse order every second round', async () => {
    const ran: string[] = [];
    const side = (name: string) => {
      const run = (round: number) => (ran.push(name + round), cost(round + 1));
      return { name, run };
    };
    const found = await interleaved(3, [side('a'), side('b')]);
    expect(ran).toEqual(['a0', 'b0', 'b1', 'a1', 'a2', 'b2']);
    const costs = [1, 2, 3].map(cost);
    expect(found).toEqual([costs, costs]);
  });

  test('gives the ratio of each round, with the lowest and the highest', () => {
    const ratio = ratioOf([1, 20, 9].map(cost), [2, 10, 3].map(cost));
    expect(ratio).toEqual({ median: 2, least: 0.5, most: 3 });
    expect(spreadText(ratio, ' ms')).toBe('2.00 ms (0.500-3.00)');
  });
});

describe('the cores', () => {
  test.each([
    ['0', [0]],
    ['0-3', [0, 1, 2, 3]],
    ['1,4-5,64', [1, 4, 5, 64]],
  ])('of the list %s are %j', (list, cores) => {
    expect(coresOf(list)).toEqual(cores);
  });
});

describe('the queries', () => {
  const all = queriesOf();

  test('are of each kind, of the length they claim, and all different', () => {
    const { prefixes, phrases, nears, rare, ordinary, twoCommon } = all;
    expect(prefixes.map((texts) => new Set(texts.map(({ length }) => length)))).toEqual(
      [2, 3, 4, 5, 6, 7].map((length) => new Set([length])),
    );
    for (const kind of [...prefixes, phrases, nears, rare, ordinary]) {
      expect(kind.length).toBeGreaterThan(0);
      expect(new Set(kind).size).toBe(kind.length);
    }
    expect(twoCommon.split(' ')).toHaveLength(2);
  });

  test('are sampled from each whole list, with every kind kept', () => {
    const some = fewer(all, 3);
    expect(fewer(all, 1_000)).toEqual(all);
    for (const kind of ['users', 'ordinary', 'rare', 'phrases', 'nears'] as const) {
      expect(some[kind].length).toBeGreaterThan(1);
      expect(some[kind].length).toBeLessThanOrEqual(3);
      expect(all[kind].indexOf(some[kind].at(-1) ?? '')).toBeGreaterThan(all[kind].length / 2);
    }
    expect(some.prefixes.map(({ length }) => length)).toEqual(all.prefixes.map(() => 3));
  });
});

describe('the load generator', () => {
  let server: Bun.Server<undefined>;
  beforeAll(() => {
    server = Bun.serve({
      port: 0,
      hostname: '127.0.0.1',
      fetch: (request) => {
        const { pathname } = new URL(request.url);
        const missing = pathname === '/missing' ? '{"base":"stj"}' : '';
        const ordem = pathname === '/fallback' ? 'recentes' : 'relevancia';
        const body = `{"itens":[],"por_base":[{"ordem_aplicada":"${ordem}"}],"bases_sem_resposta":[${missing}]}`;
        return new Response(body, { status: pathname === '/refused' ? 429 : 200 });
      },
    });
  });
  afterAll(() => server.stop(true));

  for (const generator of GENERATORS) {
    const isThere = generator === 'own' || hasNeeded(generator, Bun.which(generator) !== null);
    test.skipIf(!isThere)(`${generator} counts incomplete answers`, async () => {
      const wish = { url: server.url.href, connections: 2, seconds: 0.2, generator };
      const load = (path: string, byRelevance = false) => runLoad({ ...wish, asks: [{ path }], byRelevance });
      const whole = await load('/whole', true);
      expect(whole.requests).toBeGreaterThan(0);
      expect(whole.failed).toBe(0);
      expect(whole.generatorCpuMs).toBeGreaterThan(0);
      for (const path of ['/missing', '/refused']) {
        const { failed, requests } = await load(path);
        expect(failed / requests).toBeGreaterThan(0.9);
      }
      expect((await load('/fallback')).failed).toBe(0);
      expect((await load('/fallback', true)).failed).toBeGreaterThan(0);
    });
  }
});

describe('a plot', () => {
  test('has no two names of lines over each other, and follows the theme', () => {
    const cell = { p50Ms: 1, p99Ms: 1, cpuMs: 1, requests: 1 };
    const cells = [1_000, 10_000].map((decisions) => Object.assign({ decisions }, cell));
    const svg = growthPlot({ recency: cells, 'record read': cells });
    const places = [...svg.matchAll(/ y="([\d.]+)"[^>]*>(?:recency|record read)</gu)];
    const [first, second] = places.map(([, y]) => Number(y));
    expect(Math.abs((first ?? 0) - (second ?? 0))).toBeGreaterThan(10);
    expect(svg).toContain('prefers-color-scheme: dark');
  });
});
