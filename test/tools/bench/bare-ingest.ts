import { createReadStream } from 'node:fs';
import { readLine } from '../../../src/ingest/canonical.ts';
import { lastDays } from '../../../src/ingest/dates.ts';
import { toDecisao } from '../../../src/ingest/decisao.ts';
import { readLines } from '../../../src/ingest/lines.ts';
import { BARE_SQL, WordsWriter, openRawForWriting } from './raw-base.ts';
import { ONE } from './queries.ts';

const LAST = lastDays(new Date());

/**
 * `bare-ingest.ts FILE LINES`: appends the words of JSON Lines to an FTS5 table of the service's options, as a
 * process of its own like the service's ingest. With `decode` as a third word the lines are read as ingest reads
 * them, and nothing is written: what both sides have in common.
 */
const [file = '', lines = '', mode = 'insert'] = process.argv.slice(2);
const db = openRawForWriting(file, BARE_SQL);
const writer = new WordsWriter(db);
let numero = db.prepare<[], number | null>('SELECT max(rowid) FROM fts').pluck().get() ?? 0;
for await (const { text } of readLines(createReadStream(lines, { highWaterMark: 256 * 1024 }))) {
  const linha = readLine(text ?? '', ONE, LAST);
  if (typeof linha === 'string') throw new Error(linha);
  const { indexed } = toDecisao(linha);
  numero += 1;
  if (mode === 'insert') writer.write(numero, indexed);
}
writer.commit();
db.pragma('wal_checkpoint(TRUNCATE)');
db.close();
