import { describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { ROOT, run as runScript, startProgram } from '../../support/run.ts';
import { DEMO_SEED_DEFAULT, demoLines } from '../../../src/tools/demo/generate.ts';

const SCRIPT = 'tools/demo/command.ts';
const run = (...args: readonly string[]) => runScript(SCRIPT, args);

/** A line of a shell in which `"$0" "$1"` is the command. */
async function shell(line: string) {
  const child = startProgram(['bash', '-c', line, process.execPath, `${ROOT}/src/${SCRIPT}`]);
  await child.ended;
  return { out: child.out(), err: child.err() };
}

describe('the demo command', () => {
  test('writes the lines of the generator, and nothing to a stderr that is no terminal', async () => {
    const { exitCode, out, err } = await run('stj', '40');
    expect(exitCode).toBe(0);
    expect(err).toBe('');
    expect(out).toBe([...demoLines('stj', 40, DEMO_SEED_DEFAULT)].map((line) => `${line}\n`).join(''));
  });

  test('prints other lines with another seed', async () => {
    const { out } = await run('tst', '3', '--seed', '7');
    expect(out).toBe([...demoLines('tst', 3, 7)].map((line) => `${line}\n`).join(''));
  });

  test('writes more than a pipe holds to a slow reader', async () => {
    const { out } = await shell('"$0" "$1" eproc 3000 | (sleep 0.3; cat) | sha256sum');
    const hash = new Bun.CryptoHasher('sha256');
    for (const line of demoLines('eproc', 3000, DEMO_SEED_DEFAULT)) hash.update(`${line}\n`);
    expect(out.split(' ')[0]).toBe(hash.digest('hex'));
  });

  test('exits with 0 and no message when its reader closes the pipe', async () => {
    const { out, err } = await shell('"$0" "$1" stj 20000 | head -1 | wc -l; echo "${PIPESTATUS[0]}"');
    expect(out.trim().split(/\s+/u)).toEqual(['1', '0']);
    expect(err).toBe('');
  });

  test.each([
    [['stk', '5'], new RegExp(`choices are ${BASES.join(', ')}`, 'u')],
    [['stj', '1e3'], /whole number from 1/u],
    [['stj', '5', '--seed', 'x'], /must be a whole number/u],
    [['stj', '5', '6'], /too many arguments/u],
  ])('refuses %j with a plain message', async (args, message) => {
    const { exitCode, out, err } = await run(...args);
    expect(exitCode).not.toBe(0);
    expect(out).toBe('');
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /u);
  });
});
