import { rmSync } from 'node:fs';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { serviceVersion } from '../../../src/process/version.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import { digestOfKey } from '../../../src/keys/key.ts';
import { issueKey } from '../../../src/keys/store.ts';
import { startSystem, type System } from '../../../src/system.ts';
import { openTraces } from '../../../src/observe/traces/open.ts';
import { until } from '../../tools/faults/support-poll.ts';
import { acordao, BUSCA, COBERTURA, decisaoPath } from '../../http/checks.ts';
import { preparedFolder } from '../../http/folder.ts';
import { ownPort } from '../../support/own-port.ts';
import { capturedLog, type LogLine } from '../../support/captured-log.ts';
import { configIn } from '../../support/service.ts';
import { fetchChecked } from '../../support/documented.ts';
import { childrenOf, endOf, startCollector, startOf, valueOf, type Received } from './collector.ts';

const SERVER = 2;
const ERROR = 2;
const Q = 'segredo médico';
/** What a `traceparent` of a client names. */
const [TRACE, SPAN] = ['0af7651916cd43dd8448eb211c80319c', 'b7ad6b7169203331'];
/** What the machine, or the test before, has of the variables. */
beforeEach(() => {
  for (const name of Object.keys(process.env)) if (name.startsWith('OTEL_')) delete process.env[name];
});

interface Traced {
  readonly system: System;
  readonly key: string;
  readonly dataDir: string;
  readonly log: readonly LogLine[];
  get(path: string, headers?: Record<string, string>): Promise<Response>;
  /** Stops the service, by which the last spans are sent. */
  stop(): Promise<void>;
}

/** The service with traces as the environment asks for them: the SDK reads it from the process alone. */
async function startTraced(otel: Record<string, string>, environment = {}): Promise<Traced> {
  Object.assign(process.env, otel);
  const dataDir = preparedFolder({ stj: [acordao(`${Q} um`), acordao(`${Q} dois`)], tst: [acordao(Q)] });
  const key = issueKey(dataDir, 'teste', null, new Date());
  const { lines, log } = capturedLog('debug');
  const config = configIn(dataDir, environment);
  const system = startSystem(config, log, {}, await openTraces(process.env, log));
  let isStopped = false;
  const stop = async () => {
    if (!isStopped) await system.stop();
    isStopped = true;
  };
  onTestFinished(stop);
  const get = (path: string, headers = {}) =>
    fetchChecked(system.url + path, { headers: { authorization: `Bearer ${key}`, ...headers } });
  return { system, key, dataDir, log: lines, get, stop };
}

function startOwnCollector(port?: number) {
  const collector = startCollector(port);
  onTestFinished(() => collector.stop());
  return collector;
}

/** The same with a collector that takes its spans. */
async function startBoth(otel: Record<string, string> = {}) {
  const collector = startOwnCollector();
  const traced = await startTraced({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...otel });
  return { collector, traced };
}

/** The spans of the requests of one route, the service's own first. */
function serverSpans(spans: readonly Received[], name: string): Received[] {
  return spans.filter((span) => span.name === name);
}

