import { expect, test } from 'vitest';
import { run } from '../../support/run.ts';

type Refusal = readonly [args: readonly string[], message: RegExp];

/** What no command takes, whatever its own options are. */
const FOREIGN: readonly Refusal[] = [
  [['stray'], /too many arguments/],
  [['--bad'], /unknown option/],
];

/**
 * Tests that a command ends with 1 and a line for its user, no stack, when it is called wrongly.
 * @param script as `run` takes it. @param own wrong values of its own options, beside what no command takes.
 */
export function testRefusals(script: string, own: readonly Refusal[]): void {
  test.each([...own, ...FOREIGN])('refuses %j with a plain message', async (args, message) => {
    const { exitCode, err } = await run(script, args);
    expect(exitCode).toBe(1);
    expect(err).toMatch(message);
    expect(err).not.toMatch(/\n\s+at /);
  });
}
