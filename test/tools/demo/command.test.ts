import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { DEMO_SEED_DEFAULT, demoLines } from '../../../src/tools/demo/generate.ts';

/** The program and its arguments, whatever is installed and wherever the checkout lies. */
const COMMAND = [process.execPath, join(import.meta.dirname, '../../../src/tools/demo/command.ts')];

interface Run {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

async function run(...args: readonly string[]): Promise<Run> {
  const child = Bun.spawn([...COMMAND, ...args], { stdout: 'pipe', stderr: 'pipe' });
  const [stdout, stderr] = await Promise.all([child.stdout.text(), child.stderr.text()]);
  return { exitCode: await child.exited, stdout, stderr };
}

/** A line of a shell in which `"$0" "$1"` is the command. */
const shell = (line: string) =>
  Bun.spawn(['bash', '-c', line, ...COMMAND], { stdout: 'pipe', stderr: 'pipe' });

describe('the demo command', () => {
  test('writes the lines of the generator, and nothing to a stderr that is no terminal', async () => {
    const { exitCode, stdout, stderr } = await run('stj', '40');
    expect(exitCode).toBe(0);
    expect(stderr).toBe('');
    expect(stdout).toBe([...demoLines('stj', 40, DEMO_SEED_DEFAULT)].map((line) => `${line}\n`).join(''));
  });

  test('takes a seed', async () => {
    const { stdout } = await run('tst', '3', '--seed', '7');
    expect(stdout).toBe([...demoLines('tst', 3, 7)].map((line) => `${line}\n`).join(''));
  });

  test('writes more than a pipe holds, whole, to a slow reader', async () => {
    const child = shell('"$0" "$1" eproc 3000 | (sleep 0.3; cat) | sha256sum');
    const hash = new Bun.CryptoHasher('sha256');
    for (const line of demoLines('eproc', 3000, DEMO_SEED_DEFAULT)) hash.update(`${line}\n`);
    expect((await child.stdout.text()).split(' ')[0]).toBe(hash.digest('hex'));
  });

  test('ends quietly when the reader goes', async () => {
    const child = shell('"$0" "$1" stj 20000 | head -1 | wc -l; echo "${PIPESTATUS[0]}"');
    expect((await child.stdout.text()).trim().split(/\s+/u)).toEqual(['1', '0']);
    expect(await child.stderr.text()).toBe('');
  });

  test('explains itself', async () => {
    const { exitCode, stdout } = await run('--help');
    expect(exitCode).toBe(0);
    expect(stdout).toContain(BASES.join(', '));
    expect(stdout).toContain('--seed');
  });

  test.each([
    [['stk', '5'], new RegExp(`${BASES.join(', ')}.*Did you mean st[fj]\\?`, 'su')],
    [['trt', '5'], /Did you mean t(?:rt3|st)\?/u],
    [['stj', '0'], /positive whole number/u],
    [['stj', '1.5'], /positive whole number/u],
    [['stj', '1e3'], /positive whole number/u],
    [['stj', '5', '--seed', 'x'], /seed must be a whole number/u],
    [['stj', '5', '--sed', '1'], /unknown option/u],
    [['stj'], /missing required argument 'count'/u],
    [['stj', '5', '6'], /too many arguments/u],
  ])('refuses %j with a plain message', async (args, message) => {
    const { exitCode, stdout, stderr } = await run(...args);
    expect(exitCode).not.toBe(0);
    expect(stdout).toBe('');
    expect(stderr).toMatch(message);
    expect(stderr).not.toMatch(/\n\s+at /u);
  });
});
