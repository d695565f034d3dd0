import type { Base } from '../../../contract/vocabulary.ts';
import type { Recent } from '../base-gauge.ts';
import type { LiveSeries } from '../live-routes.ts';
import type { BaseFilesReport } from '../part.ts';
import type { ServiceRecent } from '../service-figures.ts';
import type { SettingsReport } from '../settings-routes.ts';
import { METRICS } from './metrics.ts';

/** The latest data from the service, and the user's choices. */
export const page = {
  /** Null before the first second. */
  service: null as ServiceRecent | null,
  /** The bases' states; null without a connection, undefined before the first. */
  states: undefined as Partial<LiveSeries['estados']> | null | undefined,
  recents: new Map<Base, Recent | null>(),
  files: new Map<Base, BaseFilesReport['bases'][number]>(),
  /** Null until loaded. */
  settings: null as SettingsReport | null,
  /** The service's clock minus the browser's, seconds. */
  ahead: 0,
  metric: METRICS[0],
  seconds: 300,
  draw: (): void => undefined,
};

/** The service's clock, in seconds. */
export function serviceNow() {
  return Date.now() / 1_000 + page.ahead;
}
