import { tmpdir } from 'node:os';
import { Scratch } from '../measure/build.ts';
import { info, type Finding, type Row } from '../measure/report.ts';
import { AS_SHIPPED, startChild } from '../measure/service.ts';
import { median } from '../measure/stats.ts';
import type { Bench } from './setting.ts';
import { PER_SECOND, soakService, type Seen } from './soak-run.ts';

/** Warming up takes this fraction of the time, but no longer than this. */
const WARM_UP = { share: 0.25, msMax: 60_000 };
/** What is held at the start and at the end is the median over this fraction of the time, but no longer. */
const WINDOW = { share: 0.125, msMax: 60_000 };
const FLAT = 1.05;
const BROKEN_SHOWN = 5;
const HELD = [
  ['memory of its own', 'anonMiB', ' MiB'],
  ['descriptors', 'descriptors', ''],
  ['threads', 'threads', ''],
] as const;

/**
 * What the service holds on to under ordinary mixed traffic on its demo data, as it is shipped. A broken promise (no answer, a 5xx,
 * a body that is not what the contract says) is an error of the run.
 */
export async function measureSoak({ minutes, say }: Bench): Promise<Finding> {
  using scratch = new Scratch(tmpdir(), 'jurisprudencia-soak');
  say('soak: making demo data');
  await using service = await startChild(scratch.folder, AS_SHIPPED);
  say(`soak: ${PER_SECOND} requests a second for ${minutes} minutes`);
  const { seen, incomplete } = await soakService(service, scratch.folder, minutes * 60_000);
  const { acts, broken, held } = seen;
  if (broken.size > 0) process.exitCode = 1;
  const counts = { acts: Object.fromEntries(acts), broken: Object.fromEntries(broken), incomplete };
  return { rows: rowsOf(seen, incomplete, minutes), details: { minutes, ...counts, held } };
}

function rowsOf({ acts, broken, held }: Seen, incomplete: number, minutes: number): Row[] {
  const lengthMs = minutes * 60_000;
  const warm = Math.min(WARM_UP.share * lengthMs, WARM_UP.msMax);
  const window = Math.min(WINDOW.share * lengthMs, WINDOW.msMax);
  // From the first sample on and up to the last one, wherever a busy machine took them.
  const first = held.find(({ at }) => at >= warm)?.at ?? 0;
  const last = held.at(-1)?.at ?? 0;
  const within = (from: number, to: number) => held.filter(({ at }) => at >= from && at <= to);
  const flat = HELD.map(([name, field, unit]): Row => {
    const [start, end] = [within(first, first + window), within(last - window, last)].map((some) =>
      median(some.map(({ holdings }) => holdings[field])),
    );
    return flatRow(name, start ?? Number.NaN, end ?? Number.NaN, unit);
  });
  const total = [...broken.values()].reduce((sum, count) => sum + count, 0);
  const shown = [...broken].slice(0, BROKEN_SHOWN).map(([what, count]) => info(`  broken ${count}x`, what));
  return [
    ...flat,
    { measure: 'promises broken', aim: 'none', reached: String(total), ok: total === 0 },
    ...shown,
    info('searches with a base missing', String(incomplete)),
    info('done', `${minutes} minutes, ${PER_SECOND} requests a second`),
    ...[...acts].map(([name, count]) => info(`  ${name}`, String(count))),
  ];
}

function flatRow(measure: string, start: number, end: number, unit: string): Row {
  const change = 100 * (end / start - 1);
  return {
    measure,
    aim: `<= +${Math.round(100 * (FLAT - 1))}%`,
    reached: `${Math.round(start)} to ${Math.round(end)}${unit} (${change >= 0 ? '+' : ''}${change.toFixed(1)}%)`,
    ok: end <= start * FLAT,
  };
}
