import { isOneOf, BASES } from '../../../src/contract/vocabulary.ts';
import { Handler } from '../../../workers/handler.ts';

/** Reads one record of a base file, as a pool's thread would, and prints the outcome. */
const [file = '', base] = process.argv.slice(2);
if (!isOneOf(BASES, base)) throw new Error(`no base ${String(base)}`);
const [outcome] = new Handler(file, base).run([
  { kind: 'read', object: 'documento', doc_ids: [1], budget_ms: 10_000 },
]);
console.log(JSON.stringify(outcome));
