import { SpanKind, SpanStatusCode } from '@opentelemetry/api';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import type { SearchPage } from '../../../src/search/page.ts';
import type { NodeAsk, Step } from '../../../src/engine/steps.ts';
import type { RequestNotes } from '../../../src/http/observer.ts';
import { notesOf, stepOf } from '../support-notes.ts';
import { requestSpans } from '../../../src/observe/traces/request-spans.ts';

const BUSCA_URL = 'http://x/v1/jurisprudencia/busca?q=dano+moral';
/** Read once, so that all spans of a test are apart by what it says. */
const NOW = performance.now();

/** The spans of one answer, by name; of each its status and how long it took, in whole milliseconds. */
function spansOf(notes: Partial<RequestNotes>, status = 200, url = BUSCA_URL) {
  const exporter = new InMemorySpanExporter();
  // The machine's own OTEL_TRACES_SAMPLER would count where none is given.
  const sampler = new AlwaysOnSampler();
  const provider = new BasicTracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const startedAt = NOW - 2_000;
  const record = requestSpans(provider.getTracer('teste'), true);
  record(notesOf({ requestId: 'pedido-12345', startedAt, ...notes }), status, new Request(url));
  return exporter.getFinishedSpans();
}

/** An ask that began so long ago. */
function step(overrides: Partial<Step>, agoMs = 1_000): Step {
  return stepOf({ startedAt: NOW - agoMs, queueMs: 100, runMs: 200, ...overrides });
}

/** An ask of a node of a cluster that began so long ago. */
function ask(overrides: Partial<NodeAsk>, agoMs = 1_000): NodeAsk {
  return {
    node: 'n1',
    why: 'first',
    startedAt: NOW - agoMs,
    tookMs: 300,
    outcome: 'ok',
    queueMs: 0,
    runMs: 0,
    cached: false,
    ...overrides,
  };
}

function page(sem: readonly string[]): SearchPage {
  return {
    itens: [],
    por_base: [{ base: 'stj', ordem_aplicada: 'recentes', ms: 500 }],
    timings: [],
    bases_sem_resposta: sem.map(() => ({ base: 'stj', tempo_esgotado: true })),
    cursor: null,
    absent: [],
  };
}

const told = (spans: ReturnType<typeof spansOf>) =>
  spans.map(({ name, status, duration: [s, ns] }) => ({
    name,
    isError: status.code === SpanStatusCode.ERROR,
    ms: Math.round(s * 1_000 + ns / 1e6),
  }));

describe('the spans of a base on nodes', () => {
  /** Below the span of the ask: name, start after it, and length in milliseconds, whether it is an error, and attributes. */
  function nodesOf(one: Step) {
    const spans = spansOf({ steps: [one], page: page([]) });
    const parent = spans.find(({ name }) => name === one.kind);
    const msOf = ([s, ns]: readonly [number, number]) => s * 1_000 + ns / 1e6;
    const below = (id: string | undefined) =>
      spans.filter(({ parentSpanContext }) => parentSpanContext?.spanId === id);
    return below(parent?.spanContext().spanId).map((node) => ({
      name: node.name,
      kind: node.kind,
      at: Math.round(msOf(node.startTime) - msOf(parent?.startTime ?? [0, 0])),
      ms: Math.round(msOf(node.duration)),
      isError: node.status.code === SpanStatusCode.ERROR,
      attributes: node.attributes,
      work: below(node.spanContext().spanId).map((part) => [
        part.name,
        Math.round(msOf(part.startTime) - msOf(node.startTime)),
        Math.round(msOf(part.duration)),
        part.attributes['jurisprudencia.rows_ms'],
      ]),
    }));
  }

  it('have the node that answered below the ask: its queue and run, and the network before and after them', () => {
    const answering = ask({ tookMs: 300, queueMs: 100, runMs: 150 });
    const found = nodesOf(step({ node: 'n1', rowsMs: 4, queueMs: 100, runMs: 200, asks: [answering] }));
    expect(found).toMatchObject([{ name: 'node n1', kind: SpanKind.CLIENT, at: 0, ms: 300, isError: false }]);
    expect(found[0]?.work).toEqual([
      ['queue', 25, 100, undefined],
      ['run', 125, 150, 4],
    ]);
    expect(found[0]?.attributes).toEqual({
      'jurisprudencia.node': 'n1',
      'jurisprudencia.ask': 'first',
      'jurisprudencia.outcome': 'ok',
      'jurisprudencia.cached': false,
      'jurisprudencia.network_ms': 50,
    });
  });

  it('show a second node that was asked because the first took long, and the first without an error', () => {
    const asks = [
      ask({ outcome: 'unanswered' }),
      ask({ node: 'n2', why: 'hedge', tookMs: 270, queueMs: 0, runMs: 270 }, 970),
    ];
    const found = nodesOf(step({ node: 'n2', asks }));
    expect(found.map(({ name, at, ms, isError }) => [name, at, ms, isError])).toEqual([
      ['node n1', 0, 300, false],
      ['node n2', 30, 270, false],
    ]);
    expect(found.map(({ attributes }) => attributes['jurisprudencia.ask'])).toEqual(['first', 'hedge']);
    expect(found[0]?.work).toEqual([]);
    expect(found[0]?.attributes).not.toHaveProperty('jurisprudencia.network_ms');
  });

  it('show a node that is gone or failed as an error, though the ask has an answer', () => {
    const asks = [
      ask({ outcome: 'gone', tookMs: 1 }),
      ask({ node: 'n2', why: 'again', outcome: 'overloaded', tookMs: 2 }),
      ask({ node: 'n3', why: 'again', tookMs: 200, cached: true }),
    ];
    const found = nodesOf(step({ node: 'n3', cached: true, asks }));
    expect(found.map(({ isError }) => isError)).toEqual([true, true, false]);
    // A result cache has no queue.
    expect(found.map(({ work }) => work.length)).toEqual([0, 2, 0]);
    expect(found[2]?.attributes).toMatchObject({ 'jurisprudencia.cached': true });
  });

  it('have nothing below the ask where there is no node', () => {
    expect(nodesOf(step({ outcome: 'unavailable', asks: [] }))).toEqual([]);
  });
});

