import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, expect, test } from 'vitest';
import { explain } from '../../src/process/fail.ts';
import { createAtomically, writeAtomically } from '../../src/process/files.ts';
import { ownPort } from '../support/own-port.ts';
import { temporaryFolder } from '../support/service.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function failureOf(write: () => void): Error {
  try {
    write();
  } catch (error) {
    return error as Error;
  }
  throw new Error('it did not fail');
}

test.each([
  ['a name that is too long with what is added to it', 'x'.repeat(250), writeAtomically],
  ['a folder in its place', 'a', writeAtomically],
  ['a file that is there already', 'a', createAtomically],
])('a file that cannot be written is named in the error for %s', (_, name, write) => {
  mkdirSync(join(folder, 'a', 'b'), { recursive: true });
  const error = failureOf(() => {
    write(join(folder, name), 'text');
  });
  expect(error.message).toContain(join(folder, name));
  for (const text of [error.message, explain(error), JSON.stringify(error)])
    expect(text).not.toContain('.tmp');
});

test('an address where nothing listens is reported in plain words', async () => {
  const error = await fetch(`http://127.0.0.1:${ownPort()}`).catch((reason: unknown) => reason);
  expect(explain(error)).toBe('ECONNREFUSED: nothing listens at this address');
});
