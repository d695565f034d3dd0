import type { LiveSeries } from '../live-routes.ts';
import type { SettingsReport } from '../settings-routes.ts';
import { METRICS } from './metrics.ts';

/** The latest data from the service, and the user's choices. */
export const page = {
  /** As of the latest answer; null before the first. */
  series: null as LiveSeries | null,
  /** Since when the service does not answer, seconds since 1970; null while it does. */
  lostAt: null as number | null,
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
