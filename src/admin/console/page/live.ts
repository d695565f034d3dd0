import type { LiveSeries } from '../live-routes.ts';
import { get } from './api.ts';
import { lastSecond } from './points.ts';

const EVERY_MS = 1_000;
/** A service that does not answer for so long is gone. */
const LIMIT_MS = 6_000;

/** Asks for the service's figures every second, also while it does not answer. */
export async function follow(take: (series: LiveSeries) => void, lose: (error: unknown) => void) {
  const asked = get('serie', `?desde=${lastSecond()}`, LIMIT_MS);
  await asked.then(take, lose).finally(() => setTimeout(() => void follow(take, lose), EVERY_MS));
}
