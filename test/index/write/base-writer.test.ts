import type Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { VERSION_DAYS, baseFile } from '../../../src/index/format/schema.ts';
import { openForWriting } from '../../../src/index/write/base-file.ts';
import { BaseWriter, OPEN_MS_MAX } from '../../../src/index/write/base-writer.ts';
import type { NewRecord } from '../../../src/index/write/record-batch.ts';
import { lastDays } from '../../../src/ingest/dates.ts';
import { RecordMaker, writeLines } from '../../../src/ingest/record-maker.ts';
import { damagesOf, listsIn } from '../../support/index-content.ts';
import { temporaryFolder } from '../../support/service.ts';

describe('the writer of a base', () => {
  let folder: string;
  let db: Database.Database;
  beforeEach(() => {
    folder = temporaryFolder();
    db = openForWriting(folder, 'stj');
  });
  afterEach(() => {
    vi.restoreAllMocks();
    vi.useRealTimers();
    db.close();
  });
  const line = (chave: string, ementa: string) => JSON.stringify({ tipo: 'acordao', chave, ementa });
  const rowsOf = (table: string) => db.prepare<[], number>(`SELECT count(*) FROM ${table}`).pluck().get();
  const numberOf = (chave: string) =>
    db.prepare<[string], number>('SELECT doc_id FROM source_keys WHERE key = ?').pluck().get(chave);
  const last = lastDays(new Date());
  let maker: RecordMaker;
  beforeEach(() => {
    maker = new RecordMaker('stj');
  });
  const damages = () => damagesOf(baseFile(folder, 'stj'), 'stj');
  const INDEX = ['postings', 'positions', 'terms', 'replaced', 'term_vectors'];
  const index = () => INDEX.map((table) => db.prepare(`SELECT * FROM ${table}`).all());

  test('reports the outcome of decisions once they are committed', () => {
    const writer = new BaseWriter(db);
    writeLines(writer, 'stj', [line('a', 'um'), line('b', 'dois')]);
    expect(writer.committed).toEqual({ added: 2, replaced: 0, unchanged: 0 });
    writeLines(writer, 'stj', [line('a', 'um'), line('b', 'outra'), line('c', 'mais')]);
    expect(writer.committed).toEqual({ added: 3, replaced: 1, unchanged: 1 });
    // One that is made up, which none of a court may stand among.
    const madeUp = JSON.stringify({ tipo: 'acordao', chave: 'd', extras: { demonstracao: true } });
    expect(() => {
      writeLines(writer, 'stj', [line('e', 'cinco'), madeUp]);
    }).toThrow('real decisions');
    expect(writer.committed).toEqual({ added: 3, replaced: 1, unchanged: 1 });
    writeLines(writer, 'stj', [line('e', 'cinco')]);
    expect(writer.committed).toEqual({ added: 4, replaced: 1, unchanged: 1 });
    expect(numberOf('e')).toBe(4);
    expect(damages()).toEqual([]);
  });

  test('commits after four seconds, also while decisions follow each other without a pause', () => {
    const clock = vi.spyOn(performance, 'now');
    let ms = 1_000;
    clock.mockImplementation(() => (ms += 1_500));
    const lines = ['a', 'b', 'c', 'd'].map((chave) => line(chave, `texto ${chave}`));
    const writer = new BaseWriter(db);
    const { items, texts } = maker.recordsOf({ lines, cut: [], last });
    writer.addTerms(texts);
    for (const item of items) if (typeof item !== 'string') writer.write(item);
    expect(writer.committed.added).toBe(3);
    clock.mockRestore();
    writer.commit();
    expect(writer.committed.added).toBe(4);
    expect(damages()).toEqual([]);
  });

  test('keeps a transaction open for as long as the last commit took, if that was longer', () => {
    const clock = vi.spyOn(performance, 'now');
    let ms = 0;
    clock.mockImplementation(() => ms);
    const writer = new BaseWriter(db);
    const add = (chave: string) => {
      const { items, texts } = maker.recordsOf({ lines: [line(chave, chave)], cut: [], last });
      writer.addTerms(texts);
      for (const item of items) if (typeof item !== 'string') writer.write(item);
    };
    const commitIn = (taken: number) => {
      // The second look at the clock is the one after the commit.
      clock.mockImplementationOnce(() => ms).mockImplementationOnce(() => (ms += taken));
      writer.commit();
    };
    add('a');
    commitIn(9_000);
    add('b');
    ms += 8_999;
    writer.commitIfOld();
    expect(writer.committed.added).toBe(1);
    ms += 1;
    writer.commitIfOld();
    expect(writer.committed.added).toBe(2);
    add('c');
    ms += OPEN_MS_MAX;
    writer.commitIfOld();
    expect(writer.committed.added).toBe(3);
  });

  test('reads a decision in its latest form, even before the commit', () => {
    const writer = new BaseWriter(db);
    const lines = ['um', 'dois', 'três'].map((ementa) => line('a', ementa));
    const { items, texts } = maker.recordsOf({ lines, cut: [], last });
    const [one, two, coming] = items as NewRecord[];
    writer.addTerms(texts);
    const read = () => writer.read(coming!)?.ementa;
    const seen: unknown[] = [read()];
    for (const item of [one!, two!]) {
      writer.write(item);
      seen.push(read());
    }
    writer.commit();
    expect([...seen, read()]).toEqual([undefined, 'um', 'dois', 'dois']);
    expect(writer.read(two!)).toBeNull();
    expect(damages()).toEqual([]);
  });

  test('rewrites nothing of the index if a replaced decision keeps its indexed texts', () => {
    const writer = new BaseWriter(db);
    const full = (fields: object) =>
      JSON.stringify({ tipo: 'acordao', chave: 'a', ementa: 'um', tese: 'dois', temas: ['três'], ...fields });
    writeLines(writer, 'stj', [full({}), line('b', 'um quatro')]);
    const before = index();
    const others = { relator: 'Fulana', citacao: 'REsp 1', data_julgamento: '2020-01-31' };
    writeLines(writer, 'stj', [full(others)]);
    expect(writer.committed).toMatchObject({ replaced: 1 });
    expect(index()).toEqual(before);
    const changes = [{ processo: '7' }, { tese: 'x' }, { temas: ['y'] }, { ementa: 'z' }];
    for (const [at, changed] of changes.entries()) {
      writeLines(writer, 'stj', [full(changed)]);
      expect(rowsOf('replaced')).toBe(at + 1);
    }
    expect(damages()).toEqual([]);
  });

  test('rewrites the index only if the words of a full text change, or their order', () => {
    const writer = new BaseWriter(db);
    const full = (texto: string, fields: object) =>
      JSON.stringify({ tipo: 'acordao', chave: 'a', texto, ...fields });
    writeLines(writer, 'stj', [full('um dois um', {}), line('b', 'um quatro')]);
    const before = index();
    writeLines(writer, 'stj', [full('um dois um', { relator: 'Fulana' })]);
    expect(writer.committed).toMatchObject({ replaced: 1 });
    expect(index()).toEqual(before);
    writeLines(writer, 'stj', [full('um um dois', {})]);
    expect(rowsOf('replaced')).toBe(1);
    const [posting] = listsIn(baseFile(folder, 'stj'), 'stj').get('um') ?? [];
    expect(posting).toEqual([1, expect.any(Number), 0, 1]);
    writeLines(writer, 'stj', [line('a', 'um um dois')]);
    expect(rowsOf('term_vectors')).toBe(0);
    expect(rowsOf('replaced')).toBe(2);
    expect(damages()).toEqual([]);
  });

  test('keeps replaced versions for the days that a cursor may need them', () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-11-22T10:00:00Z') });
    const writer = new BaseWriter(db);
    const load = (ementa: string, day: number) => {
      vi.setSystemTime(new Date(Date.UTC(2026, 10, 22 + day, 10)));
      writeLines(writer, 'stj', [line('a', ementa)]);
    };
    load('um', 0);
    load('dois', 0);
    load('três', 1);
    expect(rowsOf('replaced')).toBe(2);
    load('quatro', VERSION_DAYS);
    expect(rowsOf('replaced')).toBe(3);
    load('cinco', VERSION_DAYS + 1);
    expect(rowsOf('replaced')).toBe(3);
    load('seis', 2 * VERSION_DAYS + 2);
    expect(rowsOf('replaced')).toBe(1);
    expect(damages()).toEqual([]);
  });
});
