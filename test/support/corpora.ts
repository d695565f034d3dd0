import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { TIPOS_DA_BASE } from '../../src/contract/catalog.ts';
import { isOneOf, type Base } from '../../src/contract/vocabulary.ts';
import { hasNeeded } from './needed.ts';

/** Real decisions and real users' queries are next to the checkout, not in it. */
const FOLDER = join(import.meta.dirname, '../../../shared/corpora');
export const REAL_BASES = ['tst', 'stf', 'stj', 'tjmg', 'eproc'] as const satisfies readonly Base[];

/** @throws in CI, where they must be there. */
export function hasCorpora(): boolean {
  return hasNeeded(`the real data in ${FOLDER}`, existsSync(join(FOLDER, 'consultas.txt')));
}

/** Sentences of judgments with the citations that people marked, one JSON object a line. */
export const CITATIONS_FILE = join(FOLDER, 'citacoes/treino.jsonl');

export function corpusFile(base: (typeof REAL_BASES)[number]): string {
  return join(FOLDER, 'decisoes', `${base}.jsonl`);
}

/** The lines that the base takes: the STJ's file has súmulas, too, and the base holds acórdãos alone. */
export function corpusLines(base: (typeof REAL_BASES)[number]): string[] {
  const lines = readFileSync(corpusFile(base), 'utf8').trim().split('\n');
  return lines.filter((line) =>
    isOneOf(TIPOS_DA_BASE[base], (JSON.parse(line) as { readonly tipo: unknown }).tipo),
  );
}

export function realQueries(): string[] {
  return readFileSync(join(FOLDER, 'consultas.txt'), 'utf8')
    .split('\n')
    .filter((line) => line !== '');
}
