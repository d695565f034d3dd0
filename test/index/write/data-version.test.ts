import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { Handler } from '../../../workers/handler.ts';
import { readOf } from '../../support/requests.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';

function versionIn(file: string): string | undefined {
  const handler = new Handler(file, 'stj');
  const [outcome] = handler.run([{ ...readOf([]), budget_ms: 1_000 }]);
  handler.close();
  return outcome?.ok === true ? outcome.value.version : undefined;
}

const line = (chave: string) => ({ tipo: 'acordao', chave, ementa: `dano ${chave}` });

test('only copies of a file have the same data version', () => {
  const [one, other] = [temporaryFolder(), temporaryFolder()];
  for (const folder of [one, other]) loadLines(folder, 'stj', [line('a')]);
  const file = baseFile(one, 'stj');
  expect(versionIn(file)).toMatch(/^1-[0-9a-f]{8}$/u);
  expect(versionIn(baseFile(other, 'stj'))).not.toBe(versionIn(file));
  const copy = join(temporaryFolder(), 'copy.db');
  copyFileSync(file, copy);
  expect(versionIn(copy)).toBe(versionIn(file));
  loadLines(one, 'stj', [line('b')]);
  expect(versionIn(file)).toMatch(/^2-/u);
  loadLines(one, 'stj', [line('b')]);
  expect(versionIn(file)).toMatch(/^2-/u);
});
