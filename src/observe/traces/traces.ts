import type { Logger } from 'pino';
import type { Environment } from '../../config/config.ts';
import type { Observer } from '../../http/observer.ts';
import { wantedTraces } from './wanted.ts';

/** Sends spans of every answer to a collector. */
export interface Traces {
  readonly observe: Observer;
  /** Sends the remaining spans, within a time limit. */
  stop(): Promise<void>;
}

/**
 * Starts traces if the environment asks for them; otherwise the SDK is not even loaded.
 * @throws PlainError as `wantedTraces`.
 */
export async function openTraces(env: Environment, log: Logger): Promise<Traces | null> {
  const wanted = wantedTraces(env);
  if (wanted === null) return null;
  const { startTraces } = await import('./sdk.ts');
  return startTraces(wanted, log);
}
