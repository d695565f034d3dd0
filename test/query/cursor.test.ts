import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { Type } from 'typebox';
import { Check } from 'typebox/value';
import { describe, expect, test } from 'vitest';
import type { After } from '../../src/engine/messages.ts';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import { CursorCodec, type Cursor } from '../../src/query/cursor.ts';

const secret = Buffer.alloc(32, 7);
const codec = new CursorCodec(secret);
const PARAMETERS = '["dano moral"]';

const whole = fc.integer({ min: 0, max: 2 ** 40 });
const recentes = fc.record(
  { ordem: fc.constant('recentes' as const), below: whole, generation: whole },
  { requiredKeys: ['ordem', 'below'] },
);
const relevancia = fc.record({
  ordem: fc.constant('relevancia' as const),
  doc_id_max: whole,
  df: fc.array(whole, { maxLength: 20 }),
  score: fc.oneof(fc.constant(null), fc.double({ noNaN: true, noDefaultInfinity: true, min: 0 })),
  doc_id: whole,
  generation: whole,
});
const after: fc.Arbitrary<After | null> = fc.oneof(fc.constant(null), recentes, relevancia);
const cursor: fc.Arbitrary<Cursor> = fc.record({
  vez: fc.constantFrom(...BASES),
  after: fc
    .uniqueArray(fc.tuple(fc.constantFrom(...BASES), after), { minLength: 1, selector: ([base]) => base })
    .map((entries) => new Map<Base, After | null>(entries)),
});

/** A cursor signed with our own secret, whatever its content: as a bug or a leaked secret might make it. */
function signed(packed: unknown): string {
  return sealed(Buffer.from(JSON.stringify(packed)));
}
function sealed(body: Buffer): string {
  const mac = createHmac('sha256', secret).update(body).digest().subarray(0, 16);
  return Buffer.concat([mac, body]).toString('base64url');
}
/** The fingerprint of `PARAMETERS`, read out of a cursor of ours. */
function fingerprint(): unknown {
  const text = codec.encode({ vez: 'tst', after: new Map([['tst', null]]) }, PARAMETERS);
  return (JSON.parse(Buffer.from(text, 'base64url').subarray(16).toString()) as unknown[])[1];
}

