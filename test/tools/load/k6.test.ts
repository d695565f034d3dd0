import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { searchBody } from './fake-service.ts';

const FOLDER = join(import.meta.dirname, '../../../src/tools/load');
const [SOURCE = '', BUILT_IN = ''] = ['k6.js', 'built-in.txt'].map((name) =>
  readFileSync(join(FOLDER, name), 'utf8'),
);
const ROUTE = 'http://127.0.0.1:9/v1/jurisprudencia/';
const BODY = searchBody({ bases_sem_resposta: [{ base: 'stj', tempo_esgotado: true }] });

interface First {
  readonly pages: string[];
  readonly records: string[];
}
interface Exported {
  readonly mix: (first: First) => void;
  readonly replay: () => void;
  readonly setup: () => First | null;
  readonly options: {
    scenarios: Partial<Record<'mix' | 'replay', Record<string, unknown>>>;
    thresholds: Record<string, string[]>;
  };
}

/**
 * Runs the script's own text with stand-ins for k6's modules; k6 itself is not installed for tests.
 * @param file of `open`, but for the built-in list.
 */
function loadScript(
  environment: Record<string, string> = {},
  { status = 200, body = BODY, headers = {}, file = '' } = {},
) {
  const asked: string[] = [];
  const keys = new Set<string | undefined>();
  const slept: number[] = [];
  const added: Record<string, unknown[]> = {};
  function Metric(name: string) {
    added[name] = [];
    return { add: (value: unknown) => added[name]?.push(value) };
  }
  const get = (url: string, { headers: sent }: { headers: Record<string, string> }) => {
    asked.push(url.replace(ROUTE, ''));
    keys.add(sent['Authorization']);
    return { status, headers, json: () => JSON.parse(body) as unknown };
  };
  let iteration = 0;
  const scenario = { startTime: Date.now(), iterationInTest: 0 };
  Object.defineProperty(scenario, 'iterationInTest', { get: () => iteration++ });
  const modules = {
    http: { get },
    check: (value: unknown, checks: Record<string, (value: unknown) => boolean>) =>
      Object.values(checks).every((one) => one(value)),
    // Called with `new`, and gives what it returns: k6's own is read like an array.
    SharedArray: function SharedArray(_: string, fill: () => unknown[]) {
      return fill();
    },
    exec: { scenario },
    sleep: (seconds: number) => slept.push(Math.round(seconds * 10) / 10),
    Counter: Metric,
    Rate: Metric,
    Trend: Metric,
    __ENV: { KEY: 'jur_x', URL: 'http://127.0.0.1:9/', ...environment },
    open: (name: string) => (name === 'built-in.txt' ? BUILT_IN : file),
  };
  const text = SOURCE.replaceAll(/^import .*$/gmu, '').replaceAll(/^export (?:default )?/gmu, '');
  // The text is the project's own, and only this way its functions can be called without k6.
  // oxlint-disable-next-line typescript/no-implied-eval
  const make = new Function(...Object.keys(modules), `${text}\nreturn { mix, options, replay, setup };`) as (
    ...values: unknown[]
  ) => Exported;
  const script = make(...Object.values(modules));
  const send = (count: number, first: First = { pages: [], records: [] }) => {
    for (let at = 0; at < count; at += 1) script.mix(first);
  };
  return { ...script, asked, keys, slept, added, send };
}

const ONLY_FIRST_PAGES = { RECORDS: '0', FOLLOW: '0' };

