import { mkdirSync, readFileSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { beforeEach, describe, expect, test } from 'vitest';
import { writeSettings } from '../../../src/admin/console/live-file.ts';
import { temporaryFolder } from '../../support/service.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'live.toml');
});
const THREADS = { base: 'stj', chave: 'threads', valor: 7 } as const;
const written = () => parse(readFileSync(file, 'utf8'));

describe('live.toml', () => {
  test('is readable by its owner alone, and begins with its origin and how to undo a setting', () => {
    writeSettings(file, [THREADS]);
    expect(readFileSync(file, 'utf8')).toMatch(
      /^# Written by the console, over config\.toml\. Delete a line/u,
    );
    expect(written()).toEqual({ bases: { stj: { threads: 7 } } });
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });

  test('keeps earlier settings, and takes the new value of the same setting', () => {
    writeSettings(file, [THREADS, { base: 'servico', chave: 'expensive_at_once', valor: 3 }]);
    writeSettings(file, [
      { ...THREADS, valor: 8 },
      { ...THREADS, chave: 'count_ms', valor: 0 },
      { base: 'eproc', chave: 'queue_max', valor: 9 },
    ]);
    expect(written()).toEqual({
      expensive_at_once: 3,
      bases: { stj: { threads: 8, count_ms: 0 }, eproc: { queue_max: 9 } },
    });
    expect(readFileSync(file, 'utf8').match(/Written by/gu)).toHaveLength(1);
  });

  test('that is not TOML is left unchanged', () => {
    writeFileSync(file, 'port = = 3\n');
    expect(() => {
      writeSettings(file, [THREADS]);
    }).toThrow();
    expect(readFileSync(file, 'utf8')).toBe('port = = 3\n');
  });

  test('in a folder that cannot be written is an error, and leaves no file behind', () => {
    mkdirSync(file);
    expect(() => {
      writeSettings(file, [THREADS]);
    }).toThrow(/EISDIR/u);
    expect(() => {
      writeSettings(join(folder, 'plain', 'live.toml'), [THREADS]);
    }).not.toThrow();
    writeFileSync(join(folder, 'text'), '');
    expect(() => {
      writeSettings(join(folder, 'text', 'live.toml'), [THREADS]);
    }).toThrow(/text/u);
    expect(readdirSync(folder).toSorted()).toEqual(['live.toml', 'plain', 'text']);
  });
});
