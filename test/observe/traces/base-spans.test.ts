import { SpanStatusCode } from '@opentelemetry/api';
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
} from '@opentelemetry/sdk-trace-base';
import { describe, expect, it } from 'vitest';
import type { Step } from '../../../src/engine/steps.ts';
import type { RequestNotes } from '../../../src/http/observer.ts';
import { notesOf, pageOf, stepOf } from '../support-notes.ts';
import { requestSpans } from '../../../src/observe/traces/request-spans.ts';

const BUSCA_URL = 'http://x/v1/jurisprudencia/busca?q=dano+moral';
/** When it was answered, on the scale of its notes. */
const NOW = 5_000;

/** The spans of one answer, by name; of each its status and how long it took, in whole milliseconds. */
function spansOf(notes: Partial<RequestNotes>, status = 200, url = BUSCA_URL) {
  const exporter = new InMemorySpanExporter();
  // The machine's own OTEL_TRACES_SAMPLER would count where none is given.
  const sampler = new AlwaysOnSampler();
  const provider = new BasicTracerProvider({ sampler, spanProcessors: [new SimpleSpanProcessor(exporter)] });
  const own = notesOf({ requestId: 'pedido-12345', startedAt: NOW - 2_000, ...notes });
  const record = requestSpans(provider.getTracer('teste'), true);
  record({ notes: own, status, ms: 2_000, em: 0, request: new Request(url) });
  return exporter.getFinishedSpans();
}

/** An ask that began so long ago. */
function step(overrides: Partial<Step>, agoMs = 1_000): Step {
  return stepOf({ startedAt: NOW - agoMs, queueMs: 100, runMs: 200, ...overrides });
}

const page = pageOf({ por_base: [{ base: 'stj', ordem_aplicada: 'recentes', ms: 500 }] });

const described = (spans: ReturnType<typeof spansOf>) =>
  spans.map(({ name, status, duration: [s, ns] }) => ({
    name,
    isError: status.code === SpanStatusCode.ERROR,
    ms: Math.round(s * 1_000 + ns / 1e6),
  }));

describe('the spans of a base', () => {
  it('show a fall-back: relevance past its window, then recency, and no error of the base', () => {
    const steps = [
      step({ outcome: 'deadline', queueMs: 50, runMs: 450 }, 1_000),
      step({ kind: 'recentes', queueMs: 10, runMs: 40 }, 500),
    ];
    const spans = described(spansOf({ steps, page }));
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

  it('show unneeded rows as no error', () => {
    const steps = [step({}), step({ kind: 'linhas', outcome: 'abandoned', queueMs: 0, runMs: 300 }, 300)];
    const spans = described(spansOf({ steps, page }));
    expect(spans.find(({ name }) => name === 'linhas')).toMatchObject({ isError: false, ms: 300 });
    expect(spans.find(({ name }) => name === 'base stj')?.isError).toBe(false);
  });

  it('show a request whose client left as abandoned, without a status and without an error', () => {
    const steps = [step({ kind: 'registro', outcome: 'abandoned' })];
    const url = 'http://x/v1/jurisprudencia/stj:1';
    const spans = spansOf({ route: 'decisao', steps, isAbandoned: true }, 504, url);
    expect(described(spans).filter(({ isError }) => isError)).toEqual([]);
    expect(spans.at(-1)?.attributes).toMatchObject({ 'jurisprudencia.abandoned': true });
    expect(spans.at(-1)?.attributes).not.toHaveProperty('http.response.status_code');
    expect(spans.at(-1)?.attributes).not.toHaveProperty('error.type');
  });

  it('are absent if no base was asked', () => {
    const spans = described(spansOf({ route: 'nenhuma' }, 404, 'http://x/nada'));
    expect(spans.map(({ name }) => name)).toEqual(['GET']);
  });
});
