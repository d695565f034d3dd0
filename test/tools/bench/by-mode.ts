import { searchAsk } from '../measure/asks.ts';
import type { Row } from '../measure/finding.ts';
import { temporaryKey } from '../measure/ready.ts';
import type { Ask } from '../../../src/tools/load/http-client.ts';
import type { Bench, BenchFinding } from './setting.ts';

const QUOTA = 1_000_000_000;

/** How one mode of a section is loaded. */
export interface ModeWish {
  readonly mode: string;
  readonly dataDir: string;
  readonly key: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly asks: readonly Ask[];
}
export type Mode = Pick<ModeWish, 'mode' | 'environment' | 'asks'>;

/** A section's modes one after the other, on the six bases of searches, with a key of its own. */
export async function measureByMode(
  bench: Bench,
  modesOf: (searches: readonly Ask[], key: string) => readonly Mode[],
  measure: (wish: ModeWish) => Promise<BenchFinding>,
): Promise<BenchFinding> {
  const { decisions, dataDir } = await bench.six(false);
  const { queries, generator } = bench;
  const rows: Row[] = [];
  const details: Record<string, unknown> = { decisions, generator };
  const { key, revoke } = temporaryKey('bench', dataDir, QUOTA);
  try {
    const searches = [...queries.ordinary, ...queries.users].map((q) => searchAsk(key, q, 'recentes', null));
    for (const wish of modesOf(searches, key)) {
      const found = await measure({ ...wish, dataDir, key });
      rows.push(...found.rows);
      details[wish.mode] = found.details;
    }
  } finally {
    revoke();
  }
  return { rows, details };
}
