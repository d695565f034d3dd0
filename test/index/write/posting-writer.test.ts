import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { listsIn } from '../../support/index-content.ts';
import { openForWriting } from '../../../src/index/write/base-file.ts';
import { writeLines } from '../../../src/ingest/write-lines.ts';
import { BaseWriter } from '../../../src/index/write/base-writer.ts';
import { temporaryFolder } from '../../support/service.ts';

test('a word that is new in a transaction keeps its decisions when lists are written in the middle of it', () => {
  const folder = temporaryFolder();
  const db = openForWriting(folder, 'stj');
  const writer = new BaseWriter(db);
  const line = (chave: string, ementa: string) => JSON.stringify({ tipo: 'acordao', chave, ementa });
  writeLines(writer, 'stj', [
    line('a', 'usucapião'),
    // Replaces the first, for which the lists are written at once.
    line('a', 'usucapião especial'),
    line('b', 'usucapião rural'),
    line('b', 'usucapião urbana'),
    line('c', 'usucapião rural'),
  ]);
  writer.commit();
  const lists = listsIn(baseFile(folder, 'stj'), 'stj');
  const decisionsOf = (name: string) => (lists.get(name) ?? []).map(([numero]) => numero);
  expect(decisionsOf('usucapiao')).toEqual([1, 2, 3]);
  expect(decisionsOf('especial')).toEqual([1]);
  expect(decisionsOf('rural')).toEqual([3]);
  expect(decisionsOf('urbana')).toEqual([2]);
  db.close();
  rmSync(folder, { recursive: true });
});
