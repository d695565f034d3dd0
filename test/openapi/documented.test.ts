import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../support/run.ts';

it('every request of the service’s tests is checked against the OpenAPI document: none calls fetch itself', () => {
  const bare = ['test/http', 'test/real', 'test/tools/faults', 'test/support'].flatMap((folder) =>
    readdirSync(join(ROOT, folder))
      .filter((name) => name.endsWith('.ts') && name !== 'documented.ts' && !/^measure-|^soak/u.test(name))
      .map((name) => join(folder, name))
      .filter((file) => /\bfetch\(/u.test(readFileSync(join(ROOT, file), 'utf8'))),
  );
  expect(bare).toEqual([]);
});
