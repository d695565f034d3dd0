import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** Each of them runs on a change that those before it do not notice. */
const TESTS_MAX = 8;
/** Whole processes and machines, too slow to run for each change if there are others. */
const SLOW = /^test\/(?:replicas|tools\/(?:bench|faults))\//u;

/**
 * The test files that import a file, directly or through others: the one of its name, then those of its room, then the
 * fewest imports away; of these the one that loads the least.
 */
export function testsOf(root: string, file: string): string[] {
  const own = join(dirname(file).replace(/^src/u, 'test'), `${basename(file, '.ts')}.test.ts`);
  const room = dirname(own);
  const near = testFiles(root).flatMap((test) => {
    const away = awayFrom(root, test);
    const steps = away.get(file);
    if (steps === undefined) return [];
    const order = [test === own, test.startsWith(room)].map((isFirst) => (isFirst ? 0 : 1));
    return [{ test, isSlow: test !== own && SLOW.test(test), order: [...order, steps, away.size] }];
  });
  near.sort((a, b) => a.order.map((value, at) => value - (b.order[at] ?? 0)).find(Boolean) ?? 0);
  const quick = near.filter(({ isSlow }) => !isSlow);
  return (quick.length > 0 ? quick : near).slice(0, TESTS_MAX).map(({ test }) => test);
}

function testFiles(root: string): string[] {
  const all = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' });
  return all.filter((name) => name.endsWith('.test.ts')).map((name) => join('test', name));
}

/** How many imports lead from a file to each that it loads. */
function awayFrom(root: string, from: string): ReadonlyMap<string, number> {
  const away = new Map([[from, 0]]);
  for (const [file, steps] of away)
    for (const next of importsOf(root, file)) if (!away.has(next)) away.set(next, steps + 1);
  return away;
}

const known = new Map<string, readonly string[]>();

function importsOf(root: string, file: string): readonly string[] {
  const path = join(root, file);
  const before = known.get(path);
  if (before !== undefined) return before;
  const text = existsSync(path) ? readFileSync(path, 'utf8') : '';
  const paths = text.matchAll(/^(?:import|export)\b[^;]*?'(\.[^']+\.ts)';/gmu);
  const found = Array.from(paths, ([, target = '']) => join(dirname(file), target));
  known.set(path, found);
  return found;
}
