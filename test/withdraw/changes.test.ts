import { beforeEach, describe, expect, test } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { changesSince } from '../../src/withdraw/changes.ts';
import { picksOf } from '../../src/withdraw/picks.ts';
import { withdraw } from '../../src/withdraw/withdraw.ts';
import { stateIn } from '../../src/replicas/files/fetch.ts';
import { SecondReader } from '../index/second-reader.ts';
import { run } from '../support/run.ts';
import { loadLines, makeBases, temporaryFolder, type Line } from '../support/service.ts';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
  makeBases(folder);
});

const plain = (chave: string, ementa = `Ementa de ${chave}`): Line => ({ tipo: 'acordao', chave, ementa });
const load = (...lines: Line[]) => {
  loadLines(folder, 'stj', lines);
};
const version = (dataDir = folder) => stateIn(baseFile(dataDir, 'stj'), 'stj').version;
const since = (one: string | null) => [...changesSince(folder, 'stj', one)].join('');

/** What the second reader, made from FORMAT.md, finds in the same rows. */
function secondSince(generation: number): string {
  const second = new SecondReader(baseFile(folder, 'stj'));
  const commits = second.commits();
  second.close();
  const lines = commits.flatMap(({ mark, docs, replaced, withdrawn }, at) => {
    const before = commits[at - 1]?.docs ?? 0;
    const added = Array.from({ length: docs - before }, (_, next) => before + 1 + next);
    const line = (kind: string) => (id: number) =>
      JSON.stringify({ id: `stj:${id}`, kind, version: `${at + 1}-${mark}` });
    if (at < generation) return [];
    return added.map(line('added')).concat(replaced.map(line('replaced')), withdrawn.map(line('removed')));
  });
  return lines.map((line) => `${line}\n`).join('');
}

describe('the changes of a base', () => {
  test('are the decisions added, replaced and removed since any of its versions', () => {
    const empty = version();
    load(plain('a'), plain('b'), plain('c'));
    const first = version();
    // A decision that only its record changes, and one that stays the same.
    load({ ...plain('a'), relator: 'OUTRO' }, plain('b'), plain('d'), plain('d', 'outra'));
    const second = version();
    withdraw(folder, picksOf(folder, ['stj:2', 'stj:4'], { key: [] }), null);
    const third = version();
    const line = (id: number, kind: string, at: string) =>
      `${JSON.stringify({ id: `stj:${id}`, kind, version: at })}\n`;
    const all = [
      line(1, 'added', first) + line(2, 'added', first) + line(3, 'added', first),
      line(4, 'added', second) + line(1, 'replaced', second),
      line(2, 'removed', third) + line(4, 'removed', third),
    ];
    expect(since(null)).toBe(all.join(''));
    for (const [at, one] of [empty, first, second, third].entries()) {
      expect(since(one)).toBe(all.slice(at).join(''));
      expect(secondSince(at)).toBe(since(one));
    }
  });

  test('are refused for a version that the file never had, with the mend', () => {
    load(plain('a'));
    const other = temporaryFolder();
    makeBases(other);
    loadLines(other, 'stj', [plain('a')]);
    loadLines(other, 'stj', [plain('b')]);
    expect(() => since('12')).toThrow(`12 is no data version: it looks like ${version()}`);
    expect(() => since(version(other))).toThrow(/is newer, or of another file; without --since/u);
    load(plain('c'));
    expect(() => since(version(other))).toThrow(`is of another file: here generation 2 is ${version()}`);
    expect(() => since('0-12345678')).toThrow('is of another file');
  });

  test('are printed by the command, and nothing if there are none', async () => {
    load(plain('a'));
    const command = (...args: string[]) =>
      run('withdraw/changes-command.ts', ['stj', ...args], { DATA_DIR: folder });
    const printed = await command();
    expect(printed).toMatchObject({ exitCode: 0, out: expect.stringContaining('"kind":"added"') as string });
    expect(await command('--since', version())).toMatchObject({ exitCode: 0, out: '' });
    const wrong = await command('--since', '9-00000000');
    expect(wrong).toMatchObject({ exitCode: 1, out: '' });
    expect(wrong.err).toContain('changes: stj is at ');
  });
});
