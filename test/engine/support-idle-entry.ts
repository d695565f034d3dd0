import { appendFileSync } from 'node:fs';
import { workerData } from 'node:worker_threads';

const given: unknown = Array.isArray(workerData) ? workerData.at(-1) : workerData;
const { file } = given as { file: string };

/** A thread entry that notes each empty text beside its file. */
export default function run(text: string): null[] {
  if (text === '') appendFileSync(`${file}.empty`, 'x');
  return text === '' ? [] : (JSON.parse(text) as unknown[]).map(() => null);
}
