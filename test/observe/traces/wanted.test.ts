import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { wantedTraces } from '../../../src/observe/traces/open.ts';
import { ROOT, runProgram } from '../../support/run.ts';

const ENDPOINT = 'http://127.0.0.1:4318';

describe('traces', () => {
  it.each<Record<string, string>>([
    {},
    { OTEL_SERVICE_NAME: 'x', OTEL_TRACES_SAMPLER: 'always_on' },
    { OTEL_TRACES_EXPORTER: 'none', OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT },
    { OTEL_SDK_DISABLED: 'true', OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT },
    { OTEL_SDK_DISABLED: 'TRUE', OTEL_TRACES_EXPORTER: 'otlp' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: '' },
    { OTEL_EXPORTER_OTLP_METRICS_ENDPOINT: ENDPOINT },
  ])('are off with %j', (env) => {
    expect(wantedTraces(env)).toBeNull();
  });

  it.each<Record<string, string>>([
    { OTEL_TRACES_EXPORTER: 'otlp' },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT },
    { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: ENDPOINT },
    { OTEL_SDK_DISABLED: 'false', OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT },
    { OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'http/protobuf' },
  ])('are on with %j', (env) => {
    expect(wantedTraces(env)).toEqual({ continuesTraces: true });
  });

  it.each<[Record<string, string>, string]>([
    [{ OTEL_TRACES_EXPORTER: 'zipkin' }, 'use otlp'],
    [{ OTEL_TRACES_EXPORTER: 'otlp,console' }, 'use otlp'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: '127.0.0.1:4318' }, 'http://127.0.0.1:4318'],
    [{ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://' }, 'OTEL_EXPORTER_OTLP_TRACES_ENDPOINT'],
    [{ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }, 'use http/json'],
  ])('are refused with the mend for %j', (env, mend) => {
    expect(() => wantedTraces(env)).toThrow(mend);
  });

  it('do not load the SDK while they are off', async () => {
    const script = `
      const { openTraces } = await import(${JSON.stringify(join(ROOT, 'src/observe/traces/open.ts'))});
      const traces = await openTraces(process.env, null);
      const loaded = Object.keys(require.cache).filter((path) => path.includes('sdk-trace'));
      console.log(JSON.stringify({ isOn: traces !== null, loaded: loaded.length > 0 }));
      await traces?.stop();`;
    const loaded = async (environment: Record<string, string>) => {
      const { text } = await runProgram([process.execPath, '-e', script], { environment });
      return JSON.parse(text) as unknown;
    };
    expect(await loaded({})).toEqual({ isOn: false, loaded: false });
    expect(await loaded({ OTEL_EXPORTER_OTLP_ENDPOINT: ENDPOINT })).toEqual({ isOn: true, loaded: true });
  });
});
