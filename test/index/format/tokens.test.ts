import Database from 'better-sqlite3';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { TOKENIZER, tokens } from '../../../src/index/format/tokens.ts';

function openFts5(): (text: string) => string[] {
  const db = new Database(':memory:');
  db.exec(`CREATE VIRTUAL TABLE t USING fts5(c, tokenize = "${TOKENIZER}");
           CREATE VIRTUAL TABLE v USING fts5vocab(t, instance);`);
  return (text) => {
    db.exec('DELETE FROM t');
    db.prepare('INSERT INTO t (c) VALUES (?)').run(text);
    return db.prepare<[], string>('SELECT term FROM v ORDER BY "offset"').pluck().all();
  };
}
const fts5 = openFts5();

describe('tokens', () => {
  test.each([
    ['Danos MORAIS', ['danos', 'morais']],
    ['indenização à mãe', ['indenizacao', 'a', 'mae']],
    ['art. 7º, § 1.º', ['art', '7º', '1', 'º']],
    ['R$ 1.234,56', ['r', '1', '234', '56']],
    ["d'água", ['d', 'agua']],
    ['0001234-56.2020.8.13.0024', ['0001234', '56', '2020', '8', '13', '0024']],
    ['§ – “”', []],
    ['', []],
  ])('%j is split into %j', (text, expected) => {
    expect(tokens(text)).toEqual(expected);
  });

  test('every character of the basic plane is separated and folded as by FTS5', () => {
    const different: string[] = [];
    // Many characters to a text, apart from each other, so that the whole plane is one quick pass.
    for (let start = 1; start < 0x10000; start += 64) {
      const codes = Array.from({ length: 64 }, (_, at) => start + at);
      const whole = codes.filter((code) => code < 0xd800 || code > 0xdfff);
      const text = whole.map((code) => `x${String.fromCharCode(code)}y`).join(' ');
      if (JSON.stringify(tokens(text)) !== JSON.stringify(fts5(text))) different.push(start.toString(16));
    }
    expect(different).toEqual([]);
  });

  test('any text is split as by FTS5', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 60 });
    const legal = fc
      .array(fc.constantFrom('ação', 'Á', 'º', '1.2', ' ', '\u0301', '-', 'ﬁ', '\u{1d400}', 'ß', '\n', 'µ'))
      .map((parts) => parts.join(''));
    fc.assert(
      fc.property(fc.oneof(text, legal), (sample) => {
        expect(tokens(sample)).toEqual(fts5(sample));
      }),
      { numRuns: 500 },
    );
  });
});
