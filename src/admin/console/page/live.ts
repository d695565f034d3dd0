import type { LiveSeries } from '../live-routes.ts';
import { get } from './api.ts';
import { lastSecond } from './points.ts';

const EVERY_MS = 1_000;
/** A service that does not answer for so long is gone. */
const LIMIT_MS = 6_000;

/** Asks for the service's figures every second, also while it does not answer. */
export async function follow(take: (series: LiveSeries) => void, lose: () => void) {
  const series = await get('serie', `?desde=${lastSecond()}`, LIMIT_MS).catch(() => null);
  if (series === null) lose();
  else take(series);
  setTimeout(() => void follow(take, lose), EVERY_MS);
}
