import type { Logger } from 'pino';
import type { Environment } from '../../config/config.ts';
import type { Traces } from './traces.ts';
import { wantedTraces } from './wanted.ts';

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
