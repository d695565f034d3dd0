import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { rawMember } from '../../src/ingest/raw-member.ts';

describe('the raw text of a member', () => {
  test.each([
    ['{"a":1,"extras":{"2":1.0,"1":12345678901234567890}}', '{"2":1.0,"1":12345678901234567890}'],
    ['{"extras" : { "a" : [ 1 , 2 ] } , "b":"}"}', '{ "a" : [ 1 , 2 ] }'],
    ['{"x":"\\"extras\\":1","extras":{}}', '{}'],
    [String.raw`{"\u0065xtras":{"escaped":true}}`, '{"escaped":true}'],
    ['{"extras":1,"extras":{"last":1e400}}', '{"last":1e400}'],
    ['{"a":{"extras":1},"b":[{"extras":2}]}', null],
    ['{}', null],
    [' { "extras":{"q":"\\\\"}}', '{"q":"\\\\"}'],
  ])('of %s is %s', (json, expected) => {
    expect(rawMember(json, 'extras')).toBe(expected);
  });

  test('parses to the value of JSON.parse, for any object and spacing', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.jsonValue(),
        fc.constantFrom(undefined, 1, '\t'),
        (object, value, space) => {
          const json = JSON.stringify({ ...object, extras: value }, null, space);
          expect(JSON.parse(rawMember(json, 'extras') ?? 'null')).toEqual(JSON.parse(JSON.stringify(value)));
        },
      ),
    );
  });
});
