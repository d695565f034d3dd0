import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { searchBody } from './fake-service.ts';

const FOLDER = join(import.meta.dirname, '../../../src/tools/load');
const [SOURCE, BUILT_IN] = ['k6.js', 'built-in.txt'].map((name) =>
  readFileSync(join(FOLDER, name), 'utf8'),
) as [string, string];
const NONE: First = { pages: [], records: [] };

interface Asked {
  readonly url: string;
  readonly headers: Record<string, string>;
}
interface First {
  readonly pages: string[];
  readonly records: string[];
}
interface Script {
  readonly mix: (first: First) => void;
  readonly replay: () => void;
  readonly setup: () => First | null;
  readonly options: {
    scenarios: Partial<Record<'mix' | 'replay', Record<string, unknown>>>;
    thresholds: Record<string, string[]>;
  };
  readonly asked: Asked[];
  readonly slept: number[];
  readonly added: Record<string, unknown[]>;
}

/** Runs the script's own text with stand-ins for k6's modules; k6 itself is not installed for tests. */
function loadScript(
  environment: Record<string, string>,
  answer: { status: number; body: string; headers?: Record<string, string> },
  open = (file: string) => (file === 'built-in.txt' ? BUILT_IN : 'dano moral\n\nart. 7º\n'),
): Script {
  const asked: Asked[] = [];
  const added: Record<string, unknown[]> = {};
  class Metric {
    constructor(name: string) {
      added[name] = [];
      this.add = (value) => added[name]?.push(value);
    }
    add: (value: unknown) => void;
  }
  const get = (url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push({ url, headers });
    return {
      status: answer.status,
      headers: answer.headers ?? {},
      json: () => JSON.parse(answer.body) as unknown,
      timings: { duration: 12 },
    };
  };
  const check = (value: unknown, checks: Record<string, (value: unknown) => boolean>) =>
    Object.values(checks).every((one) => one(value));
  const body = SOURCE.replaceAll(/^import .*$/gmu, '')
    .replace('export default function mix', 'function mix')
    .replaceAll(/export function (?=setup|replay)/gu, 'function ')
    .replace('export const options', 'const options');
  // Called with `new`, and gives what it returns: k6's own is read like an array.
  function SharedArray(_: string, fill: () => unknown[]): unknown[] {
    return fill();
  }
  const exec = {
    scenario: {
      startTime: Date.now(),
      get iterationInTest() {
        return iteration++;
      },
    },
  };
  let iteration = 0;
  const names = [
    'http',
    'check',
    'SharedArray',
    'exec',
    'sleep',
    'Counter',
    'Rate',
    'Trend',
    '__ENV',
    'open',
  ];
  // The text is the project's own, and only this way its functions can be called without k6.
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function(...names, `${body}\nreturn { mix, options, replay, setup };`) as (
    ...values: unknown[]
  ) => Pick<Script, 'mix' | 'options' | 'replay' | 'setup'>;
  const slept: number[] = [];
  const sleep = (seconds: number) => slept.push(seconds);
  return {
    ...make({ get }, check, SharedArray, exec, sleep, Metric, Metric, Metric, environment, open),
    asked,
    added,
    slept,
  };
}

