import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Base } from '../../src/contract/enums.ts';
import { hasNeeded } from './needed.ts';

/** Real decisions and real users' queries lie beside the checkout, not in it. */
const FOLDER = join(import.meta.dirname, '../../../shared/corpora');
export const REAL_BASES = ['tst', 'stf', 'stj', 'tjmg', 'eproc'] as const satisfies readonly Base[];

/** @throws in CI, where they must be there. */
export function hasCorpora(): boolean {
  return hasNeeded(`the real data in ${FOLDER}`, existsSync(join(FOLDER, 'consultas.txt')));
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
