import { existsSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { ROOT } from '../support/run.ts';
import { section, pageText } from './page.ts';

const PAGE = 'ARCHITECTURE.md';
const text = pageText(PAGE);

/** Paths in code; a file's bare name is in the folder of the path before it. */
function paths(): string[] {
  let folder = '';
  return [...text.matchAll(/`([\w./-]+)`/gu)].flatMap(([, name = '']) => {
    if (/^(?:src|test|workers|docs|data|deploy)(?:\/|$)/u.test(name)) {
      folder = dirname(name);
      return [name];
    }
    return /^[a-z][\w-]*\.(?:ts|js)$/u.test(name) ? [join(folder, name)] : [];
  });
}

test('every path in ARCHITECTURE.md exists', () => {
  const found = paths();
  expect(found.length).toBeGreaterThan(70);
  expect(found.filter((path) => !existsSync(join(ROOT, path)))).toEqual([]);
});

test('ARCHITECTURE.md has at most 200 lines', () => {
  expect(text.split('\n').length - 1).toBeLessThanOrEqual(200);
});

test('ARCHITECTURE.md names every room', () => {
  const rooms = readdirSync(join(ROOT, 'src'), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `src/${name}`);
  const named = [...section(PAGE, '## Rooms').matchAll(/^- `([^`]+)`: /gmu)].map(([, room = '']) => room);
  expect(named.toSorted()).toEqual([...rooms, 'workers', 'test'].toSorted());
});
