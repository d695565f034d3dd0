import { expect, test } from 'vitest';
import { ClusterWorld } from './page-simulation.ts';

const SEEDS = 400;
/** They take 3 s: a bound for a machine that is busy with other things. */
const TIMEOUT_MS = 120_000;

test(
  'pages through fronts have no duplicate and no gap, and no quota is passed, whatever nodes and messages do',
  { timeout: TIMEOUT_MS },
  async () => {
    for (let seed = 1; seed <= SEEDS; seed += 1) {
      expect({ seed, violations: new ClusterWorld(seed).run() }).toEqual({ seed, violations: [] });
      // The test runner sends and receives messages too.
      await new Promise((resolve) => setImmediate(resolve));
    }
  },
);
