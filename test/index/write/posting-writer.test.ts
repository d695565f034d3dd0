import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openList } from '../../../src/index/format/posting-list.ts';
import { listKey } from '../../../src/index/format/schema.ts';
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
  const decisionsOf = (word: string) => {
    const id = db.prepare<[string], number>('SELECT id FROM lexico WHERE termo = ?').pluck().get(word) ?? 0;
    const row = db.prepare<[number], Buffer>('SELECT dados FROM impacto WHERE lista = ?').pluck();
    return [...(openList(row.get(listKey(id, 0)) ?? new Uint8Array(0)).offsets ?? [])];
  };
  expect(decisionsOf('usucapiao')).toEqual([1, 2, 3]);
  expect(decisionsOf('especial')).toEqual([1]);
  expect(decisionsOf('rural')).toEqual([3]);
  const postings = db.prepare<[string], number>('SELECT postagens FROM prefixo WHERE texto = ?').pluck();
  expect(['u', 'us', 'ur', 'r'].map((prefix) => postings.get(prefix))).toEqual([4, 3, 1, 1]);
  db.close();
  rmSync(folder, { recursive: true });
});
