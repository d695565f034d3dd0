import { parentPort, workerData } from 'node:worker_threads';
import type { BaseRequest } from '../src/engine/messages.ts';
import type { Ran } from '../src/engine/port.ts';
import type { ThreadReply } from '../src/engine/thread.ts';

// A thread of a pool: it imports the module that its pool names, and answers one batch after the other.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `thread.ts` starts it
const { entry } = workerData as { readonly entry: string };
// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as above
const { default: run } = (await import(entry)) as { default: (batch: readonly BaseRequest[]) => Ran[] };

const send = (reply: ThreadReply): void => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
  parentPort?.postMessage(reply);
};

parentPort?.on('message', (batch: readonly BaseRequest[]) => {
  try {
    const outcomes = run(batch);
    // An empty batch only collects garbage.
    if (batch.length > 0) send({ outcomes });
  } catch (error) {
    send({ error: error instanceof Error ? error.message : String(error) });
  }
});
send({});
