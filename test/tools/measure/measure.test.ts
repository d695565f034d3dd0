import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HttpClient } from '../../../src/tools/load/http-client.ts';
import { searchEnd } from '../../../src/tools/load/answer.ts';
import { verdictOf, closedLoop, openLoop } from './load.ts';
import { ownPort } from '../../support/own-port.ts';
import { TABLE_WIDTH, machineText, paragraph, table } from './report.ts';
import { percentile, settledAfter } from './stats.ts';

describe('the load generator', () => {
  const POR_BASE = { base: 'stj', ordem_aplicada: 'recentes', ms: 3 };
  const BODY =
    `{"itens":[],"por_base":[${JSON.stringify(POR_BASE)}],"bases_sem_resposta":[],` +
    `"proximo_cursor":null,"x":"${'é'.repeat(40_000)}"}`;
  let server: Bun.Server<undefined>;
  /** What `/held` waits for. */
  const held = Promise.withResolvers<undefined>();
  beforeAll(() => {
    server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: serve });
  });
  afterAll(() => server.stop(true));

  async function serve(request: Request): Promise<Response> {
    const { pathname } = new URL(request.url);
    if (pathname === '/held') await held.promise;
    if (pathname === '/missing') {
      return new Response(
        '{"itens":[],"por_base":[],"bases_sem_resposta":[{"base":"stj"}],"proximo_cursor":null}',
      );
    }
    return new Response(BODY, { status: pathname === '/refused' ? 429 : 200 });
  }

  test('counts requests that it could not send in time, and keeps to its connections', async () => {
    using client = new HttpClient(server.url.href, 2);
    let due = 0;
    const next = () => {
      due += 1;
      // Both connections are busy until the last request is due.
      if (due === 50) held.resolve(undefined);
      return { path: '/held' };
    };
    const samples = await openLoop(client, { perSecond: 200, seconds: 0.25, next, patienceMs: 1 });
    const verdicts = samples.map(verdictOf);
    expect(verdicts).toHaveLength(50);
    expect(verdicts.slice(0, 2)).toEqual(['complete', 'complete']);
    expect(verdicts[2]).toBe('unsent');
  });

  test('counts complete searches, searches that lack a base, refusals and lost answers separately', async () => {
    using client = new HttpClient(server.url.href, 1);
    const left = ['/whole', '/missing', '/refused'].map((path) => ({ path }));
    const samples = await closedLoop(client, 1, () => left.shift() ?? null);
    expect(samples.map(verdictOf)).toEqual(['complete', 'incomplete', 'status 429']);
    const [{ result }] = samples as [(typeof samples)[number]];
    expect(typeof result === 'object' && searchEnd(result).por_base).toEqual([POR_BASE]);
    using nobody = new HttpClient(`http://127.0.0.1:${ownPort()}`, 1);
    expect(verdictOf(await nobody.send({ path: '/' }))).toBe('connect');
  });
});

describe('the figures', () => {
  test('percentiles are by nearest rank, with a lost answer as the greatest', () => {
    const values = [4, 1, Number.POSITIVE_INFINITY, 3, 2];
    expect([0.2, 0.5, 0.8, 0.99].map((share) => percentile(values, share))).toEqual([1, 3, 4, Infinity]);
    expect(percentile([], 0.5)).toBeNaN();
  });

  test('rest begins after several quiet slices in a row, not after a single one', () => {
    const slices = [1, 0, 1, 0, 0, 0].map((figure, at) => ({ from: 100 * at, to: 100 * at + 100, figure }));
    expect(settledAfter(slices, 0.05, 1)).toBe(100);
    expect(settledAfter(slices, 0.05, 3)).toBe(300);
    expect(settledAfter(slices, 0.05, 4)).toBe(Infinity);
  });

  test('a table keeps to its width with any cell', () => {
    const long = 'word '.repeat(30) + 'x'.repeat(100);
    const rows = [
      { measure: long, aim: '<= +50 ms', reached: long, ok: false },
      { measure: '  short', aim: '', reached: '1 ms', ok: null },
    ];
    const lines = table([['name', { rows }]]).split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(TABLE_WIDTH);
    expect(lines.filter((line) => line.endsWith('NOT'))).toHaveLength(1);
    expect(lines.at(-1)).toMatch(/^ {2}short +1 ms$/);
  });

  test('the line about the machine keeps to that width with any processor and kernel name', () => {
    const processor = `Intel(R) Xeon(R) Platinum ${'x'.repeat(100)} CPU @ 2.70GHz`;
    const text = machineText().replace(/\(.*?\)/u, `(${processor})`);
    const lines = paragraph(`${text}; load generator: own`).split('\n');
    for (const line of lines) expect(line.length).toBeLessThanOrEqual(TABLE_WIDTH);
    expect(lines.join('').replaceAll(' ', '')).toBe(`${text}; load generator: own`.replaceAll(' ', ''));
  });
});
