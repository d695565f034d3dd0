import type { Base } from '../../../contract/vocabulary.ts';
import type { Recent } from '../base-gauge.ts';
import type { LiveSecond } from '../live-routes.ts';
import type { BaseFilesReport } from '../part.ts';
import type { ServiceRecent } from '../service-figures.ts';
import type { SettingsReport } from '../settings-routes.ts';
import { METRICS } from './metrics.ts';

/** What the page knows, as it last came from the service, and what its user chose. */
export const page = {
  /** Null before the first second. */
  service: null as ServiceRecent | null,
  /** Of the bases; null without contact. */
  states: null as Partial<LiveSecond['estados']> | null,
  recents: new Map<Base, Recent>(),
  files: new Map<Base, BaseFilesReport['bases'][number]>(),
  /** Null before they were loaded. */
  settings: null as SettingsReport | null,
  /** True if this is a front: the files of the bases are on nodes. */
  isFront: false,
  /** The service's clock minus the browser's, seconds. */
  ahead: 0,
  metric: METRICS[0],
  /** The shown period. */
  seconds: 300,
  enlarged: null as Base | null,
  /** Shows everything as it is now. */
  draw: (): void => undefined,
};

/** The service's clock, in seconds. */
export function serviceNow() {
  return Date.now() / 1_000 + page.ahead;
}
