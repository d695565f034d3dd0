import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { searchBody } from './fake-service.ts';

const SOURCE = readFileSync(join(import.meta.dirname, '../../../src/tools/load/k6.js'), 'utf8');

interface Asked {
  readonly url: string;
  readonly headers: Record<string, string>;
}
interface Script {
  readonly mix: () => void;
  readonly setup: () => void;
  readonly options: { scenarios: { mix: Record<string, unknown> }; thresholds: Record<string, string[]> };
  readonly asked: Asked[];
  readonly added: Record<string, unknown[]>;
}

/** Runs the script's own text with stand-ins for k6's modules: k6 itself is no package that could be installed. */
function loadScript(
  environment: Record<string, string>,
  answer: { status: number; body: string; headers?: Record<string, string> },
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
    .replace('export function setup', 'function setup')
    .replace('export const options', 'const options');
  // Called with `new`, and gives what it returns: k6's own is read like an array.
  function SharedArray(_: string, make: () => string[]): string[] {
    return make();
  }
  const exec = {
    scenario: {
      get iterationInTest() {
        return iteration++;
      },
    },
  };
  let iteration = 0;
  const names = ['http', 'check', 'SharedArray', 'exec', 'Counter', 'Rate', 'Trend', '__ENV', 'open'];
  // The text is the project's own, and only this way its functions can be called without k6.
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function(...names, `${body}\nreturn { mix, options, setup };`) as (
    ...values: unknown[]
  ) => Pick<Script, 'mix' | 'options' | 'setup'>;
  const open = () => 'dano moral\n\nart. 7º\n';
  return {
    ...make({ get }, check, SharedArray, exec, Metric, Metric, Metric, environment, open),
    asked,
    added,
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
    for (let at = 0; at < 300; at += 1) mix();
    const paths = asked.map(({ url }) => url.replace('http://127.0.0.1:9/v1/jurisprudencia/', ''));
    expect(paths.some((path) => /^busca\?q=[^&]+&ordem=relevancia&limite=20$/u.test(path))).toBe(true);
    expect(paths.some((path) => path.endsWith('&cursor=c%2F1%2B2'))).toBe(true);
    expect(paths.filter((path) => path === 'stj:7' || path === 'tst:9').length).toBeGreaterThan(20);
    expect(new Set(asked.map(({ headers }) => headers['Authorization']))).toEqual(new Set(['Bearer jur_x']));
  });

  test('counts each base’s time, those unanswered, and the share of the slowest', () => {
    const { mix, added } = loadScript({ KEY: 'k', RECORDS: '0', FOLLOW: '0' }, { status: 200, body });
    mix();
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
    for (let at = 0; at < 4; at += 1) mix();
    const queries = asked.map(({ url }) => new URL(url).searchParams.get('q'));
    expect(queries).toEqual(['dano moral', 'art. 7º', 'dano moral', 'art. 7º']);
  });

  test('has thresholds that a slow, an incomplete and a late run does not keep', () => {
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

  test('starts every counter at zero, so that it is in the summary whatever happens', () => {
    const { setup, added } = loadScript({ KEY: 'k' }, { status: 200, body });
    setup();
    for (const name of ['recuos_a_recentes', 'bases_sem_resposta', 'sem_contagem'])
      expect(added[name], name).toEqual([0]);
  });

  test('tells which searches came whole from the result cache', () => {
    const of = (timing: string) => {
      const answer = { status: 200, body, headers: { 'Server-Timing': timing } };
      const { mix, added } = loadScript({ KEY: 'k', RECORDS: '0', FOLLOW: '0' }, answer);
      mix();
      return added['do_cache'];
    };
    expect(of('tst;dur=1;cache=hit, stf;dur=1;cache=hit')).toEqual([true]);
    expect(of('tst;dur=1;cache=hit, stf;dur=1;cache=miss')).toEqual([false]);
    expect(of('tst;dur=1')).toEqual([]);
  });

  test('counts a refusal as no complete search, and reads nothing from it', () => {
    const { mix, added } = loadScript({ KEY: 'k' }, { status: 429, body: 'devagar' });
    mix();
    expect(added['busca_completa']).toEqual([false]);
  });

  test('refuses to start without a key', () => {
    expect(() => loadScript({}, { status: 200, body })).toThrow('which key?');
  });
});
