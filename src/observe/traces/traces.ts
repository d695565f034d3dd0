import type { Logger } from 'pino';
import type { Environment } from '../../config/config.ts';
import type { Observer } from '../../http/observer.ts';
import { wantedTraces } from './wanted.ts';

/** Spans of every answer, on their way to a collector. */
export interface Traces {
  readonly observe: Observer;
  /** Sends what is there still, within a bound. */
  stop(): Promise<void>;
}

/**
 * Opens traces where the environment asks for them. Where it does not, the SDK is not even loaded.
 * @throws PlainError as `wantedTraces`.
 */
export async function openTraces(env: Environment, log: Logger): Promise<Traces | null> {
  const wanted = wantedTraces(env);
  if (wanted === null) return null;
  const { startTraces } = await import('./sdk.ts');
  return startTraces(wanted, log);
}
