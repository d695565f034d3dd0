import { SETTING_TAKEN_LOOK_MS, SETTING_TAKEN_MS_MAX } from '../config/limits.ts';
import type { Clock } from '../engine/clock.ts';
import type { Node, Nodes } from './nodes.ts';
import type { BaseKey } from '../config/settings.ts';
import type { Base } from '../contract/vocabulary.ts';

/**
 * Waits until each live node of the base has said what it made of a setting. @param revision of the setting.
 * @returns which nodes did not take it, and why; for the operator.
 */
export async function refusalsOf(
  nodes: Pick<Nodes, 'liveOf'>,
  clock: Clock,
  { base, key, value }: { base: Base; key: BaseKey; value: number },
  revision: number,
): Promise<readonly string[]> {
  const endAt = clock.now() + SETTING_TAKEN_MS_MAX;
  const isSilent = ({ settingsTo }: Node) => settingsTo < revision;
  while (nodes.liveOf(base).some(isSilent) && clock.now() < endAt)
    await new Promise<void>((resolve) => clock.after(SETTING_TAKEN_LOOK_MS, resolve));
  return nodes.liveOf(base).flatMap((node) => {
    if (isSilent(node)) return [`${node.name} não confirmou em ${SETTING_TAKEN_MS_MAX / 1_000} s`];
    const refused = node.bases.get(base)?.refused?.find((one) => one.key === key && one.value === value);
    return refused === undefined ? [] : [`${node.name} ${refused.reason}`];
  });
}
