import type { Base } from '../../../contract/vocabulary.ts';
import type { Recent } from '../base-gauge.ts';
import type { LiveSecond } from '../live-routes.ts';
import type { BaseFilesReport } from '../part.ts';
import type { ServiceRecent } from '../service-figures.ts';
import type { SettingsReport } from '../settings-routes.ts';
import { METRICS } from './metrics.ts';

/** The latest data from the service, and the user's choices. */
export const page = {
  /** Null before the first second. */
  service: null as ServiceRecent | null,
  /** The bases' states; null without a connection, undefined before the first. */
  states: undefined as Partial<LiveSecond['estados']> | null | undefined,
  recents: new Map<Base, Recent>(),
  files: new Map<Base, BaseFilesReport['bases'][number]>(),
  /** Null until loaded. */
  settings: null as SettingsReport | null,
  /** The service's clock minus the browser's, seconds. */
  ahead: 0,
  metric: METRICS[0],
  seconds: 300,
  enlarged: null as Base | null,
  draw: (): void => undefined,
};

/** The service's clock, in seconds. */
export function serviceNow() {
  return Date.now() / 1_000 + page.ahead;
}
