/*
 * The load tester's mix for k6 (https://k6.io): first pages, pages that follow a cursor, records.
 *
 *   k6 run -e URL=http://127.0.0.1:3000 -e KEY=jur_… -e RATE=50 -e DURATION=30s src/tools/load/k6.js
 *
 * Thresholds fail the run (k6 exits with 99): -e P99_MS=1000 -e COMPLETE=0.99. The summary has the counters of the bases,
 * also zeros. -e LIMITE, ORDEM, FOLLOW, RECORDS, VUS and VUS_MAX set the rest.
 *
 * Arrivals are open (constant-arrival-rate), but k6 counts a request's time from its real start. An iteration without
 * a free VU is dropped, and only dropped_iterations shows it. `bun run load` counts from the intended start.
 */
import http from 'k6/http';
import { check } from 'k6';
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
/** Cursors and ids that a VU keeps. */
const POOL_MAX = 200;

const BUILT_IN = [
  'dano moral',
  'horas extras',
  'responsabilidade subsidiária administração pública',
  'aposentadoria por invalidez',
  'plano de saúde negativa de cobertura',
  'execução fiscal prescrição intercorrente',
  'prisão preventiva fundamentação',
  'recurso',
  'enfiteuse laudêmio',
  '"boa-fé objetiva"',
  '"tutela de urgência" AND (medicamento OR cirurgia)',
  'indeniz*',
];

/*
 * One q a line, as in `--queries`, sent in turn: -e QUERIES=/path/to/queries.txt. Without a file a dozen queries repeat,
 * and most answers come from the result cache (do_cache).
 */
const QUERIES = __ENV.QUERIES
  ? new SharedArray('queries', () =>
      open(__ENV.QUERIES)
        .split(/\r?\n/)
        .map((line) => line.trim())
        .filter((line) => line !== ''),
    )
  : BUILT_IN;

if (!__ENV.KEY) throw new Error('which key? give it with -e KEY=…');

export const options = {
  scenarios: {
    mix: {
      executor: 'constant-arrival-rate',
      rate: Number(__ENV.RATE || 50),
      timeUnit: '1s',
      duration: __ENV.DURATION || '30s',
      preAllocatedVUs: Number(__ENV.VUS || 100),
      maxVUs: Number(__ENV.VUS_MAX || 1000),
    },
  },
  thresholds: {
    checks: [`rate>=${COMPLETE}`],
    busca_completa: [`rate>=${COMPLETE}`],
    http_req_duration: [`p(99)<=${P99_MS}`],
    // A request that k6 could not start is in no time that it measures.
    dropped_iterations: ['count==0'],
  },
  summaryTrendStats: ['count', 'p(50)', 'p(90)', 'p(99)', 'p(99.9)', 'max'],
};

const complete = new Rate('busca_completa');
const fallbacks = new Counter('recuos_a_recentes');
const unanswered = new Counter('bases_sem_resposta');
const uncounted = new Counter('sem_contagem');
const slowestShare = new Trend('base_mais_lenta_parte');
const fromCache = new Rate('do_cache');
const baseTime = Object.fromEntries(BASES.map((base) => [base, new Trend(`base_${base}`, true)]));
const headers = { Authorization: `Bearer ${__ENV.KEY}` };

/* A counter to which nothing was added is missing in the summary. */
export function setup() {
  for (const counter of [fallbacks, unanswered, uncounted]) counter.add(0);
}

/* Each VU has its own: k6 shares nothing between VUs. */
const pages = [];
const records = [];

export default function mix() {
  if (Math.random() < RECORDS && records.length > 0) readRecord();
  else if (Math.random() < FOLLOW && pages.length > 0) search(takePage(), 'pagina');
  else search(firstPage(), 'busca');
}

function firstPage() {
  const at = __ENV.QUERIES ? exec.scenario.iterationInTest : Math.floor(Math.random() * QUERIES.length);
  const q = QUERIES[at % QUERIES.length];
  return `q=${encodeURIComponent(q)}&ordem=${ORDEM}&limite=${LIMITE}`;
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
  const { itens, por_base, bases_sem_resposta, proximo_cursor } = answer.json();
  complete.add(bases_sem_resposta.length === 0);
  for (const { base } of bases_sem_resposta) unanswered.add(1, { base });
  measureBases(por_base, bases_sem_resposta, name, answer.timings.duration);
  const [first] = query.split('&cursor=');
  if (proximo_cursor !== null) keep(pages, `${first}&cursor=${encodeURIComponent(proximo_cursor)}`);
  if (itens.length > 0) keep(records, itens[Math.floor(Math.random() * itens.length)].id);
}

function measureBases(por_base, missing, name, tookMs) {
  const absent = new Set(missing.map(({ base }) => base));
  for (const { base, ms, ordem_aplicada, encontrados_ate_1000 } of por_base) {
    if (absent.has(base)) continue;
    if (baseTime[base] !== undefined) baseTime[base].add(ms, { ordem: ordem_aplicada });
    if (name !== 'busca') continue;
    if (ORDEM === 'relevancia' && ordem_aplicada === 'recentes') fallbacks.add(1, { base });
    if (encontrados_ate_1000 === undefined) uncounted.add(1, { base });
  }
  const slowest = Math.max(0, ...por_base.map(({ ms }) => ms));
  if (tookMs > 0 && por_base.length > 0) slowestShare.add(Math.min(1, slowest / tookMs));
}

function readRecord() {
  const id = records[Math.floor(Math.random() * records.length)];
  const answer = http.get(`${ROUTE}/${id}`, { headers, tags: { name: 'decisao' } });
  check(answer, { 'status 200': ({ status }) => status === 200 });
}

function keep(kept, one) {
  if (kept.length < POOL_MAX) kept.push(one);
  else kept[Math.floor(Math.random() * POOL_MAX)] = one;
}
