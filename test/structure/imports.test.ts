import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

const ROOT = join(import.meta.dirname, '../..');

/** Imports nothing: every part may have it. */
const CLOCK = 'src/clock.ts';

/**
 * Imports point one way. Each part names the parts it may import; files at the top of `src` wire things
 * together (`system.ts`, `main.ts`, …) and only the leaves among them may be imported from below.
 */
const MAY_IMPORT: Record<string, readonly string[]> = {
  'src/admin': [
    'src/config',
    'src/contract',
    'src/engine',
    'src/http',
    'src/index/format',
    'src/keys',
    'src/observe',
    'src/openapi',
    'src/process',
    'src/query',
    'src/search',
    'src/shared',
  ],
  'src/client': ['src/contract'],
  'src/cluster': [
    'src/admin',
    'src/config',
    'src/contract',
    'src/engine',
    'src/index/format',
    'src/index/read',
    'src/keys',
    'src/observe',
    'src/process',
    'src/processes',
    'src/query',
    'src/search',
    'src/shared',
    'src/start',
  ],
  'src/config': ['src/contract', 'src/process'],
  'src/contract': [],
  'src/engine': ['src/contract', 'src/index/format'],
  'src/http': ['src/contract', 'src/engine', 'src/keys', 'src/query', 'src/search', 'src/shared'],
  'src/index/check': ['src/config', 'src/contract', 'src/index/format', 'src/index/read', 'src/process'],
  'src/index/format': ['src/contract'],
  'src/index/read': ['src/contract', 'src/engine', 'src/index/format'],
  'src/index/write': ['src/config', 'src/contract', 'src/index/format', 'src/process'],
  'src/ingest': ['src/config', 'src/contract', 'src/index/format', 'src/index/write', 'src/process'],
  'src/keys': ['src/cluster', 'src/config', 'src/process', 'src/shared'],
  'src/observe': [
    'src/config',
    'src/contract',
    'src/engine',
    'src/http',
    'src/process',
    'src/query',
    'src/search',
  ],
  'src/openapi': ['src/contract', 'src/process'],
  'src/process': [],
  'src/processes': [
    'src/admin',
    'src/config',
    'src/contract',
    'src/engine',
    'src/http',
    'src/keys',
    'src/observe',
    'src/process',
    'src/query',
    'src/search',
    'src/shared',
    'src/start',
  ],
  'src/query': ['src/contract', 'src/engine', 'src/index/format'],
  'src/shared': ['src/process'],
  'src/search': ['src/contract', 'src/engine', 'src/index/format', 'src/process', 'src/query'],
  'src/start': [
    'src/config',
    'src/contract',
    'src/index/format',
    'src/index/write',
    'src/ingest',
    'src/keys',
    'src/process',
    'src/tools/demo',
  ],
  'src/tools/access': ['src/client', 'src/process'],
  'src/tools/buscar': ['src/client', 'src/contract', 'src/process', 'src/tools/access'],
  'src/tools/client': ['src/contract', 'src/openapi', 'src/process'],
  'src/tools/cluster': ['src/contract', 'src/index/format', 'src/keys', 'src/process', 'src/start'],
  'src/tools/demo': [
    'src/config',
    'src/contract',
    'src/index/format',
    'src/index/write',
    'src/keys',
    'src/process',
  ],
  'src/tools/load': ['src/contract', 'src/process'],
  'src/tools/mcp': ['src/client', 'src/contract', 'src/process', 'src/tools/access'],
  'test/tools/bench': [
    'src/contract',
    'src/engine',
    'src/index/format',
    'src/index/write',
    'src/ingest',
    'src/process',
    'src/query',
    'src/tools/cluster',
    'src/tools/demo',
    'src/tools/load',
    'test/support',
    'test/tools/measure',
    'workers',
  ],
  'test/tools/measure': [
    'src/contract',
    'src/index/format',
    'src/keys',
    'src/process',
    'src/tools/demo',
    'src/tools/load',
    'test/support',
  ],
  workers: ['src/cluster', 'src/contract', 'src/engine', 'src/index/read'],
};
/** Messages, outcomes, and the index: what a pool's thread shares with the other side. */
const THREAD_MAY_LOAD = /^workers\/|^src\/(?:contract|index)\/|^src\/engine\/(?:messages|outcome)\.ts$/;

