import { parentPort, workerData } from 'node:worker_threads';
import { fetchFile, type FetchTask } from '../src/replicas/files/fetch.ts';

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- `fetchInThread` sends it
const fault = await fetchFile(workerData as FetchTask);
// oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
parentPort?.postMessage(fault);
