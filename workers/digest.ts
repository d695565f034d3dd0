import { parentPort, workerData } from 'node:worker_threads';
import { digest, type DigestTask } from '../src/cluster/data/chunks.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- only `chunks.ts` starts it
const task = workerData as DigestTask;

// Hashes one file, and ends.
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread's port, not a window
parentPort?.postMessage(digest(task));
