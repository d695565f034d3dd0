/** The first shell becomes the program; the second waits for the end of the pipe, and then kills the program. */
const GUARD = 'exec 3<&0; (read -r _ <&3 && exit; kill -9 $$) >/dev/null 2>&1 & exec "$@" </dev/null 3<&-';

type Output = Bun.SpawnOptions.Readable;
interface Options<Out extends Output, Err extends Output> {
  readonly cwd?: string;
  readonly env: Record<string, string | undefined>;
  readonly stdout: Out;
  readonly stderr: Err;
}

/** Starts a program that ends with this process, even if killed: then the pipe ends. It has the returned pid and no input. */
export function spawnGuarded<Out extends Output, Err extends Output>(
  command: readonly string[],
  options: Options<Out, Err>,
): Bun.Subprocess<'pipe', Out, Err> {
  const child = Bun.spawn(['/bin/sh', '-c', GUARD, 'sh', ...command], { ...options, stdin: 'pipe' });
  void release(child);
  return child;
}

/** After its end, the pid may be reused. */
async function release({ exited, stdin }: Bun.Subprocess<'pipe'>): Promise<void> {
  await exited;
  void stdin.write('\n');
  void stdin.end();
}