/** What loads or writes: files, and a folder. */
const LOADING = [
  ...[
    'batches',
    'command',
    'dry-run',
    'ingest',
    'input',
    'load',
    'load-all',
    'record-maker',
    'record-thread',
    'record-worker',
    'rejects',
    'report',
  ].map((name) => `src/ingest/${name}.ts`),
  'src/index/write/',
];
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

function partOf(file: string): string {
  const [first = '', second = '', third = '', ...deeper] = file.split('/');
  if (first === 'workers') return 'workers';
  const hasRooms = second === 'tools' || (first === 'src' && second === 'index');
  return hasRooms && deeper.length > 0 ? `${first}/${second}/${third}` : `${first}/${second}`;
}

describe('imports', () => {
  test.each(Object.entries(MAY_IMPORT))('of %s point only down the house', (part, allowed) => {
    const files = sources(part).filter((file) => !file.endsWith('.test.ts'));
    expect(files.length).toBeGreaterThan(0);
    const wrong = files.flatMap((file) =>
      imports(file)
        .filter((target) => target !== CLOCK && partOf(target) !== part && !allowed.includes(partOf(target)))
        .map((target) => `${file} -> ${target}`),
    );
    expect(wrong).toEqual([]);
    const used = new Set(files.flatMap((file) => imports(file).map(partOf)));
    expect(allowed.filter((target) => !used.has(target))).toEqual([]);
  });

  test('of every room have a rule', () => {
    const rooms = new Set([...sources('src'), ...sources('workers')].map(partOf));
    // What wires may import everything.
    const wiring = new Set(['src/main.ts', 'src/system.ts', CLOCK]);
    expect([...rooms].filter((room) => !(room in MAY_IMPORT) && !wiring.has(room))).toEqual([]);
  });

  test('of the clock are none', () => {
    expect(imports(CLOCK)).toEqual([]);
  });

  test('go round in no circle, types included', () => {
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

  test('of a pool’s thread are messages and the index, nothing that runs outside it', () => {
    const own = [...loadedWith('workers/main.ts')].filter((name) => /^(?:src|workers)\//.test(name));
    expect(own.filter((name) => !THREAD_MAY_LOAD.test(name))).toEqual([]);
  });

  test('of a court’s format are what reads and normalises, and nothing that loads or writes', () => {
    for (const name of LOADING) expect(existsSync(join(ROOT, name)), name).toBe(true);
    const wrong = sources('src/ingest/formats').filter((file) =>
      imports(file).some((target) => LOADING.some((name) => target.startsWith(name))),
    );
    expect(wrong).toEqual([]);
  });

  test('of a pool’s thread never reach the schema library, which would take most of its start', () => {
    const loaded = loadedWith('workers/main.ts');
    expect(loaded).toContain('src/index/format/schema.ts');
    expect([...loaded].filter((name) => name.startsWith('typebox'))).toEqual([]);
    // Nor what folds words: they come folded.
    expect(loaded).not.toContain('src/index/format/tokens.ts');
  });

  test('of the service’s start leave out what few starts need', () => {
    const loaded = loadedWith('src/main.ts');
    expect(loaded).toContain('piscina');
    expect(existsSync(join(ROOT, BASE_WRITER))).toBe(true);
    expect(loaded).not.toContain(BASE_WRITER);
    const later =
      /^(?:typebox.*|commander|pino-pretty|prom-client|@decimalturn\/toml-patch|@opentelemetry\/.+|@modelcontextprotocol\/.+|@nats-io\/.+|src\/cluster\/.+|csv-stringify.*|src\/(?:client|openapi|tools)\/.+|src\/ingest\/.+)$/;
    expect([...loaded].filter((name) => later.test(name))).toEqual([]);
  });

  test('name implementations of the seam in system.ts alone', () => {
    const users = sources('src').filter((file) =>
      imports(file).some((target) => target.endsWith('thread-port.ts')),
    );
    expect(users).toEqual(['src/system.ts']);
  });

  test('use one TypeBox, and not the framework’s own', () => {
    const users = [...sources('src'), ...sources('workers')].filter((file) =>
      /@sinclair\/typebox|\bt\b[^\n]*from 'elysia'/.test(readFileSync(join(ROOT, file), 'utf8')),
    );
    expect(users).toEqual([]);
  });
});

test('the top level of src holds only the wiring and its leaves', () => {
  const files = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map(({ name }) => name);
  expect(files.toSorted()).toEqual(['clock.ts', 'main.ts', 'system.ts']);
});
