import type { AskedBase } from '../../engine/base-actor.ts';
import type { Supervisor } from '../../search/supervisor.ts';
import type { BaseConfig } from '../../config/config.ts';
import type { Base } from '../../contract/vocabulary.ts';
import type { BaseKey } from '../../config/settings.ts';

/** Passes a changed setting to the actor or the supervisor. @returns the value afterwards. */
export async function applySetting(
  actor: Pick<AskedBase, 'changeThreads' | 'changeQueueMax'>,
  supervisor: Pick<Supervisor, 'changeWindows'>,
  { base, settings, key }: { base: Base; settings: BaseConfig; key: BaseKey },
): Promise<number> {
  if (key === 'threads') return actor.changeThreads(settings.threads);
  if (key === 'queue_max') actor.changeQueueMax(settings.queue_max);
  else supervisor.changeWindows(base, settings);
  return settings[key];
}
