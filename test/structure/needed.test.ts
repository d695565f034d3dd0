import { expect, it } from 'vitest';
import { isCi } from '../support/needed.ts';

it.each([undefined, '', ' ', '0', 'false', 'False'])('takes CI=%j for a machine of a developer', (CI) => {
  expect(isCi({ CI })).toBe(false);
});

it.each(['true', '1', 'woodpecker'])('takes CI=%j for CI, where a missing tool is an error', (CI) => {
  expect(isCi({ CI })).toBe(true);
});
