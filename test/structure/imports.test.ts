import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';

/** They import nothing: every part may have them. */
const LEAVES = ['src/bug.ts', 'src/clock.ts', 'package.json'];

/**
 * Imports point one way. Each part names the parts it may import, those of `src` without that word; files at the top of
 * `src` wire things together (`system.ts`, `main.ts`, …) and only the leaves among them may be imported from below.
 */
const MAY_IMPORT: Record<string, string> = {
  'src/admin': 'config contract engine http index/format keys observe openapi process query search shared',
  'src/client': 'contract',
  'src/config': 'contract process',
  'src/contract': '',
  'src/engine': 'contract index/format',
  'src/http': 'contract engine keys process query search shared',
  'src/index/check': 'config contract index/format index/read process',
  'src/index/format': 'contract',
  'src/index/read': 'contract engine index/format',
  'src/index/write': 'config contract index/format process',
  'src/ingest': 'config contract index/format index/write process withdraw',
  'src/keys': 'config process replicas shared',
  'src/observe': 'config contract engine http keys process query search',
  'src/openapi': 'contract process',
  'src/process': '',
  'src/query': 'contract engine index/format',
  'src/replicas':
    'admin config contract engine index/format index/read keys observe process query search serving.ts shared start',
  'src/shared': 'process',
  'src/search': 'contract engine index/format process query',
  'src/start': 'config contract index/format index/write ingest keys process tools/demo',
  'src/sync': 'config contract index/format ingest process',
  'src/tools/access': 'client process',
  'src/tools/buscar': 'client contract process tools/access tools/mcp',
  'src/tools/client': 'contract openapi process',
  'src/tools/demo': 'config contract index/format index/write keys process',
  'src/tools/load': 'contract process',
  'src/tools/mcp': 'client contract process tools/access',
  'test/tools/bench':
    'client config contract engine index/format index/write ingest keys process query tools/demo tools/load test/support test/tools/measure workers',
  'test/tools/measure': 'contract index/format keys process tools/demo tools/load test/support',
  'src/withdraw': 'config contract index/format index/read index/write process query search',
  workers: 'contract engine index/read replicas',
};
/** Messages, outcomes, and the index: what a pool's thread shares with the other side. */
const THREAD_MAY_LOAD =
  /^workers\/|^src\/bug\.ts$|^src\/(?:contract|index)\/|^src\/engine\/(?:messages|outcome)\.ts$/;

/** What loads or writes: files, and a folder. */
const LOADING =
  'batches command dry-run ingest input load load-all record-maker record-thread record-worker rejects report'
    .split(' ')
    .map((name) => `src/ingest/${name}.ts`)
    .concat('src/index/write/');
const BASE_WRITER = 'src/index/write/base-writer.ts';

function sources(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(folder, name));
}

/** The project's own files that a file imports, types included. */
function imports(file: string): string[] {
  const text = readFileSync(join(ROOT, file), 'utf8');
  return [...text.matchAll(/(?:from|import)\s*\(?\s*'(\.[^']+)'/g)].map(([, path]) =>
    relative(ROOT, join(ROOT, dirname(file), path ?? '')),
  );
}

/** What is loaded before a file runs: the project's own files, and the packages by their names. */
function loadedWith(entry: string): Set<string> {
  const loaded = new Set<string>();
  const load = (file: string) => {
    if (loaded.has(file)) return;
    loaded.add(file);
    const text = readFileSync(join(ROOT, file), 'utf8').replaceAll(/(?:import|export) type [^;]*;/g, '');
    for (const [, path = ''] of text.matchAll(/(?:from|import) '([^']+)'/g)) {
      if (path.startsWith('.')) load(relative(ROOT, join(ROOT, dirname(file), path)));
      else loaded.add(path);
    }
  };
  load(entry);
  return loaded;
}

function fullName(part: string): string {
  return /^(?:test|workers)\b/u.test(part) ? part : `src/${part}`;
}

function partOf(file: string): string {
  const [first = '', second = '', third = '', ...deeper] = file.split('/');
  if (first === 'workers') return 'workers';
  const hasRooms = second === 'tools' || (first === 'src' && second === 'index');
  return hasRooms && deeper.length > 0 ? `${first}/${second}/${third}` : `${first}/${second}`;
}

