import { parentPort, workerData } from 'node:worker_threads';
import { BASES, isOneOf } from '../contract/vocabulary.ts';
import { GARBAGE_CHARACTERS_MAX } from './batches.ts';
import { pack, transferred } from './packed.ts';
import { RecordMaker, type LineBatch } from './record-maker.ts';

if (parentPort === null || !isOneOf(BASES, workerData))
  throw new Error('the record thread has no valid start data');
const port = parentPort;
const maker = new RecordMaker(workerData);

// Word numbers continue from one batch to the next. Null ends the thread.
port.on('message', (batch: LineBatch | null) => {
  if (batch === null) {
    port.close();
    return;
  }
  const packed = pack(maker.recordsOf(batch));
  port.postMessage(packed, transferred(packed));
  if (batch.lines.some((line) => line.length > GARBAGE_CHARACTERS_MAX)) Bun.gc(true);
});
