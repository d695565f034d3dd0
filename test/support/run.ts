import { join } from 'node:path';

const ROOT = join(import.meta.dirname, '../..');

export interface Finished {
  readonly exitCode: number;
  readonly out: string;
  readonly err: string;
}

/** A command of the project, as `bun run NAME` runs it, to its end. */
export async function run(
  script: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  input: string | Uint8Array = '',
): Promise<Finished> {
  const child = spawn(script, args, environment, input);
  const [out, err, exitCode] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
    child.exited,
  ]);
  return { exitCode, out, err };
}

/** The same, left running: its end is the caller's. */
export function spawn(
  script: string,
  args: readonly string[],
  environment: Record<string, string> = {},
  input: string | Uint8Array = '',
) {
  return Bun.spawn([process.execPath, join(ROOT, 'src', script), ...args], {
    cwd: ROOT,
    env: { PATH: process.env['PATH'] ?? '', ...environment },
    stdin: typeof input === 'string' ? Buffer.from(input) : input,
    stdout: 'pipe',
    stderr: 'pipe',
  });
}

/** A process that has the lock of a data folder when this resolves, and keeps it until it is killed. */
export async function lockHolder(dataDir: string) {
  const source = `
    import { takeLock } from ${JSON.stringify(join(ROOT, 'src/process/lock.ts'))};
    // Unreferenced, the garbage collector would release it.
    const release = takeLock(${JSON.stringify(dataDir)});
    console.log('held');
    setInterval(() => release, 60_000);`;
  const child = Bun.spawn([process.execPath, '-e', source], { stdout: 'pipe', stderr: 'inherit' });
  for await (const _ of child.stdout) break;
  return child;
}
