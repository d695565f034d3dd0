import {
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { Command } from 'commander';
import { PlainError, runPlainly } from '../../../src/process/fail.ts';
import { mutantsOf, mutated, type Mutant } from './mutants.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** A mutant that runs longer than this never ends: the tests have noticed it. */
const RUN_MS_MAX = 60_000;
/** Not copied: the history, what is installed (linked), and what ingest has made. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist']);

interface Options {
  readonly tests?: string[];
  readonly every: string;
}

await new Command('mutate')
  .description(
    'Change one operator or constant of a file at a time, and list the changes that its tests do not notice.',
  )
  .argument('<files...>', 'files of src')
  .option(
    '--tests <files...>',
    'test files to run (default: those of the same name, else of the same folder)',
  )
  .option('--every <n>', 'try only every n-th change', '1')
  .action((files: string[], options: Options) => runPlainly('mutate', () => mutate(files, options)))
  .parseAsync();

async function mutate(files: readonly string[], { tests, every }: Options): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  try {
    for (const name of readdirSync(ROOT)) {
      if (!LEFT_OUT.has(name)) cpSync(join(ROOT, name), join(folder, name), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    let [killed, all] = [0, 0];
    for (const file of files) {
      const of = await mutateFile(folder, file, tests ?? testsOf(file), Math.max(1, Number(every)));
      killed += of.killed;
      all += of.all;
    }
    console.log(
      `score: ${killed} of ${all} changes noticed${all === 0 ? '' : `, ${((100 * killed) / all).toFixed(1)}%`}`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function mutateFile(folder: string, file: string, tests: readonly string[], every: number) {
  const source = readFileSync(join(ROOT, file), 'utf8');
  if (!(await pass(folder, tests))) throw new PlainError(`${tests.join(' ')} fail without any change`);
  const mutants = mutantsOf(source).filter((_, at) => at % every === 0);
  let killed = 0;
  for (const mutant of mutants) {
    writeFileSync(join(folder, file), mutated(source, mutant));
    if (await pass(folder, tests)) console.log(survivor(file, source, mutant));
    else killed += 1;
  }
  writeFileSync(join(folder, file), source);
  console.log(`${file}: ${killed} of ${mutants.length} changes noticed`);
  return { killed, all: mutants.length };
}

function survivor(file: string, source: string, { line, before, after }: Mutant): string {
  const text = source.split('\n')[line - 1]?.trim() ?? '';
  return `  not noticed: ${file}:${line}  ${before.trim()} became ${after.trim()}  in  ${text}`;
}

async function pass(folder: string, tests: readonly string[]): Promise<boolean> {
  const command = [process.execPath, '--bun', 'vitest', 'run', '--pool=threads', '--bail=1', ...tests];
  const child = Bun.spawn(command, { cwd: folder, stdout: 'ignore', stderr: 'ignore', timeout: RUN_MS_MAX });
  return (await child.exited) === 0;
}

/** The test file of the same name, else all of the same folder. */
function testsOf(file: string): string[] {
  const folder = dirname(file).replace(/^src/u, 'test');
  const own = join(folder, basename(file).replace(/\.ts$/u, '.test.ts'));
  if (existsSync(join(ROOT, own))) return [own];
  const all = readdirSync(join(ROOT, folder)).filter((name) => name.endsWith('.test.ts'));
  if (all.length === 0) throw new PlainError(`${file}: no test in ${folder}; name some with --tests`);
  return all.map((name) => join(folder, name));
}
