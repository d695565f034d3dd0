/*
 * The load tester's mix for k6 (https://k6.io): first pages, pages that follow a cursor, records. With REPLAY, what
 * SEARCH_LOG recorded instead, at its own times; next pages are sent with the recorded cursors, since VUs share nothing.
 * Files have absolute paths, or paths from this script's folder.
 *
 *   k6 run -e URL=http://127.0.0.1:3000 -e KEY=jur_… -e RATE=50 -e DURATION=30s src/tools/load/k6.js
 *   k6 run -e URL=http://127.0.0.1:3000 -e KEY=jur_… -e REPLAY=/path/searches.jsonl -e SPEED=2 src/tools/load/k6.js
 *
 * Thresholds fail the run (k6 exits with 99): -e P99_MS=1000 -e COMPLETE=0.99. -e LIMITE, ORDEM, FOLLOW, RECORDS, VUS and
 * VUS_MAX set the rest.
 *
 * Arrivals are open (constant-arrival-rate), but k6 counts a request's time from its real start. An iteration without
 * a free VU is dropped, and only dropped_iterations shows it. `bun run load` counts from the intended start.
 */
import http from 'k6/http';
import { check, sleep } from 'k6';
import { SharedArray } from 'k6/data';
import exec from 'k6/execution';
import { Counter, Rate, Trend } from 'k6/metrics';

const URL_BASE = (__ENV.URL || 'http://127.0.0.1:3000').replace(/\/+$/, '');
const FOLLOW = Number(__ENV.FOLLOW || 0.2);
const RECORDS = Number(__ENV.RECORDS || 0.2);
const LIMITE = Number(__ENV.LIMITE || 20);
/** Minimum fraction of good searches and checks, and maximum 99th percentile. */
const COMPLETE = Number(__ENV.COMPLETE || 0.99);
const P99_MS = Number(__ENV.P99_MS || 1000);
const ORDEM = __ENV.ORDEM || 'relevancia';
const ROUTE = `${URL_BASE}/v1/jurisprudencia`;
const BASES = ['tst', 'stf', 'stj', 'tjmg', 'trt3', 'eproc'];
/** Cursors and ids that a VU keeps, and the searches from which each has its first ones. */
const POOL_MAX = 200;
const FIRST_SEARCHES = 20;

/*
 * Query strings of first pages, sent in turn: those of a file with one q a line, as in `--queries`, or the built-in list, so
 * short that most answers come from the result cache (do_cache).
 */
const SEARCHES = new SharedArray('searches', () =>
  __ENV.QUERIES
    ? linesOf(__ENV.QUERIES).map((q) => `q=${encodeURIComponent(q)}`)
    : linesOf('built-in.txt').map(encodeURI),
);

const SPEED = Number(__ENV.SPEED || 1);
/** The recording's requests without faults of clients (4xx but 429), in the order of arrival; empty without one. */
const RECORDED = __ENV.REPLAY ? new SharedArray('recording', () => recorded(linesOf(__ENV.REPLAY))) : [];

if (!__ENV.KEY) throw new Error('which key? give it with -e KEY=…');

export const options = {
  scenarios: RECORDED.length > 0 ? { replay: replayScenario() } : { mix: mixScenario() },
  thresholds: {
    checks: [`rate>=${COMPLETE}`],
    busca_completa: [`rate>=${COMPLETE}`],
    http_req_duration: [`p(99)<=${P99_MS}`],
    // A request that k6 could not start, or started late, is in no time that it measures.
    ...(RECORDED.length > 0 ? { atraso: ['p(99)<=100'] } : { dropped_iterations: ['count==0'] }),
  },
  summaryTrendStats: ['count', 'p(50)', 'p(90)', 'p(99)', 'p(99.9)', 'max'],
};

function mixScenario() {
  return {
    executor: 'constant-arrival-rate',
    rate: Number(__ENV.RATE || 50),
    timeUnit: '1s',
    duration: __ENV.DURATION || '30s',
    preAllocatedVUs: Number(__ENV.VUS || 100),
    maxVUs: Number(__ENV.VUS_MAX || 1000),
  };
}

/* Each VU takes the next request and sleeps until it is due. */
function replayScenario() {
  const lastS = Math.ceil(RECORDED[RECORDED.length - 1].dueMs / 1000);
  return {
    executor: 'shared-iterations',
    exec: 'replay',
    vus: Math.min(RECORDED.length, Number(__ENV.VUS || 100)),
    iterations: RECORDED.length,
    maxDuration: `${lastS + 60}s`,
  };
}

