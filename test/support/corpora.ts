import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Base } from '../../src/contract/enums.ts';

/**
 * Real decisions and real users' queries lie beside the checkout, not in it. Where they are absent the tests
 * that need them are skipped with a word; in CI (`CI` set) their absence is a failure.
 */
const FOLDER = join(import.meta.dirname, '../../../shared/corpora');
export const REAL_BASES = ['tst', 'stf', 'stj', 'tjmg', 'eproc'] as const satisfies readonly Base[];

export function hasCorpora(): boolean {
  const isThere = existsSync(join(FOLDER, 'consultas.txt'));
  if (!isThere && process.env['CI'] !== undefined) throw new Error(`CI needs the real data in ${FOLDER}`);
  return isThere;
}

export function corpusFile(base: (typeof REAL_BASES)[number]): string {
  return join(FOLDER, 'decisoes', `${base}.jsonl`);
}

export function corpusLines(base: (typeof REAL_BASES)[number]): string[] {
  return readFileSync(corpusFile(base), 'utf8').trim().split('\n');
}

export function realQueries(): string[] {
  return readFileSync(join(FOLDER, 'consultas.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
