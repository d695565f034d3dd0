import { expect, test } from 'vitest';
import { impact } from '../../../src/index/format/bm25f.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import { listsIn } from '../../support/index-content.ts';
import { openForWriting } from '../../../src/index/write/base-file.ts';
import { writeLines } from '../../../src/ingest/record-maker.ts';
import { BaseWriter } from '../../../src/index/write/base-writer.ts';
import { temporaryFolder } from '../../support/service.ts';

test('a decision written twice in one transaction is listed in its last form', () => {
  const folder = temporaryFolder();
  const db = openForWriting(folder, 'stj');
  const writer = new BaseWriter(db);
  const line = (chave: string, ementa: string) => JSON.stringify({ tipo: 'acordao', chave, ementa });
  writeLines(writer, 'stj', [
    line('a', 'usucapião'),
    // Replaces the first, which is not in the lists yet.
    line('a', 'usucapião especial'),
    line('b', 'usucapião rural'),
    line('b', 'usucapião urbana'),
    line('a', 'usucapião extraordinária'),
    line('a', 'usucapião especial especial'),
    line('c', 'usucapião rural'),
  ]);
  writer.commit();
  const lists = listsIn(baseFile(folder, 'stj'), 'stj');
  const decisionsOf = (name: string) => (lists.get(name) ?? []).map(([docId]) => docId);
  expect(decisionsOf('usucapiao')).toEqual([1, 2, 3]);
  expect(decisionsOf('especial')).toEqual([1]);
  expect(decisionsOf('rural')).toEqual([3]);
  expect(decisionsOf('urbana')).toEqual([2]);
  expect(lists.get('extraordinaria') ?? []).toEqual([]);
  expect(lists.get('especial')).toEqual([[1, impact(2, 3), 1, 2]]);
  db.close();
});