/* Those of a file that are not empty; k6 looks for it from this script's folder. */
function linesOf(file) {
  return open(file)
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

function recorded(texts) {
  const lines = texts
    .map((text) => JSON.parse(text))
    .filter(({ status }) => status < 400 || status === 429 || status >= 500)
    // oxlint-disable-next-line unicorn/no-array-sort -- older versions of k6 have no toSorted
    .sort((a, b) => a.time - b.time);
  return lines.map(({ time, path }) => ({ dueMs: (time - lines[0].time) / SPEED, path }));
}

const complete = new Rate('busca_completa');
const unanswered = new Counter('bases_sem_resposta');
const fromCache = new Rate('do_cache');
const late = new Trend('atraso', true);
const gone = new Counter('ids_ausentes');
const baseTime = Object.fromEntries(BASES.map((base) => [base, new Trend(`base_${base}`, true)]));
const headers = { Authorization: `Bearer ${__ENV.KEY}` };

/* Each VU has its own: k6 shares nothing between VUs. */
const pages = [];
const records = [];

/* A counter to which nothing was added is missing in the summary. */
export function setup() {
  for (const counter of [unanswered, gone]) counter.add(0);
  if (RECORDED.length > 0) return null;
  for (const query of SEARCHES.slice(0, FIRST_SEARCHES)) {
    const answer = http.get(`${ROUTE}/busca?${firstPage(query)}`, { headers });
    if (answer.status === 200) learn(firstPage(query), answer.json());
  }
  return { pages, records };
}

/* @param first the pages and records of `setup`, without which a VU would begin with first pages alone. */
export default function mix(first) {
  if (pages.length === 0 && records.length === 0) {
    for (const page of first.pages) keep(pages, page);
    for (const record of first.records) keep(records, record);
  }
  if (Math.random() < RECORDS && records.length > 0) readRecord();
  else if (Math.random() < FOLLOW && pages.length > 0) search(takePage(), 'pagina');
  else search(firstPage(SEARCHES[exec.scenario.iterationInTest % SEARCHES.length]), 'busca');
}

export function replay() {
  const { dueMs, path } = RECORDED[exec.scenario.iterationInTest];
  const dueAt = exec.scenario.startTime + dueMs;
  sleep(Math.max(0, dueAt - Date.now()) / 1000);
  late.add(Math.max(0, Date.now() - dueAt));
  const [route, query] = path.split('?');
  if (route.endsWith('/busca')) search(query, /(^|&)cursor=/.test(query) ? 'pagina' : 'busca');
  else read(`${URL_BASE}${path}`);
}

function firstPage(query) {
  return `${query}&ordem=${ORDEM}&limite=${LIMITE}`;
}

function takePage() {
  return pages.splice(Math.floor(Math.random() * pages.length), 1)[0];
}

function search(query, name) {
  const answer = http.get(`${ROUTE}/busca?${query}`, { headers, tags: { name } });
  if (!check(answer, { 'status 200': ({ status }) => status === 200 })) {
    complete.add(false);
    return;
  }
  const timing = answer.headers['Server-Timing'] || '';
  if (timing.includes('cache=')) fromCache.add(!timing.includes('cache=miss'));
  const found = answer.json();
  const { por_base, bases_sem_resposta } = found;
  complete.add(bases_sem_resposta.length === 0);
  const absent = bases_sem_resposta.map(({ base }) => base);
  for (const base of absent) unanswered.add(1, { base });
  for (const { base, ms, ordem_aplicada: ordem } of por_base)
    if (!absent.includes(base) && baseTime[base] !== undefined) baseTime[base].add(ms, { ordem });
  learn(query, found);
}

/* Keeps the cursor of an answer, and one of its ids. */
function learn(query, { itens, proximo_cursor }) {
  const [first] = query.split('&cursor=');
  if (proximo_cursor !== null) keep(pages, `${first}&cursor=${encodeURIComponent(proximo_cursor)}`);
  if (itens.length > 0) keep(records, itens[Math.floor(Math.random() * itens.length)].id);
}

function readRecord() {
  read(`${ROUTE}/${records[Math.floor(Math.random() * records.length)]}`);
}

function read(url) {
  const answer = http.get(url, { headers, tags: { name: 'decisao' } });
  // Recorded, and gone since.
  if (RECORDED.length > 0 && answer.status === 404) gone.add(1);
  else check(answer, { 'status 200': ({ status }) => status === 200 });
}

function keep(kept, one) {
  if (kept.length < POOL_MAX) kept.push(one);
  else kept[Math.floor(Math.random() * POOL_MAX)] = one;
}
