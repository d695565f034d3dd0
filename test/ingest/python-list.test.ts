import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { pythonList } from '../../src/ingest/python-list.ts';

/** As Python prints a text: in single quotes, or in double quotes where it holds single ones alone. */
function printed(text: string): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const body = [...text]
    .map((letter) => {
      const code = letter.codePointAt(0) ?? 0;
      if (letter === '\\' || letter === quote) return `\\${letter}`;
      const short = { '\n': String.raw`\n`, '\r': String.raw`\r`, '\t': String.raw`\t` }[letter];
      if (short !== undefined) return short;
      if (code < 0x20 || (code > 0x7e && code < 0xa0)) return `\\x${code.toString(16).padStart(2, '0')}`;
      if (code >= 0x2000 && code < 0x2070) return `\\u${code.toString(16)}`;
      return code > 0x1_f000 ? `\\U${code.toString(16).padStart(8, '0')}` : letter;
    })
    .join('');
  return quote + body + quote;
}

const text = fc.string({
  unit: fc.oneof(fc.constantFrom("'", '"', '\\', '\n', '[', ',', 'n', 'x'), fc.string()),
});

describe('a list as Python prints it', () => {
  test('is read as the list that was printed', () => {
    fc.assert(
      fc.property(fc.array(text), (list) => {
        const whole = list.map((element) => element.toWellFormed());
        expect(pythonList(`[${whole.map(printed).join(', ')}]`)).toEqual(whole);
      }),
      { numRuns: 2_000 },
    );
  });

  test.each([
    ['[]', []],
    [' [ ] ', []],
    ["['a']", ['a']],
    ["['a',]", ['a']],
    ['[ \'a\' ,\n "b" ]', ['a', 'b']],
    [`["d'água", 'diz "sim"', '\\'\\"']`, ["d'água", 'diz "sim"', `'"`]],
    [String.raw`['\x41\101\u0042\U00000043\0', '\q\d', '\\n', '\n\t']`, ['AABC\0', '\\q\\d', '\\n', '\n\t']],
    ["['LEG:FED\n ART:1', None, '']", ['LEG:FED\n ART:1', '']],
    ["['a\\\nb', 'None', '[x]']", ['ab', 'None', '[x]']],
    ['["a\\u00e7\\u00e3o", "x\\/y"]', ['ação', 'x\\/y']],
  ])('%j is read', (printedList, list) => {
    expect(pythonList(printedList)).toEqual(list);
  });

  test.each([
    ...String.raw`|[|]|[,]|['a'|['a]|['a'] b|['a']]|['a' 'b']|['a',,]|[a]|[1]|[['a']]|('a',)|{'a'}`.split(
      '|',
    ),
    ...String.raw`['a', 1]|['a', Nonesuch]|[u'a']|['\x4']|['\N{DASH}']|['\U00110000']|['a\']`.split('|'),
    'LEG-FED [x]',
    '[[HC 170117]]',
    `['${'a'.repeat(1_000_000)}']`,
  ])('%.40j is no list', (no) => {
    expect(pythonList(no)).toBeNull();
  });

  test('is read or refused, whatever is between its brackets', () => {
    const any = fc.string({ unit: fc.constantFrom(...`'"\\[], xN0`) });
    fc.assert(
      fc.property(any, (inside) => {
        const list = pythonList(`[${inside}]`);
        expect(list === null || list.every((element) => typeof element === 'string')).toBe(true);
      }),
      { numRuns: 5_000 },
    );
  });
});
