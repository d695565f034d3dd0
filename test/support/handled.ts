import { afterAll, beforeAll } from 'vitest';
import type { Base } from '../../src/contract/vocabulary.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { Handler } from '../../workers/handler.ts';
import { loadLines, temporaryFolder, type Line } from './service.ts';

/** A handler of a base with these decisions, loaded before the tests of a file or group and removed after them. */
export function handled(base: Base, lines: readonly Line[]): Handler {
  const folder = temporaryFolder();
  const handler = new Handler(baseFile(folder, base), base);
  beforeAll(() => {
    loadLines(folder, base, lines);
  });
  afterAll(() => {
    handler.close();
  });
  return handler;
}
