import { parentPort, workerData } from 'node:worker_threads';
import { Check } from 'typebox/value';
import { BaseSchema } from '../contract/enums.ts';
import { pack, transferred } from './packed.ts';
import { Preparer, type LineBatch } from './prepare.ts';

if (parentPort === null || !Check(BaseSchema, workerData)) throw new Error('the thread was given no base');
const port = parentPort;
const preparer = new Preparer(workerData);

// Batches come one after the other, and the numbers go on from each to the next; null is the end.
port.on('message', (batch: LineBatch | null) => {
  if (batch === null) {
    port.close();
    return;
  }
  const packed = pack(preparer.prepare(batch));
  port.postMessage(packed, transferred(packed));
});
