import type { Logger } from 'pino';
import type { Environment } from '../../config/config.ts';
import { PlainError } from '../../process/fail.ts';
import type { ObserveRequest } from './request-spans.ts';

/** Sends the spans of every answer to a collector. */
export interface Traces {
  readonly observe: ObserveRequest;
  /** Sends the remaining spans, within a time limit. */
  stop(): Promise<void>;
}

/** Starts traces if the environment asks for them; else the SDK is not even loaded. @throws PlainError as `wantedTraces`. */
export async function openTraces(env: Environment, log: Logger): Promise<Traces | null> {
  const wanted = wantedTraces(env);
  if (wanted === null) return null;
  const { startTraces } = await import('./sdk.ts');
  return startTraces(wanted.continuesTraces, log);
}

const ENDPOINTS = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'] as const;
const PROTOCOLS = ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL'] as const;

/**
 * Traces are off unless the standard `OTEL_*` variables ask for them; the SDK reads the other variables itself.
 * @returns null when traces are off; else whether the `traceparent` of a request is used (OTEL_PROPAGATORS).
 * @throws PlainError when a variable asks for something that this service lacks.
 */
export function wantedTraces(env: Environment): { readonly continuesTraces: boolean } | null {
  if (env['OTEL_SDK_DISABLED']?.trim().toLowerCase() === 'true') return null;
  const exporters = listOf(env['OTEL_TRACES_EXPORTER']);
  if (exporters.includes('none')) return null;
  const other = exporters.find((name) => name !== 'otlp');
  if (other !== undefined) {
    throw new PlainError(`OTEL_TRACES_EXPORTER: there is no ${other} here; use otlp, or none for no traces`);
  }
  if (exporters.length === 0 && ENDPOINTS.every((name) => !env[name])) return null;
  for (const name of ENDPOINTS) if (env[name]) refuseEndpoint(name, env[name]);
  for (const name of PROTOCOLS) if (env[name]) refuseProtocol(name, env[name]);
  const propagators = listOf(env['OTEL_PROPAGATORS']);
  return { continuesTraces: propagators.length === 0 || propagators.includes('tracecontext') };
}

/** With a wrong endpoint the SDK would silently send to localhost. */
function refuseEndpoint(name: string, endpoint: string): void {
  if (!/^https?:\/\//iu.test(endpoint))
    throw new PlainError(`${name}: must be an address such as http://127.0.0.1:4318, not ${endpoint}`);
  if (!URL.canParse(endpoint)) throw new PlainError(`${name}: ${endpoint} is no address`);
}

/** Spans go as JSON over HTTP; a collector with OTLP over HTTP accepts both encodings at the same address. */
function refuseProtocol(name: string, protocol: string): void {
  if (protocol.startsWith('http/')) return;
  throw new PlainError(
    `${name}: ${protocol} is not spoken here; use http/json and the collector’s port for HTTP`,
  );
}

function listOf(value: string | undefined): string[] {
  return (value ?? '')
    .split(',')
    .map((name) => name.trim().toLowerCase())
    .filter((name) => name !== '');
}