describe('the k6 script', () => {
  test('asks for first pages, follows cursors and reads records, with the key in the header', () => {
    const { send, asked, keys } = loadScript();
    send(300);
    expect(asked.some((path) => /^busca\?q=[^ ]+&ordem=relevancia&limite=20$/u.test(path))).toBe(true);
    expect(asked.some((path) => path.endsWith('&cursor=c%2F1%2B2'))).toBe(true);
    expect(asked.filter((path) => path === 'stj:7' || path === 'tst:9').length).toBeGreaterThan(20);
    expect(keys).toEqual(new Set(['Bearer jur_x']));
  });

  test('counts each base’s time, those unanswered, and whole answers of the result cache', () => {
    const cached = (timing: string) => {
      const { send, added } = loadScript(ONLY_FIRST_PAGES, { headers: { 'Server-Timing': timing } });
      send(1);
      return added;
    };
    expect(cached('tst;dur=1;cache=hit, stf;dur=1;cache=hit')).toMatchObject({
      ...Object.fromEntries(BASES.map((base) => [`base_${base}`, base === 'stj' ? [] : [3]])),
      bases_sem_resposta: [1],
      busca_completa: [false],
      do_cache: [true],
    });
    expect(cached('tst;dur=1;cache=hit, stf;dur=1;cache=miss')).toMatchObject({ do_cache: [false] });
    expect(cached('tst;dur=1')).toMatchObject({ do_cache: [] });
  });

  test('takes a rate, a time and a file of queries, which it asks in turn', () => {
    const environment = { ...ONLY_FIRST_PAGES, RATE: '7', DURATION: '3s', QUERIES: 'q.txt' };
    const { send, options, asked } = loadScript(environment, { file: 'dano moral\n\nart. 7º\n' });
    const scenario = { executor: 'constant-arrival-rate', rate: 7, duration: '3s' };
    expect(options.scenarios.mix).toMatchObject(scenario);
    send(3);
    const queries = asked.map((path) => new URLSearchParams(path.split('?')[1]).get('q'));
    expect(queries).toEqual(['dano moral', 'art. 7º', 'dano moral']);
  });

  test('sends a recording at its own times, without faults of clients, and counts ids that no longer exist separately', () => {
    const line = (time: number, path: string, status = 200) =>
      `${JSON.stringify({ time, path: `/v1/jurisprudencia/${path}`, key: 1, status, ms: 1, data: null })}\n`;
    const file =
      line(5_000, 'stj:7') +
      line(1_000, 'busca?q=a&cursor=c', 429) +
      line(3_000, 'busca?q=', 400) +
      line(2_000, 'busca?q=b', 503);
    const script = loadScript({ REPLAY: 'r.jsonl', SPEED: '2' }, { status: 404, body: '', file });
    expect(Object.keys(script.options.scenarios)).toEqual(['replay']);
    const scenario = { executor: 'shared-iterations', iterations: 3, maxDuration: '62s' };
    expect(script.options.scenarios.replay).toMatchObject(scenario);
    for (let at = 0; at < 3; at += 1) script.replay();
    expect(script.asked).toEqual(['busca?q=a&cursor=c', 'busca?q=b', 'stj:7']);
    expect(script.slept).toEqual([0, 0.5, 2]);
    expect(script.added).toMatchObject({ ids_ausentes: [1], busca_completa: [false, false] });
  });

  test('has thresholds that fail a slow, an incomplete and a late run', () => {
    expect(loadScript({ P99_MS: '200', COMPLETE: '0.5' }).options.thresholds).toEqual({
      checks: ['rate>=0.5'],
      busca_completa: ['rate>=0.5'],
      http_req_duration: ['p(99)<=200'],
      dropped_iterations: ['count==0'],
    });
  });

  test('starts every counter at zero, and gives each VU its first pages and records', () => {
    const { setup, send, added, asked } = loadScript({ RECORDS: '1' });
    const first = setup()!;
    expect(added).toMatchObject({ bases_sem_resposta: [0], ids_ausentes: [0] });
    expect(first.pages).toHaveLength(20);
    send(1, first);
    expect(asked.at(-1)).toMatch(/^(?:stj:7|tst:9)$/u);
  });

  test('counts a refusal as no complete search, and does not start without a key', () => {
    const { send, added } = loadScript({}, { status: 429, body: 'devagar' });
    send(1);
    expect(added['busca_completa']).toEqual([false]);
    expect(() => loadScript({ KEY: '' })).toThrow('which key?');
  });
});
