import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { operatorCommand } from '../../../src/process/command.ts';
import { PlainError, runPlainly } from '../../../src/process/fail.ts';
import { isProgram, mutantsOf, mutated, sampled, type Mutant } from './mutants.ts';
import { Record, summary, type Result, type Tried } from './record.ts';
import { testsOf } from './tests.ts';

const ROOT = join(import.meta.dirname, '../../..');
/** A run of a changed file may take this many times the work of one without a change, and this much more. */
const TIMES_MORE = 3;
const SECONDS_MORE = 5;
/** Of a run that waits for what never comes, however busy the machine is; and of one test. */
const WAIT_MS_MAX = 300_000;
const TEST_MS_MAX = 150_000;
/** Not copied: the history, what is installed (linked), and what ingest has made. */
const LEFT_OUT = new Set(['.git', 'node_modules', 'dist']);

/** A property that fails need not look for its smallest case. */
const SETUP = {
  'vitest.config.ts': "export default { test: { setupFiles: ['./mutation-setup.ts'] } };",
  'mutation-setup.ts': "import fc from 'fast-check';\nfc.configureGlobal({ endOnFailure: true });",
};

interface Options {
  readonly tests?: string[];
  readonly every: string;
  readonly sample?: string;
  readonly seed: string;
  readonly minutes: string;
  readonly log?: string;
}

await operatorCommand(
  'mutate',
  'Change one operator or constant of a file at a time, and list the changes that its tests do not notice.',
)
  .argument('<files...>', 'files of src, or folders')
  .option(
    '--tests <files...>',
    'test files to run, one after the other (default: those that import the file)',
  )
  .option('--every <n>', 'try only every n-th change', '1')
  .option('--sample <n>', 'try only n changes of each file, drawn at random')
  .option('--seed <n>', 'seed of the draw', '1')
  .option('--minutes <n>', 'start no further change after so many minutes', 'Infinity')
  .option('--log <file>', 'add each change tried to this file, and skip those that stand in it')
  .action((files: string[], options: Options) => runPlainly('mutate', () => mutate(files, options)))
  .parseAsync();

async function mutate(paths: readonly string[], options: Options): Promise<void> {
  const until = performance.now() + Number(options.minutes) * 60_000;
  const record = new Record(options.log);
  const copy = new Copy(record);
  let left = 0;
  try {
    for (const file of paths.flatMap(filesOf)) {
      const source = readFileSync(join(ROOT, file), 'utf8');
      const tests = [...(options.tests ?? testsOf(ROOT, file))];
      if (tests.length === 0) throw new PlainError(`${file}: no tests; name some with --tests`);
      for (const mutant of chosen(source, options)) {
        const text = source.split('\n')[mutant.line - 1]?.trim() ?? '';
        if (record.has(file, mutant, text)) continue;
        if (performance.now() > until) {
          left += 1;
          continue;
        }
        const result = await copy.result(file, source, mutant, tests);
        const tried = { ...mutant, file, text, result };
        record.add(tried);
        if (result !== 'failed') console.log(described(tried));
      }
    }
  } finally {
    copy.remove();
  }
  console.log(summary(record.tried));
  if (left > 0) console.log(`stopped early: ${left} changes are left; run it again with the same --log`);
}

function filesOf(path: string): string[] {
  if (statSync(join(ROOT, path)).isFile()) return [path];
  const all = readdirSync(join(ROOT, path), { recursive: true }) as string[];
  return all
    .filter((name) => name.endsWith('.ts'))
    .map((name) => join(path, name))
    .toSorted();
}

function chosen(source: string, { every, sample, seed }: Options): Mutant[] {
  const step = Math.max(1, Number(every));
  const all = mutantsOf(source).filter((_, at) => at % step === 0);
  const drawn = sample === undefined ? all : sampled(all, Number(sample), Number(seed));
  return drawn.filter((mutant) => isProgram(mutated(source, mutant)));
}

class Copy {
  readonly #folder = mkdtempSync(join(tmpdir(), 'mutants-'));
  readonly #project = join(this.#folder, 'project');
  readonly #record: Record;

  constructor(record: Record) {
    this.#record = record;
    mkdirSync(this.#project);
    for (const name of readdirSync(ROOT)) {
      if (!LEFT_OUT.has(name)) cpSync(join(ROOT, name), join(this.#project, name), { recursive: true });
    }
    symlinkSync(join(ROOT, 'node_modules'), join(this.#project, 'node_modules'));
    for (const [name, text] of Object.entries(SETUP)) writeFileSync(join(this.#project, name), text);
    // The real decisions lie beside the project: tests of the copy find them there too.
    const beside = join(ROOT, '../shared');
    if (existsSync(beside)) symlinkSync(beside, join(this.#folder, 'shared'));
  }

  /** Runs the tests one after the other, until one notices the change: that one is the first next time. */
  async result(file: string, source: string, mutant: Mutant, tests: string[]): Promise<Result> {
    for (const [at, test] of tests.entries()) {
      const secondsMax = Math.ceil(TIMES_MORE * (await this.#secondsOf(test)) + SECONDS_MORE);
      writeFileSync(join(this.#project, file), mutated(source, mutant));
      const { result } = await this.#run(test, secondsMax);
      writeFileSync(join(this.#project, file), source);
      if (result === 'unnoticed') continue;
      tests.unshift(...tests.splice(at, 1));
      return result;
    }
    return 'unnoticed';
  }

  remove(): void {
    rmSync(this.#folder, { recursive: true, force: true });
  }

  /** What a test file takes of a processor without a change, which it must not notice. */
  async #secondsOf(test: string): Promise<number> {
    const known = this.#record.secondsOf.get(test);
    if (known !== undefined) return known;
    const { result, seconds } = await this.#run(test, WAIT_MS_MAX / 1_000);
    if (result !== 'unnoticed') throw new PlainError(`${test} fails without any change`);
    this.#record.addTime(test, seconds);
    return seconds;
  }

  /**
   * In a new process group: an endless run ends with all that it started. It is known by its work: by its
   * time alone, every run on a busy machine would be one.
   */
  async #run(test: string, secondsMax: number): Promise<{ result: Result; seconds: number }> {
    const bounded = ['bash', '-c', `ulimit -t ${secondsMax}; exec "$@"`, 'bash'];
    const vitest = [process.execPath, '--bun', 'vitest', 'run', '--pool=threads', '--bail=1'];
    const times = [`--testTimeout=${TEST_MS_MAX}`, `--hookTimeout=${TEST_MS_MAX}`];
    const child = Bun.spawn([...bounded, ...vitest, ...times, test], {
      cwd: this.#project,
      env: { FC_SHARE: '0.2', ...process.env },
      stdout: 'ignore',
      stderr: 'ignore',
      detached: true,
    });
    const end = () => process.kill(-child.pid, 'SIGKILL');
    const timer = setTimeout(end, WAIT_MS_MAX);
    const code = await child.exited;
    clearTimeout(timer);
    const seconds = Number(child.resourceUsage()?.cpuTime.total ?? 0) / 1e6;
    if (child.signalCode !== null) return { result: 'endless', seconds };
    return { result: code === 0 ? 'unnoticed' : 'failed', seconds };
  }
}

function described({ file, line, before, after, text, result }: Tried): string {
  const what = result === 'endless' ? 'noticed by a run without end' : 'not noticed';
  return `  ${what}: ${file}:${line}  ${before.trim()} became ${after.trim()}  in  ${text}`;
}
