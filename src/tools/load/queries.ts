import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { PlainError } from '../../process/fail.ts';
import { Q_MAX, Q_MIN } from '../../contract/vocabulary.ts';

/** A longer file is not accepted as a list of queries. */
const FILE_BYTES_MAX = 16 * 2 ** 20;

/** Typical searches, a query string a line: common and rare words, phrases, prefixes, each kind of filter. */
const BUILT_IN = join(import.meta.dirname, 'built-in.txt');

export function builtInSearches(): string[] {
  const lines = readFileSync(BUILT_IN, 'utf8').trimEnd().split('\n');
  return lines.map((search) => new URLSearchParams(search).toString());
}

/**
 * Reads searches from a file as query strings: one `q` a line; empty lines are ignored.
 * @throws PlainError that names the line; the system's errors.
 */
export function searchesOf(file: string): string[] {
  const bytes = readFileSync(file);
  if (bytes.length > FILE_BYTES_MAX)
    throw new PlainError(`${file} is larger than 16 MiB; write one query a line`);
  const searches: string[] = [];
  for (const [at, line] of bytes.toString('utf8').split(/\r?\n/u).entries()) {
    const q = line.replace(/^\uFEFF/u, '').trim();
    if (q === '') continue;
    const length = [...q].length;
    if (length < Q_MIN || length > Q_MAX)
      throw new PlainError(
        `${file}, line ${at + 1}: a query has ${Q_MIN} to ${Q_MAX} characters, this one ${length}`,
      );
    searches.push(new URLSearchParams({ q }).toString());
  }
  if (searches.length === 0) throw new PlainError(`${file} holds no query; write one a line`);
  return searches;
}
