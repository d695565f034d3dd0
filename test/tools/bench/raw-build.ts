import { BASES, isOneOf } from '../../../src/contract/enums.ts';
import { demoLines } from '../../../src/tools/demo/generate.ts';
import { readLine } from '../../../src/ingest/canonical.ts';
import { lastDays } from '../../../src/ingest/dates.ts';
import { toDecisao } from '../../../src/ingest/decisao.ts';
import { SEED } from '../measure/build.ts';
import { RAW_SQL, openRawForWriting, rawWriter } from './raw-base.ts';

const LAST = lastDays(new Date());

/**
 * Run as a process of its own, beside the one that fills the service's base with the same decisions:
 * `raw-build.ts BASE COUNT FILE`, where the file `-` is for the count of bytes alone. Prints the bytes of the JSON
 * Lines.
 */
const [base = '', count = '0', file = ''] = process.argv.slice(2);
if (!isOneOf(BASES, base)) throw new Error(`no base ${base}`);

const db = file === '-' ? null : openRawForWriting(file, RAW_SQL);
const write = db === null ? null : rawWriter(db, base);
let bytes = 0;
let numero = 0;
for (const line of demoLines(base, Number(count), SEED)) {
  bytes += Buffer.byteLength(line) + 1;
  numero += 1;
  if (write === null) continue;
  const linha = readLine(line, base, LAST);
  if (typeof linha === 'string') throw new Error(linha);
  write(numero, toDecisao(linha));
}
if (db?.inTransaction === true) db.exec('COMMIT');
db?.exec("INSERT INTO fts (fts) VALUES ('optimize'); ANALYZE;");
db?.pragma('wal_checkpoint(TRUNCATE)');
db?.close();
console.log(JSON.stringify({ bytes }));
