import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { writeSettings } from '../../../src/admin/console/config-file.ts';
import { temporaryFolder } from '../../support/service.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = temporaryFolder();
  file = join(folder, 'config.toml');
});
afterEach(() => {
  chmodSync(folder, 0o700);
});
const THREADS = { base: 'stj', chave: 'threads', valor: 7 } as const;

describe('config.toml', () => {
  test('is created if absent', () => {
    writeSettings(file, [THREADS]);
    expect(parse(readFileSync(file, 'utf8'))).toEqual({ bases: { stj: { threads: 7 } } });
  });

  test('keeps its comments, its other keys and their layout', () => {
    const before = [
      '# do operador',
      'port = 3000 # a de sempre',
      '',
      '[bases]',
      '  threads = 2   # de todas',
      '',
      '# a maior',
      '[bases.stj] # stj',
      'threads = 4 # quatro',
      'relevance_ms = 1_000',
      '',
    ];
    writeFileSync(file, before.join('\n'));
    writeSettings(file, [THREADS]);
    expect(readFileSync(file, 'utf8').split('\n')).toEqual(
      before.map((line) => line.replace('threads = 4', 'threads = 7')),
    );
  });

  test('takes a setting of the whole service before its tables', () => {
    writeFileSync(file, 'port = 1 # a de sempre\n\n[bases.stj]\nthreads = 2\n');
    writeSettings(file, [{ base: 'servico', chave: 'expensive_at_once', valor: 3 }]);
    expect(parse(readFileSync(file, 'utf8'))).toEqual({
      port: 1,
      expensive_at_once: 3,
      bases: { stj: { threads: 2 } },
    });
    expect(readFileSync(file, 'utf8')).toContain('# a de sempre');
  });

  test('gets a table for a base that has none, with a header as in the example file', () => {
    writeSettings(file, [THREADS]);
    expect(readFileSync(file, 'utf8')).toBe('[bases.stj]\nthreads = 7\n');
    writeFileSync(file, '[bases]\nthreads = 2\n\n[bases.tst]\nthreads = 1\n# fim');
    writeSettings(file, [THREADS, { ...THREADS, chave: 'count_ms' }]);
    expect(readFileSync(file, 'utf8')).toBe(
      '[bases]\nthreads = 2\n\n[bases.tst]\nthreads = 1\n# fim\n\n[bases.stj]\nthreads = 7\ncount_ms = 7\n',
    );
  });

  test.each([
    ['an empty file', ''],
    ['a comment alone', '# nada\n'],
    ['a last line without an end', 'port = 1'],
    ['an inline table', '[bases]\nstj = { threads = 4, queue_max = 3 } # na linha\n'],
    ['dotted keys', 'bases.stj.threads = 2 # pontos\nport = 1\n'],
    ['tables of other bases', '[bases.tst]\nthreads = 1\n\n[bases.eproc]\n# vazia\n'],
    ['a list of several lines', 'trusted_proxies = [\n "10.0.0.0/8", # rede\n]\n[bases.stj]\nthreads=0x2\n'],
    ['lines that end as on Windows', 'port = 1\r\n[bases.stj]\r\nthreads = 2\r\n'],
  ])('takes several settings into %s and changes nothing else', (_, text) => {
    writeFileSync(file, text);
    const before = parse(text) as { bases?: Record<string, object> };
    writeSettings(file, [
      THREADS,
      { base: 'stj', chave: 'count_ms', valor: 0 },
      { base: 'eproc', chave: 'queue_max', valor: 9 },
    ]);
    const after = readFileSync(file, 'utf8');
    for (const comment of text.match(/#.*/gu) ?? []) expect(after).toContain(comment.trim());
    expect(parse(after)).toEqual({
      ...before,
      bases: {
        ...before.bases,
        stj: { ...before.bases?.['stj'], threads: 7, count_ms: 0 },
        eproc: { ...before.bases?.['eproc'], queue_max: 9 },
      },
    });
  });

  test('that is no TOML is left as it is, and the refusal names that', () => {
    writeFileSync(file, 'port = = 3\n');
    expect(() => writeSettings(file, [THREADS])).toThrow(/não é TOML válido .*corrija-o/u);
    expect(readFileSync(file, 'utf8')).toBe('port = = 3\n');
  });

  test('that is a link is written where it leads', () => {
    mkdirSync(join(folder, 'elsewhere'));
    const target = join(folder, 'elsewhere', 'real.toml');
    writeFileSync(target, 'port = 1\n');
    symlinkSync(target, file);
    writeSettings(file, [THREADS]);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readFileSync(target, 'utf8')).toContain('threads = 7');
  });

  test('that is a link to nothing is told of, and the link stays', () => {
    symlinkSync(join(folder, 'away', 'real.toml'), file);
    expect(() => writeSettings(file, [THREADS])).toThrow(/é um link que não leva a arquivo algum/u);
    expect(lstatSync(file).isSymbolicLink()).toBe(true);
    expect(readdirSync(folder)).toEqual(['config.toml']);
  });

  test('is for its owner alone where it is made, and keeps the permissions that it was given', () => {
    const permissions = () => statSync(file).mode & 0o777;
    writeSettings(file, [THREADS]);
    expect(permissions()).toBe(0o600);
    chmodSync(file, 0o664);
    writeSettings(file, [{ ...THREADS, valor: 8 }]);
    expect(permissions()).toBe(0o664);
  });

  test('whose place cannot be written is told of plainly, and nothing is left behind', () => {
    mkdirSync(file);
    expect(() => writeSettings(file, [THREADS])).toThrow(/não foi possível .*há uma pasta com este nome/u);
    expect(() => writeSettings(join(folder, 'config.toml', 'x', 'config.toml'), [THREADS])).not.toThrow();
    writeFileSync(join(folder, 'plain'), '');
    expect(() => writeSettings(join(folder, 'plain', 'config.toml'), [THREADS])).toThrow(
      /a pasta de dados não está lá/u,
    );
    expect(readdirSync(folder).toSorted()).toEqual(['config.toml', 'plain']);
  });
});
