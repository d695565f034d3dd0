import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'vitest';

/** Where `generators/install.sh` put what generates clients; CI does, and else the tests of them are skipped. */
export const GENERATORS = process.env['GENERATORS'] ?? '';

export const hasGenerators = existsSync(join(GENERATORS, 'oapi-codegen'));
const hasPython = existsSync(join(GENERATORS, 'venv/bin/openapi-python-client'));

/** Runs a program of Python, with what generated clients need. */
export const PYTHON = join(GENERATORS, 'venv/bin/python');

/**
 * A test of what generated clients in Python need. Python's packages come from a registry of their own, which not every
 * machine of CI reaches: the installation reports it, and the test is skipped.
 */
export function itInPython(title: string, test: () => Promise<void>): void {
  if (hasPython || process.env['CI'] === undefined) it.runIf(hasPython)(title, test);
}
