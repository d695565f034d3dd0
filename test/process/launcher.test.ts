import { chmodSync, existsSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createBases } from '../../src/index/write/base-file.ts';
import { temporaryFolder } from '../support/service.ts';

const ROOT = join(import.meta.dirname, '../..');

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
  createBases(dataDir);
});
afterEach(() => {
  rmSync(dataDir, { recursive: true, force: true });
});

/**
 * Starts the service as `npx` does where `sh` does not give its place to the command: npm passes SIGTERM on to the shell,
 * which dies of it and tells nobody.
 * @returns npm's process, and what the service prints.
 */
function startBelow(npm: string) {
  const path = join(dataDir, npm);
  writeFileSync(
    path,
    '#!/bin/sh\nsh -c \'"$@"; exit $?\' sh "$@" &\nshell=$!\ntrap \'kill -TERM $shell\' TERM\nwait $shell\n',
  );
  chmodSync(path, 0o700);
  return Bun.spawn([path, process.execPath, join(ROOT, 'src/main.ts')], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0' },
    stdout: 'pipe',
    stderr: 'inherit',
    detached: true,
  });
}

describe('SIGTERM to npx', () => {
  test.skipIf(!existsSync('/proc/self/stat'))(
    'stops the service, although only the shell between them hears of it',
    async () => {
      const npm = startBelow('npm exec bun');
      onTestFinished(() => {
        try {
          process.kill(-npm.pid, 'SIGKILL');
        } catch {
          // None of its group is left.
        }
      });
      let out = '';
      for await (const chunk of npm.stdout) {
        out += new TextDecoder().decode(chunk);
        if (out.endsWith('Ctrl-C stops it.\n')) npm.kill('SIGTERM');
      }
      // Standard output ends with the last process that has it, which is the service.
      expect(out).toMatch(/Stopping…\n$/);
      expect(await npm.exited).not.toBe(0);
    },
  );
});
