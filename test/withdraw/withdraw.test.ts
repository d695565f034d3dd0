import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Base } from '../../src/contract/vocabulary.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { picksOf, type Picks } from '../../src/withdraw/picks.ts';
import { notStored } from '../../src/ingest/report.ts';
import { RejectsFile } from '../../src/ingest/rejects.ts';
import { LOG_NAME, readmit, withdraw } from '../../src/withdraw/withdraw.ts';
import { demoLines } from '../../src/tools/demo/generate.ts';
import { ingestHere } from '../ingest/support-ingest.ts';
import { SecondReader } from '../index/second-reader.ts';
import { damagesOf, listsIn } from '../support/index-content.ts';
import { loadLines, makeBases, temporaryFolder, type Line } from '../support/service.ts';
import { Handler } from '../../workers/handler.ts';
import { afterPage, coverFrom, readOf, searched, searchFor, textOf } from '../support/requests.ts';
import { filesWith, hasPacked, secretLine } from './support-withdraw.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  makeBases(folder);
  file = baseFile(folder, 'stj');
});

const picks = (...names: string[]): Picks => picksOf(folder, names, { key: [] });
const take = (...names: string[]) => withdraw(folder, picks(...names), null);
const plain = (chave: string, ementa = `Ementa de ${chave}`): Line => ({ tipo: 'acordao', chave, ementa });
const damages = () => damagesOf(file, 'stj');
const loadFile = (lines: readonly Line[], options = {}, base: Base = 'stj') => {
  const path = join(temporaryFolder(), `${base}.jsonl`);
  writeFileSync(path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  return ingestHere(folder, base, [path], options);
};

describe('a withdrawn decision', () => {
  test('leaves no byte of any of its versions in the data folder, and changes no other decision', () => {
    const secret = 'sombraxq';
    // Its first version is among the texts of the dictionary, its second has more, its third less.
    const others = [...demoLines('stj', 1_300, 5)].map((line) => {
      const read = JSON.parse(line) as Line;
      // Not marked as made up.
      delete read['extras'];
      return read;
    });
    loadLines(folder, 'stj', [secretLine('s', secret), ...others]);
    loadLines(folder, 'stj', [secretLine('s', secret, { tese: `${secret}segunda versao`, temas: [] })]);
    const fullText = { ementa: null, texto: `${secret}integra `.repeat(300) };
    loadLines(folder, 'stj', [secretLine('s', secret, fullText)]);
    expect(filesWith(folder, secret)).toEqual(['bases/stj.db']);
    expect(hasPacked(file, secret)).toBe(true);
    const before = listsIn(file, 'stj');

    expect(take('stj:1')).toEqual({ lines: expect.any(Array) as string[], isWhole: true });

    expect(filesWith(folder, secret)).toEqual([]);
    expect(hasPacked(file, secret)).toBe(false);
    expect(damages()).toEqual([]);
    for (const [name, postings] of before) {
      const left = postings.filter(([docId]) => docId !== 1);
      if (left.length === 0) before.delete(name);
      else before.set(name, left);
    }
    expect(listsIn(file, 'stj')).toEqual(before);
    const second = new SecondReader(file);
    expect([second.isWithdrawn(1), second.isWithdrawn(2)]).toEqual([true, false]);
    const handler = new Handler(file, 'stj');
    const [outcome] = handler.run([readOf([1, 2, 700, 1_301])]);
    if (outcome?.ok !== true || outcome.value.kind !== 'read') throw new Error(JSON.stringify(outcome));
    const [gone, ...rows] = outcome.value.rows;
    expect(gone).toBeNull();
    for (const [at, docId] of [2, 700, 1_301].entries())
      expect(JSON.stringify(second.record(docId).documento)).toBe(textOf(rows[at]));
    second.close();
    handler.close();
  });

  test('is in no count and no coverage, and its number is given to no other', () => {
    loadLines(folder, 'stj', [plain('a'), { ...plain('b'), data_julgamento: '2001-02-03' }, plain('c')]);
    take('stj:2', 'stj:3');
    loadLines(folder, 'stj', [plain('d')]);
    const handler = new Handler(file, 'stj');
    const reply = searched(handler, searchFor('ementa', { count_ms: 1_000, rows_max: 10 }));
    expect([reply.doc_ids, reply.count, reply.docs]).toEqual([[4, 1], 2, 2]);
    const [covered] = handler.run([coverFrom(0, 100)]);
    expect(covered).toMatchObject({ value: { total: 2, judged_min: null, types: ['acordao'] } });
    handler.close();
    expect(damages()).toEqual([]);
  });

  test('is missing from later pages of an earlier search, which repeat and skip no other', () => {
    const lines = Array.from({ length: 60 }, (_, at) =>
      plain(`k${at}`, `dano moral ${'dano '.repeat(at % 7)}`),
    );
    loadLines(folder, 'stj', lines);
    for (const ordem of ['relevancia', 'recentes'] as const) {
      const handler = new Handler(file, 'stj');
      const all = searched(handler, searchFor('dano', { ordem })).doc_ids;
      const first = searched(handler, searchFor('dano', { ordem, doc_ids_max: 10 }));
      const gone = [all[3], all[15], all[16], all.at(-1)].map((docId) => docId ?? 0);
      // One that is replaced after the first page keeps its place in it.
      loadLines(folder, 'stj', [plain(`k${(all[20] ?? 0) - 1}`, `moral ${ordem} dano`)]);
      take(...gone.map((docId) => `stj:${docId}`));
      const { start } = first;
      const after =
        start.ordem === 'recentes' ? { ...start, below: first.doc_ids.at(-1) ?? 0 } : afterPage(first);
      const later = searched(handler, searchFor('dano', { ordem, after }));
      expect(later.doc_ids).toEqual(all.slice(10).filter((docId) => !gone.includes(docId)));
      handler.close();
    }
    expect(damages()).toEqual([]);
  });

  test('is rejected without its text when loaded again, until its key is readmitted', async () => {
    const secret = 'sombraxr';
    loadLines(folder, 'stj', [plain('a'), secretLine('s', secret)]);
    take('stj:2');
    const other = secretLine('s', secret, { ementa: 'outra' });
    const refused = await loadFile([secretLine('s', secret), other, plain('b')]);
    expect(refused).toMatchObject({ exitCode: 0, out: expect.stringContaining('1 added') as string });
    expect(refused.out).toContain('rejected: 2 for withdrawn from this base');
    expect(filesWith(folder, secret)).toEqual([]);
    expect(readmit(folder, picks('stj:2'), null).lines).toEqual([
      'stj: 1 readmitted; a load gives each a new number',
    ]);
    expect((await loadFile([secretLine('s', secret)])).out).toContain('1 added');
    const handler = new Handler(file, 'stj');
    expect(searched(handler, searchFor(`${secret}tese`)).doc_ids).toEqual([4]);
    expect(handler.run([readOf([2])])).toMatchObject([{ value: { rows: [null] } }]);
    handler.close();
    expect(damages()).toEqual([]);
    // And it may go again, under its new number alone.
    expect(() => withdraw(folder, picks('stj:2'), null)).toThrow(/stj:2 was readmitted.*another id/u);
    take('stj:4');
    expect(filesWith(folder, secret)).toEqual([]);
    expect(damages()).toEqual([]);
  });

  test('may be named by its key, which is then in the log with the reason, but not in the base', () => {
    loadLines(folder, 'stj', [plain('chave-um'), plain('chave-dois')]);
    const byKey = () => picksOf(folder, [], { key: [['stj', 'chave-dois']] });
    withdraw(folder, byKey(), 'ordem 12/2026');
    const [entry, ...others] = readFileSync(join(folder, LOG_NAME), 'utf8').trim().split('\n');
    expect(others).toEqual([]);
    expect(JSON.parse(entry ?? '')).toEqual({
      time: expect.stringMatching(/^\d{4}-.*Z$/u) as string,
      action: 'withdraw',
      base: 'stj',
      id: 'stj:2',
      key: 'chave-dois',
      reason: 'ordem 12/2026',
    });
    expect(filesWith(folder, 'chave-dois')).toEqual([LOG_NAME]);
    // By the same key it is known as withdrawn.
    expect(withdraw(folder, byKey(), null).lines[0]).toBe('stj: 0 withdrawn, 1 withdrawn before');
    expect(readmit(folder, byKey(), null).lines[0]).toContain('1 readmitted');
  });

  test('may be any decision, even the last of the base, and loads continue', () => {
    const lines = Array.from({ length: 1_100 }, (_, at) =>
      plain(`k${at}`, `ementa ${at} de palavra${at % 7}x`),
    );
    loadLines(folder, 'stj', lines);
    const named = (from: number, to: number) =>
      Array.from({ length: to - from }, (_, at) => `stj:${from + at}`);
    take(...named(1, 1_025));
    expect(damages()).toEqual([]);
    loadLines(folder, 'stj', [plain('novo')]);
    expect(damages()).toEqual([]);
    take(...named(1_025, 1_102));
    expect(damages()).toEqual([]);
    expect(listsIn(file, 'stj').size).toBe(0);
    loadLines(folder, 'stj', [plain('ultimo')]);
    const handler = new Handler(file, 'stj');
    expect(searched(handler, searchFor('ultimo')).doc_ids).toEqual([1_102]);
    handler.close();
    expect(damages()).toEqual([]);
  });

  test('is rejected by a dry run too', async () => {
    loadLines(folder, 'stj', [plain('a')]);
    take('stj:1');
    const { out } = await loadFile([plain('a'), plain('b')], { dryRun: true });
    expect(out).toContain('1 to load, 0 repeated, 1 rejected');
  });

  test('is removed from the rejects of its base, which lose no other line', async () => {
    loadLines(folder, 'stj', [plain('a')]);
    const wrong = { ...plain('a', 'segredo anterior'), tipo: 'nenhum' };
    await loadFile([wrong]);
    await loadFile([{ ...wrong, ementa: 'de outra base' }], {}, 'stf');
    expect(filesWith(folder, 'segredo anterior')).toHaveLength(1);
    take('stj:1');
    expect(filesWith(folder, 'segredo anterior')).toEqual([]);
    expect(readdirSync(join(folder, 'rejects'))).toEqual([expect.stringMatching(/^stf-/u)]);
  });

  test('is removed from the rejects of a running load, which go on in a new file', () => {
    loadLines(folder, 'stj', [plain('a')]);
    const path = join(folder, 'rejects', 'stj-agora.jsonl');
    const rejects = new RejectsFile(path);
    const reject = (text: string) => {
      rejects.add({ file: 'linhas.jsonl', place: 1, reason: 'tipo', text });
    };
    reject('segredo anterior');
    take('stj:1');
    reject('de depois');
    rejects.close();
    expect(filesWith(folder, 'segredo anterior')).toEqual([]);
    expect(readFileSync(path, 'utf8')).toContain('de depois');
    expect(notStored(rejects)).toEqual(['a withdrawal removed 1 of the rejected lines']);
  });

  test('is not withdrawn if another one named is unknown, and nothing changes', () => {
    loadLines(folder, 'stj', [plain('a')]);
    expect(() => take('stj:1', 'stj:2')).toThrow('stj has no decision stj:2: nothing was changed');
    expect(() => take('stj:01')).toThrow('stj:01 is no id');
    expect(() => picks()).toThrow('name at least one decision');
    expect(() => readmit(folder, picks('stj:1'), null)).toThrow('stj:1 is not withdrawn');
    expect(() => withdraw(folder, picksOf(folder, [], { key: [['stj', 'z']] }), null)).toThrow(
      'no decision with the key z',
    );
    expect(readdirSync(folder)).not.toContain(LOG_NAME);
  });
});