describe('the spans of a base', () => {
  it('show a fall-back: relevance with its window run out, then recency, and the base without an error', () => {
    const steps = [
      step({ outcome: 'deadline', queueMs: 50, runMs: 450 }, 1_000),
      step({ kind: 'recentes', queueMs: 10, runMs: 40 }, 500),
    ];
    const spans = told(spansOf({ steps, page: page([]) }));
    expect(spans.map(({ name, isError, ms }) => [name, isError, ms]).slice(0, -1)).toEqual([
      ['queue', false, 50],
      ['run', false, 450],
      ['relevancia', true, 500],
      ['queue', false, 10],
      ['run', false, 40],
      ['recentes', false, 50],
      ['base stj', false, 550],
    ]);
    expect(spans.at(-1)).toMatchObject({ name: 'GET /v1/jurisprudencia/busca', isError: false });
  });

  it('name the node of a cluster that answered, each ask its own and the base all of them', () => {
    const steps = [step({ node: 'n1' }), step({ kind: 'linhas', node: 'n2' }, 500), step({ base: 'tst' })];
    const nodes = spansOf({ steps, page: page([]) })
      .filter(({ name }) => !['queue', 'run'].includes(name))
      .map(({ name, attributes }) => [name, attributes['jurisprudencia.node']]);
    expect(nodes).toEqual([
      ['relevancia', 'n1'],
      ['linhas', 'n2'],
      ['base stj', 'n1,n2'],
      ['relevancia', undefined],
      ['base tst', undefined],
      ['GET /v1/jurisprudencia/busca', undefined],
    ]);
  });

  it('show rows that the page did without as no error', () => {
    const steps = [step({}), step({ kind: 'linhas', outcome: 'abandoned', queueMs: 0, runMs: 300 }, 300)];
    const spans = told(spansOf({ steps, page: page([]) }));
    expect(spans.find(({ name }) => name === 'linhas')).toMatchObject({ isError: false, ms: 300 });
    expect(spans.find(({ name }) => name === 'base stj')?.isError).toBe(false);
  });

  it('show a request whose client left as abandoned, without a status and without an error', () => {
    const steps = [step({ kind: 'registro', outcome: 'abandoned' })];
    const url = 'http://x/v1/jurisprudencia/stj:1';
    const spans = spansOf({ route: 'decisao', steps, isAbandoned: true }, 504, url);
    expect(told(spans).filter(({ isError }) => isError)).toEqual([]);
    expect(spans.at(-1)?.attributes).toMatchObject({ 'jurisprudencia.abandoned': true });
    expect(spans.at(-1)?.attributes).not.toHaveProperty('http.response.status_code');
    expect(spans.at(-1)?.attributes).not.toHaveProperty('error.type');
  });

  it('are none where no base was asked', () => {
    expect(told(spansOf({ route: 'nenhuma' }, 404, 'http://x/nada')).map(({ name }) => name)).toEqual([
      'GET',
    ]);
  });
});