describe('a search that is traced', () => {
  it('has a server span, in it one for each base, in that one for each request with queue and run times that add up', async () => {
    const { collector, traced } = await startBoth({ OTEL_TRACES_EXPORTER: 'otlp' });
    const before = BigInt(Date.now() - 1) * 1_000_000n;
    const response = await traced.get(`${BUSCA}?${new URLSearchParams({ q: Q }).toString()}`);
    const after = BigInt(Date.now() + 1) * 1_000_000n;
    await traced.stop();

    expect(collector.requests.map(({ path }) => path)).toEqual(['/v1/traces']);
    expect(valueOf(collector.resources[0]!, 'service.name')).toBe('jurisprudencia');
    expect(valueOf(collector.resources[0]!, 'service.version')).toBe(serviceVersion());
    expect(valueOf(collector.resources[0]!, 'service.instance.id')).toMatch(/^[0-9a-f-]{36}$/u);
    const [server] = serverSpans(collector.spans, `GET ${BUSCA}`);
    expect(server?.kind).toBe(SERVER);
    expect(server?.parentSpanId ?? '').toBe('');
    const id = valueOf(server!.attributes, 'jurisprudencia.request_id');
    expect(id).toBe(response.headers.get('x-request-id'));
    expect(traced.log.find((line) => line['request_id'] === id)).toMatchObject({ trace_id: server!.traceId });
    expect(startOf(server!)).toBeGreaterThanOrEqual(before);
    expect(endOf(server!)).toBeLessThanOrEqual(after);
    const inside = (inner: Received, outer: Received) => {
      // A double of milliseconds since 1970 is exact to a quarter of a microsecond.
      expect(startOf(inner)).toBeGreaterThanOrEqual(startOf(outer) - 1_000n);
      expect(endOf(inner)).toBeLessThanOrEqual(endOf(outer) + 1_000n);
    };
    const bases = childrenOf(collector.spans, server!);
    expect(bases.map(({ name }) => name)).toEqual(BASES.map((base) => `base ${base}`));
    for (const base of bases) {
      expect(base.traceId).toBe(server!.traceId);
      inside(base, server!);
      const asks = childrenOf(collector.spans, base);
      expect(asks[0]?.name).toBe('relevancia');
      for (const ask of asks) {
        inside(ask, base);
        const parts = childrenOf(collector.spans, ask);
        expect(parts.map(({ name }) => name)).toEqual(['queue', 'run']);
        const [queue, run] = parts;
        expect(startOf(queue!)).toBe(startOf(ask));
        expect(startOf(run!)).toBe(endOf(queue!));
        expect(endOf(run!)).toBe(endOf(ask));
        expect(endOf(run!)).toBeGreaterThan(startOf(run!));
      }
    }
  });

  it('has the length of q, the orders and the counts, and never q, the key or its digest', async () => {
    const { collector, traced } = await startBoth();
    await traced.get(`${BUSCA}?${new URLSearchParams({ q: Q, tribunal: 'stj', limite: '2' }).toString()}`);
    await traced.get(decisaoPath(traced.key), {
      'x-request-id': `x${traced.key}`,
      'user-agent': traced.key,
      referer: `http://localhost/${traced.key}`,
      'x-forwarded-for': traced.key,
      traceparent: `00-${TRACE}-${SPAN}-01-${traced.key}`,
      tracestate: `chave=${traced.key}`,
    });
    await traced.get(`/${traced.key}?access_token=${traced.key}`);
    await traced.stop();

    const [server] = serverSpans(collector.spans, `GET ${BUSCA}`);
    const attribute = (key: string) => valueOf(server!.attributes, key);
    expect(attribute('jurisprudencia.q.length')).toBe([...Q].length);
    expect(attribute('jurisprudencia.ordem')).toBe('relevancia');
    expect(attribute('jurisprudencia.limite')).toBe(2);
    expect(attribute('jurisprudencia.itens')).toBe(2);
    expect(attribute('http.request.method')).toBe('GET');
    expect(attribute('http.route')).toBe(BUSCA);
    expect(attribute('http.response.status_code')).toBe(200);
    const stj = collector.spans.find(({ name }) => name === 'base stj');
    expect(valueOf(stj!.attributes, 'jurisprudencia.ordem_aplicada')).toBe('relevancia');
    expect(valueOf(stj!.attributes, 'jurisprudencia.encontrados_ate_1000')).toBe(2);
    const all = collector.requests.map(({ text }) => text).join('\n');
    expect(serverSpans(collector.spans, 'GET')).toHaveLength(1);
    expect(all).not.toContain('segredo');
    expect(all).not.toContain(traced.key);
    expect(all).not.toContain(digestOfKey(traced.key));
  });

  it('continues the trace of its traceparent', async () => {
    const { collector, traced } = await startBoth();
    await traced.get(COBERTURA, { traceparent: `00-${TRACE}-${SPAN}-01` });
    await traced.get(COBERTURA, { traceparent: 'não é um' });
    await traced.stop();

    const [first, second] = serverSpans(collector.spans, `GET ${COBERTURA}`);
    expect([first?.traceId, first?.parentSpanId]).toEqual([TRACE, SPAN]);
    expect(second?.traceId).not.toBe(TRACE);
    expect(second?.parentSpanId ?? '').toBe('');
  });

  it('shows an unanswered base and a 504 as errors', async () => {
    const { collector, traced } = await startBoth();
    rmSync(baseFile(traced.dataDir, 'trt3'));
    await until('the base was gone', async () => (await traced.get(decisaoPath('trt3:1'))).status === 504);
    await traced.get(`${BUSCA}?${new URLSearchParams({ q: Q }).toString()}`);
    await traced.stop();

    const [search] = serverSpans(collector.spans, `GET ${BUSCA}`);
    expect(search?.status.code).not.toBe(ERROR);
    expect(valueOf(search!.attributes, 'jurisprudencia.bases_sem_resposta')).toEqual(['trt3']);
    const bases = childrenOf(collector.spans, search!);
    const failed = bases.filter(({ status }) => status.code === ERROR);
    expect(failed.map(({ name }) => name)).toEqual(['base trt3']);
    const read = serverSpans(collector.spans, 'GET /v1/jurisprudencia/{id}').at(-1);
    expect(read?.status.code).toBe(ERROR);
    expect(valueOf(read!.attributes, 'error.type')).toBe('504');
    expect(valueOf(read!.attributes, 'url.path')).toBe(decisaoPath('trt3:1'));
    expect(childrenOf(collector.spans, read!).map(({ name }) => name)).toEqual(['base trt3']);
  });
});