describe('a cursor', () => {
  test('holds the position in each base, the applied order and the turn, exactly', () => {
    fc.assert(
      fc.property(cursor, (original) => {
        expect(codec.decode(codec.encode(original, PARAMETERS), PARAMETERS)).toEqual(original);
      }),
    );
  });

  test('is refused for a search with other parameters', () => {
    const text = codec.encode({ vez: 'tst', after: new Map([['tst', null]]) }, PARAMETERS);
    expect(codec.decode(text, '["dano material"]')).toBe('other_search');
  });

  test('is refused once any of its characters is changed, added or taken away', () => {
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_=.%\u00e7';
    const change = [fc.nat(), fc.constantFrom(...alphabet), fc.constantFrom(0, 1)] as const;
    fc.assert(
      fc.property(cursor, ...change, (original, seed, character, removed) => {
        const text = codec.encode(original, PARAMETERS);
        const at = seed % text.length;
        const changed = text.slice(0, at) + character + text.slice(at + removed);
        fc.pre(changed !== text);
        expect(codec.decode(changed, PARAMETERS)).toBe('invalid');
      }),
    );
  });

  test('is refused when another secret signed it', () => {
    const other = new CursorCodec(Buffer.alloc(32, 8));
    const text = other.encode({ vez: 'tst', after: new Map([['tst', null]]) }, PARAMETERS);
    expect(codec.decode(text, PARAMETERS)).toBe('invalid');
  });

  test.each([
    ['a negative offset', [[0, -1]]],
    ['an unknown base', [[6, 10]]],
    // One twice.
    ['two places of a base', Array.from({ length: 2 }, () => [0, 10])],
    ['no base at all', []],
    ['an unknown order', [[0, 'antigas']]],
    ['a fraction for a number', [[0, 1.5]]],
    ['a negative document frequency', [[0, 10, [-1], 0.5, 3, 1]]],
    ['a number that no double holds exactly', [[0, 2 ** 53]]],
    ['a generation that is missing', [[0, 10, [1], 0.5, 3]]],
  ])('with %s is refused even when the signature holds', (_, entries) => {
    expect(codec.decode(signed([1, fingerprint(), 0, entries]), PARAMETERS)).toBe('invalid');
  });

  test('is accepted only if each position has the form that a base accepts', () => {
    const place = Type.Integer({ minimum: 0, maximum: BASES.length - 1 });
    const integer = Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER });
    const score = Type.Union([Type.Number(), Type.Null()]);
    const schema = Type.Union([
      Type.Tuple([place]),
      Type.Tuple([place, integer]),
      Type.Tuple([place, integer, integer]),
      Type.Tuple([place, integer, Type.Array(integer), score, integer, integer]),
    ]);
    const entries = [[0], [5, 10], [2, 10, 4], [1, 9, [3, 0], 0.5, 2, 1], [1, 9, [], null, 2, 1]];
    const right = fc.constantFrom<unknown[]>(...entries);
    const numbers = [0, 6, -1, 1.5, 2 ** 53 - 1, 2 ** 53, 1e300];
    const others = [null, '1', true, {}, [], [1], [-1], [2 ** 53], ['1'], [null]];
    const odd = fc.constantFrom<unknown>(...numbers, ...others);
    fc.assert(
      fc.property(right, fc.nat({ max: 6 }), fc.nat({ max: 2 }), fc.array(odd), (entry, at, cut, put) => {
        const changed = entry.toSpliced(at, cut, ...put.slice(0, 2));
        const decoded = codec.decode(signed([1, fingerprint(), 0, [changed]]), PARAMETERS);
        expect(typeof decoded !== 'string').toBe(Check(schema, changed));
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['a turn that is no base', [1, fingerprint(), 6, [[0]]]],
    ['a fingerprint that is no text', [1, 7, 0, [[0]]]],
    ['no list of bases', [1, fingerprint(), 0, 0]],
    ['more than there is', [1, fingerprint(), 0, [[0]], 0]],
    ['nothing', null],
  ])('with %s is refused even when the signature holds', (_, packed) => {
    expect(codec.decode(signed(packed), PARAMETERS)).toBe('invalid');
  });

  test.each(['', 'nonsense', '[', '[1,', '{"a":1}', 'null', '\u0000', '\ufffd', '['.repeat(4_000)])(
    'is refused if its signed content is %j',
    (text) => {
      expect(codec.decode(sealed(Buffer.from(text)), PARAMETERS)).toBe('invalid');
      expect(codec.decode(sealed(Buffer.from([0xff, 0xfe])), PARAMETERS)).toBe('invalid');
    },
  );

  test('of another version is refused', () => {
    expect(codec.decode(signed([2, fingerprint(), 0, [[0]]]), PARAMETERS)).toBe('invalid');
  });

  test('that is too long is refused before it is decoded', () => {
    expect(codec.decode('A'.repeat(100_000), PARAMETERS)).toBe('invalid');
  });

  test('fits a URL with six bases and the frequencies of 150 words each', () => {
    const df = Array.from({ length: 150 }, () => 1_000_000);
    const numbers = {
      doc_id_max: 5_000_000,
      score: 1234.5678901234567,
      doc_id: 4_999_999,
      generation: 9_999,
    };
    const position: After = { ordem: 'relevancia', df, ...numbers };
    const afterOf = new Map(BASES.map((base) => [base, position]));
    const text = codec.encode({ vez: 'tst', after: afterOf }, PARAMETERS);
    expect(text.length).toBeLessThan(12_000);
    expect(codec.decode(text, PARAMETERS)).toMatchObject({ vez: 'tst' });
  });
});
