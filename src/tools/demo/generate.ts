import type { Base } from '../../contract/enums.ts';
import { DecisionMaker } from './decision.ts';

/** The default seed of the demo data. */
export const DEMO_SEED_DEFAULT = 1988;

/**
 * Made-up decisions of a base in the canonical ingest format, one JSON object a line, without the
 * line's end. The same base, count and seed give the same lines; a larger count extends a smaller one.
 *
 * @example for (const line of demoLines('stj', 2000, DEMO_SEED_DEFAULT)) file.write(line + '\n');
 */
export function* demoLines(base: Base, count: number, seed: number): Generator<string> {
  const maker = new DecisionMaker(base, seed);
  for (let index = 0; index < count; index += 1) yield JSON.stringify(maker.make(index));
}