describe('the standard variables', () => {
  it('give the service its name, the resource its attributes and the collector its headers', async () => {
    const collector = startOwnCollector();
    const traced = await startTraced({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.url}/outro/caminho`,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-teste=abc',
      OTEL_SERVICE_NAME: 'busca-de-teste',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=teste',
    });
    await traced.get(COBERTURA);
    await traced.stop();
    expect(collector.requests.map(({ path }) => path)).toEqual(['/outro/caminho']);
    expect(collector.requests[0]?.headers.get('x-teste')).toBe('abc');
    const [resource] = collector.resources;
    expect(valueOf(resource!, 'service.name')).toBe('busca-de-teste');
    expect(valueOf(resource!, 'deployment.environment.name')).toBe('teste');
  });

  it('make the service ignore a client’s traceparent with OTEL_PROPAGATORS=none', async () => {
    const { collector, traced } = await startBoth({ OTEL_PROPAGATORS: 'none' });
    await traced.get(COBERTURA, { traceparent: `00-${TRACE}-${SPAN}-01` });
    await traced.stop();
    expect(collector.spans).toHaveLength(1);
    expect(collector.spans[0]?.traceId).not.toBe(TRACE);
  });
});

describe('a collector', () => {
  it('that is down delays no answer, and is reported once, as is its return', async () => {
    const port = ownPort();
    const traced = await startTraced({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '200',
      OTEL_BSP_SCHEDULE_DELAY: '20',
    });
    const lines = (text: string) =>
      traced.log.filter(({ msg }) => msg.startsWith('traces:') && msg.includes(text));
    await until('the collector was missed', async () => {
      expect((await traced.get(COBERTURA)).status).toBe(200);
      return lines('takes no spans').length > 0;
    });
    for (let at = 0; at < 50; at += 1) expect((await traced.get(COBERTURA)).status).toBe(200);
    const collector = startOwnCollector(port);
    await until('the collector was found', async () => {
      expect((await traced.get(COBERTURA)).status).toBe(200);
      return lines('takes spans again').length > 0;
    });
    expect(collector.spans.length).toBeGreaterThan(0);
    expect(lines('takes no spans')).toHaveLength(1);
    expect(traced.log.filter(({ msg }) => msg.startsWith('traces:'))).toHaveLength(2);
  });

  it('that never answers does not delay the end of the service', async () => {
    const silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
    onTestFinished(() => {
      silent.stop(true);
    });
    const OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${silent.port}`;
    const otel = { OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_EXPORTER_OTLP_TIMEOUT: '60000' };
    const traced = await startTraced(otel, { SHUTDOWN_MS: '100' });
    await traced.get(COBERTURA);
    const startedAt = performance.now();
    await traced.stop();
    expect(performance.now() - startedAt).toBeLessThan(30_000);
    const messages = traced.log.map(({ msg }) => msg);
    expect(messages).toContain('traces: the collector did not take the last spans in time');
  });
});
