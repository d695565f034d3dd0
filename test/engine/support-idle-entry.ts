import { appendFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const given: unknown = Array.isArray(workerData) ? workerData.at(-1) : workerData;
const { file } = given as { file: string };

/** A thread entry that notes each empty batch beside its file. */
export default function run(batch: readonly unknown[]): null[] {
  if (batch.length === 0) appendFileSync(`${file}.empty`, 'x');
  return batch.map(() => null);
}
