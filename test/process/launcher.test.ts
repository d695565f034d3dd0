import { chmodSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createBases } from '../../src/index/write/base-file.ts';
import { ROOT, startProgram } from '../support/run.ts';
import { temporaryFolder } from '../support/service.ts';

let dataDir: string;
beforeEach(() => {
  dataDir = temporaryFolder();
  createBases(dataDir);
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
  // In a separate process group.
  const command = ['setsid', path, process.execPath, join(ROOT, 'src/main.ts')];
  return startProgram(command, { environment: { DATA_DIR: dataDir, PORT: '0', ADMIN_PORT: '0' } });
}

describe('SIGTERM to npx', () => {
  test.skipIf(!existsSync('/proc/self/stat'))(
    'stops the service, although only a shell receives the signal',
    async () => {
      const npm = startBelow('npm exec bun');
      onTestFinished(() => {
        try {
          process.kill(-npm.pid, 'SIGKILL');
        } catch {
          // None of its group is left.
        }
      });
      await npm.says('Ctrl-C stops it.');
      npm.kill('SIGTERM');
      // Standard output ends with the last process that has it, which is the service.
      expect(await npm.ended).not.toBe(0);
      expect(npm.out()).toMatch(/Stopping…\n$/);
    },
  );
});