describe('the k6 script', () => {
  const body = searchBody({ bases_sem_resposta: [{ base: 'stj', tempo_esgotado: true }] });

  test('has a trend of each base of the contract', () => {
    const { added } = loadScript({ KEY: 'jur_x' }, { status: 200, body });
    expect(Object.keys(added)).toEqual(expect.arrayContaining(BASES.map((base) => `base_${base}`)));
  });

  test('asks for first pages, follows cursors and reads records, with the key in the header', () => {
    const { mix, asked } = loadScript({ KEY: 'jur_x', URL: 'http://127.0.0.1:9/' }, { status: 200, body });
    for (let at = 0; at < 300; at += 1) mix(NONE);
    const paths = asked.map(({ url }) => url.replace('http://127.0.0.1:9/v1/jurisprudencia/', ''));
    expect(paths.some((path) => /^busca\?q=[^ ]+&ordem=relevancia&limite=20$/u.test(path))).toBe(true);
    expect(paths.some((path) => path.endsWith('&cursor=c%2F1%2B2'))).toBe(true);
    expect(paths.filter((path) => path === 'stj:7' || path === 'tst:9').length).toBeGreaterThan(20);
    expect(new Set(asked.map(({ headers }) => headers['Authorization']))).toEqual(new Set(['Bearer jur_x']));
  });

  test('counts each base’s time, those unanswered, and the share of the slowest', () => {
    const { mix, added } = loadScript({ KEY: 'k', RECORDS: '0', FOLLOW: '0' }, { status: 200, body });
    mix(NONE);
    expect(added['base_tst']).toEqual([3]);
    expect(added['base_stj']).toEqual([]);
    expect(added['bases_sem_resposta']).toEqual([1]);
    expect(added['busca_completa']).toEqual([false]);
    expect(added['base_mais_lenta_parte']).toEqual([0.25]);
  });

  test('takes a rate, a time and a file of queries, which it asks in turn', () => {
    const environment = { KEY: 'k', RATE: '7', DURATION: '3s', QUERIES: 'q.txt', RECORDS: '0', FOLLOW: '0' };
    const { mix, options, asked } = loadScript(environment, { status: 200, body });
    const scenario = { executor: 'constant-arrival-rate', rate: 7, duration: '3s' };
    expect(options.scenarios.mix).toMatchObject(scenario);
    for (let at = 0; at < 4; at += 1) mix(NONE);
    const queries = asked.map(({ url }) => new URL(url).searchParams.get('q'));
    expect(queries).toEqual(['dano moral', 'art. 7º', 'dano moral', 'art. 7º']);
  });

  test('sends a recording at its own times, without faults of clients, and counts ids that are gone apart', () => {
    const line = (time: number, path: string, status = 200) =>
      `${JSON.stringify({ time, path: `/v1/jurisprudencia/${path}`, key: 1, status, ms: 1, data: null })}\n`;
    const recording =
      line(5_000, 'stj:7') +
      line(1_000, 'busca?q=a&cursor=c') +
      line(3_000, 'busca?q=', 400) +
      line(2_000, 'busca?q=b', 503);
    const environment = { KEY: 'k', URL: 'http://127.0.0.1:9', REPLAY: 'r.jsonl', SPEED: '2' };
    const script = loadScript(environment, { status: 404, body: '' }, () => recording);
    expect(script.options.scenarios).toEqual({
      replay: expect.objectContaining({
        executor: 'shared-iterations',
        iterations: 3,
        maxDuration: '62s',
      }) as unknown,
    });
    for (let at = 0; at < 3; at += 1) script.replay();
    const paths = script.asked.map(({ url }) => url.replace('http://127.0.0.1:9/v1/jurisprudencia/', ''));
    expect(paths).toEqual(['busca?q=a&cursor=c', 'busca?q=b', 'stj:7']);
    expect(script.slept.map((one) => Math.round(one * 10) / 10)).toEqual([0, 0.5, 2]);
    expect(script.added['ids_ausentes']).toEqual([1]);
    expect(script.added['busca_completa']).toEqual([false, false]);
  });

  test('has thresholds that fail a slow, an incomplete and a late run', () => {
    const { options } = loadScript({ KEY: 'k' }, { status: 200, body });
    expect(options.thresholds).toEqual({
      checks: ['rate>=0.99'],
      busca_completa: ['rate>=0.99'],
      http_req_duration: ['p(99)<=1000'],
      dropped_iterations: ['count==0'],
    });
    const own = loadScript({ KEY: 'k', P99_MS: '200', COMPLETE: '0.5' }, { status: 200, body });
    expect(own.options.thresholds).toMatchObject({
      busca_completa: ['rate>=0.5'],
      http_req_duration: ['p(99)<=200'],
    });
  });

  test('starts every counter at zero, and gives each VU its first pages and records', () => {
    const { setup, mix, added, asked } = loadScript({ KEY: 'k', RECORDS: '1' }, { status: 200, body });
    const first = setup();
    for (const name of ['recuos_a_recentes', 'bases_sem_resposta', 'sem_contagem'])
      expect(added[name], name).toEqual([0]);
    expect(first?.pages).toHaveLength(20);
    mix(first ?? NONE);
    expect(asked.at(-1)?.url).toMatch(/\/(?:stj:7|tst:9)$/u);
    expect(added['busca_completa']).toEqual([]);
  });

  test('counts searches that came entirely from the result cache', () => {
    const of = (timing: string) => {
      const answer = { status: 200, body, headers: { 'Server-Timing': timing } };
      const { mix, added } = loadScript({ KEY: 'k', RECORDS: '0', FOLLOW: '0' }, answer);
      mix(NONE);
      return added['do_cache'];
    };
    expect(of('tst;dur=1;cache=hit, stf;dur=1;cache=hit')).toEqual([true]);
    expect(of('tst;dur=1;cache=hit, stf;dur=1;cache=miss')).toEqual([false]);
    expect(of('tst;dur=1')).toEqual([]);
  });

  test('counts a refusal as no complete search, and reads nothing from it', () => {
    const { mix, added } = loadScript({ KEY: 'k' }, { status: 429, body: 'devagar' });
    mix(NONE);
    expect(added['busca_completa']).toEqual([false]);
  });

  test('refuses to start without a key', () => {
    expect(() => loadScript({}, { status: 200, body })).toThrow('which key?');
  });
});
