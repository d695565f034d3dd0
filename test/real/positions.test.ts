import { beforeAll, describe, expect, test } from 'vitest';
import type { SearchRequest } from '../../src/engine/messages.ts';
import { INDEXED_FIELDS } from '../../src/index/format/bm25f.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { tokens } from '../../src/index/format/tokens.ts';
import { Rng } from '../../src/tools/demo/rng.ts';
import { Handler } from '../../workers/handler.ts';
import { REAL_BASES, corpusLines, hasCorpora } from '../support/corpora.ts';
import { fts5Of } from '../support/fts5-oracle.ts';
import { searchFor, searched } from '../support/requests.ts';
import { loadLines, temporaryFolder, type Line } from '../support/service.ts';

const QUERIES = 300;

/** Queries made of what stands in a decision, so that most of them have matches. */
class Asking {
  readonly #rng = new Rng(11);
  readonly #texts: readonly (readonly string[])[];

  constructor(lines: readonly string[]) {
    this.#texts = lines
      .map((line) => JSON.parse(line) as Record<string, string | string[] | null>)
      .flatMap((fields) => [
        fields['ementa'] ?? fields['texto'],
        fields['tese'],
        fields['dispositivo'],
        fields['temas'],
      ])
      .map((text) => tokens(Array.isArray(text) ? text.join('\n') : (text ?? '')))
      .filter((text) => text.length > 6);
  }

  query(): string {
    const parts = Array.from({ length: this.#rng.between(1, 3) }, () => this.#clause());
    return parts.join(this.#rng.pick([' AND ', ' OR ', ' NOT ', ' ']));
  }

  #clause(): string {
    const text = this.#rng.pick(this.#texts);
    const from = this.#rng.chance(0.2) ? 0 : this.#rng.between(0, text.length - 4);
    const column = this.#rng.chance(0.3)
      ? this.#rng.pick([`${this.#rng.pick([...INDEXED_FIELDS])} : `, '- ementa : ', '{tese dispositivo} : '])
      : '';
    if (this.#rng.chance(0.35)) {
      const words = [0, 1, 2].map(() => this.#term(text[from + this.#rng.between(0, 3)] ?? ''));
      return `${column}NEAR(${words.join(' ')}${this.#rng.pick(['', ', 1', ', 3'])})`;
    }
    const words = text.slice(from, from + this.#rng.between(1, 4));
    const last = words.pop() ?? '';
    const phrase = [...words.map((word) => `"${word}"`), this.#term(last)].join(' + ');
    return `${column}${from === 0 && this.#rng.chance(0.5) ? '^ ' : ''}${phrase}`;
  }

  #term(word: string): string {
    return this.#rng.chance(0.25) ? `"${word.slice(0, this.#rng.between(1, 6))}" *` : `"${word}"`;
  }
}

describe.skipIf(!hasCorpora())('the positions of words in real decisions', () => {
  let dataDir: string;
  beforeAll(() => {
    dataDir = temporaryFolder();
    for (const base of REAL_BASES) {
      loadLines(
        dataDir,
        base,
        corpusLines(base).map((line) => JSON.parse(line) as Line),
      );
    }
  });

  test.each(REAL_BASES)('match as in FTS5 in %s', (base) => {
    const file = baseFile(dataDir, base);
    const byFts5 = fts5Of(base, corpusLines(base));
    const handler = new Handler(file, base);
    const found = (request: SearchRequest) => searched(handler, request).doc_ids;
    const asking = new Asking(corpusLines(base));
    let matches = 0;
    for (let at = 0; at < QUERIES; at += 1) {
      const q = asking.query();
      const expected = byFts5(q);
      expect({ q, found: found(searchFor(q, { doc_ids_max: 10_000 })) }).toEqual({ q, found: expected });
      const ranked = found(searchFor(q, { doc_ids_max: 10_000, ordem: 'relevancia' }));
      expect({ q, found: ranked.toSorted((a, b) => b - a) }).toEqual({ q, found: expected });
      matches += expected.length;
    }
    expect(matches).toBeGreaterThan(QUERIES);
    handler.close();
  });
});
