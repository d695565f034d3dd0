import { Glob } from 'bun';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { operatorCommand } from '../../src/process/command.ts';
import { ROOT, run } from '../support/run.ts';

const read = (file: string) => readFileSync(join(ROOT, file), 'utf8');
const { version } = JSON.parse(read('package.json')) as { version: string };

test.each(['main.ts', 'keys/command.ts', 'tools/mcp/command.ts'])(
  '%s --version prints the version alone',
  async (script) => {
    expect(await run(script, ['--version'])).toEqual({ exitCode: 0, out: `${version}\n`, err: '' });
  },
);

test('every command of the project has --version', () => {
  expect(operatorCommand('x', 'X').version()).toBe(version);
  const files = [...new Glob('{src,test}/**/*.ts').scanSync(ROOT)];
  const makers = files.filter(
    (file) => /\bnew Command\(/u.test(read(file)) && !file.endsWith('command.test.ts'),
  );
  expect(makers.toSorted()).toEqual(['src/process/command.ts', 'src/tools/buscar/command.ts']);
});
