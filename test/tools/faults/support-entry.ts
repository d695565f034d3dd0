import { closeSync, existsSync, openSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { workerData } from 'node:worker_threads';

/**
 * A thread entry that obeys a flag file, and else is `workers/main.ts`. The flag lies next to the
 * `bases` folder and bears the base's name: `throw`, `exit`, `hold` (for as long as the flag says
 * so) and `block` (until the pipe next to it has a writer; nothing ends the thread before that) come true in a task, `throw-import` and `exit-import` while the thread loads, `exit, then throw-import` in this order.
 */
const given: unknown = Array.isArray(workerData) ? workerData.at(-1) : workerData;
const { file, base } = given as { file: string; base: string };
const flag = join(dirname(dirname(file)), `thread-fault-${base}`);
const EXIT_CODE = 3;
const HOLD_MS = 5;

function fault(): string {
  return existsSync(flag) ? readFileSync(flag, 'utf8') : '';
}

if (fault().endsWith('throw-import')) throw new Error('broken while it was imported');
if (fault() === 'exit-import') process.exit(EXIT_CODE);
// Only now: a thread must not end while its native module loads.
const { default: run } = await import('../../../workers/main.ts');

export default function runOrFail(...task: Parameters<typeof run>): ReturnType<typeof run> {
  // The first task, with which the thread starts, is empty.
  if (task[0].length === 0) return run(...task);
  const now = fault();
  if (now === 'throw') throw new Error('broken in a task');
  if (now.startsWith('exit')) process.exit(EXIT_CODE);
  if (now === 'block') closeSync(openSync(`${flag}.pipe`, 'r'));
  while (fault() === 'hold') Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, HOLD_MS);
  return run(...task);
}