describe('imports', () => {
  test.each(Object.entries(MAY_IMPORT))('of %s follow the rule of the room', (part, names) => {
    const allowed = names === '' ? [] : names.split(' ').map(fullName);
    const files = sources(part).filter((file) => !file.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(0);
    const may = (target: string) => LEAVES.includes(target) || [part, ...allowed].includes(partOf(target));
    const wrong = files.flatMap((file) => {
      const targets = imports(file).filter((target) => !may(target));
      return targets.map((target) => `${file} -> ${target}`);
    });
    expect(wrong).toEqual([]);
    const used = new Set(files.flatMap((file) => imports(file).map(partOf)));
    expect(allowed.filter((target) => !used.has(target))).toEqual([]);
  });

  test('have a rule for every room', () => {
    const rooms = new Set([...sources('src'), ...sources('workers')].map(partOf));
    // What wires may import everything.
    const wires = ['main', 'operator', 'serving', 'system'].map((name) => `src/${name}.ts`);
    const wiring = new Set([...wires, ...LEAVES]);
    expect([...rooms].filter((room) => !(room in MAY_IMPORT) && !wiring.has(room))).toEqual([]);
  });

  test('are none in the leaves', () => {
    for (const file of LEAVES) expect(imports(file), file).toEqual([]);
  });

  test('form no circle, types included', () => {
    const ended = new Set<string>();
    const circle = (file: string, way: readonly string[]): readonly string[] | null => {
      if (way.includes(file)) return [...way.slice(way.indexOf(file)), file];
      if (ended.has(file)) return null;
      for (const target of imports(file).filter((name) => name.endsWith('.ts'))) {
        const found = circle(target, [...way, file]);
        if (found !== null) return found;
      }
      ended.add(file);
      return null;
    };
    for (const file of [...sources('src'), ...sources('workers')]) expect(circle(file, [])).toBeNull();
  });

  test('of a pool’s thread reach messages and the index alone', () => {
    const own = [...loadedWith('workers/main.ts')].filter((name) => /^(?:src|workers)\//.test(name));
    expect(own.filter((name) => !THREAD_MAY_LOAD.test(name))).toEqual([]);
  });

  test('of a court’s format include nothing that loads or writes', () => {
    for (const name of LOADING) expect(existsSync(join(ROOT, name)), name).toBe(true);
    const wrong = sources('src/ingest/formats').filter((file) =>
      imports(file).some((target) => LOADING.some((name) => target.startsWith(name))),
    );
    expect(wrong).toEqual([]);
  });

  test('of a pool’s thread never reach the schema library', () => {
    const loaded = loadedWith('workers/main.ts');
    expect(loaded).toContain('src/index/format/schema.ts');
    expect([...loaded].filter((name) => name.startsWith('typebox'))).toEqual([]);
    // Nor what folds words: they come folded.
    expect(loaded).not.toContain('src/index/format/tokens.ts');
  });

  test('of the service’s start omit modules that few starts need', () => {
    const loaded = loadedWith('src/main.ts');
    expect(loaded).toContain('piscina');
    expect(existsSync(join(ROOT, BASE_WRITER))).toBe(true);
    expect(loaded).not.toContain(BASE_WRITER);
    const later =
      /^(?:typebox.*|commander|pino-pretty|@prometheus-io\/client|@opentelemetry\/.+|@modelcontextprotocol\/.+|@nats-io\/.+|src\/replicas\/.+|csv-stringify.*|src\/(?:client|openapi|tools)\/.+|src\/ingest\/.+)$/;
    expect([...loaded].filter((name) => later.test(name))).toEqual([]);
  });

  test('of a load’s main thread never reach the schema library', () => {
    const loaded = [...loadedWith('src/ingest/command.ts')];
    expect(loaded).toContain('commander');
    expect(loaded.filter((name) => name.startsWith('typebox'))).toEqual([]);
  });

  test('reach implementations of BasePort from system.ts alone', () => {
    const users = sources('src').filter((file) =>
      imports(file).some((target) => target.endsWith('thread-port.ts')),
    );
    expect(users).toEqual(['src/system.ts']);
  });

  test('use one TypeBox, not the framework’s', () => {
    const users = [...sources('src'), ...sources('workers')].filter((file) =>
      /@sinclair\/typebox|\bt\b[^\n]*from 'elysia'/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(users).toEqual([]);
  });
});

test('the top level of src has only the wiring and its leaves', () => {
  const files = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  expect(files.toSorted()).toEqual([
    'bug.ts',
    'clock.ts',
    'main.ts',
    'operator.ts',
    'serving.ts',
    'system.ts',
  ]);
});
