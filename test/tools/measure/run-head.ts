import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../../support/run.ts';
import { machineName } from './report.ts';

/**
 * What every figure of a run is of: version, commit, day and machine, as one line of a page.
 * @param more what else they depend on, such as the load generator.
 */
export function runHead(now: Date, more = ''): string {
  const git = Bun.spawnSync(['git', 'rev-parse', '--short', 'HEAD'], { cwd: ROOT, stderr: 'ignore' });
  const commit = git.success ? ` (commit ${git.stdout.toString().trim()})` : '';
  const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string };
  const day = now.toISOString().slice(0, 10);
  return `Version ${version}${commit}, ${day}, on ${machineName()}${more}.`;
}

/** A page of `docs/`. */
export function docsPage(name: string): string {
  return join(ROOT, 'docs', name);
}
