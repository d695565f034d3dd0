import type Database from 'better-sqlite3';
import { basename, dirname } from 'node:path';
import { MARK_MADE_UP_SQL, VERSION_DAYS, baseFile } from '../format/schema.ts';
import {
  READ_STATE_SQL,
  WRITE_STATE_SQL,
  sourceKeySum,
  readState,
  newMark,
  writeState,
  type State,
} from '../format/state.ts';
import { linesOf, readVersion, unpackWords, writeVersion } from '../format/term-vector.ts';
import type { Documento } from '../../contract/documento.ts';
import { BASES } from '../../contract/vocabulary.ts';
import { DocValueWriter } from './doc-values.ts';
import type { DocumentPostings } from './inverter.ts';
import { kindIn, kindsIn, refuseMixing, type Kind } from './kinds.ts';
import { PostingWriter } from './posting-writer.ts';
import type { NewRecord, RecordBatch } from './record-batch.ts';
import { RecordWriter } from './record-writer.ts';
import { RowStore } from './row-store.ts';

/** A transaction ends after this long, or after the duration of the last commit, unless its size ends it sooner. */
export const OPEN_MS_MAX = 4_000;

export type Written = 'added' | 'replaced' | 'unchanged';
export type WrittenCounts = Record<Written, number>;

/** Limits of a transaction, besides `OPEN_MS_MAX`. */
export const DECISIONS_MAX = 32_768;
const POSTING_BYTES_MAX = 64 * 1024 * 1024;
const DAY_MS = 86_400_000;

/** Writes decisions in bounded transactions. A new key gets the next doc id. An unchanged decision is skipped. */
export class BaseWriter {
  readonly #db: Database.Database;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #rows: RowStore;
  readonly #postings: PostingWriter;
  readonly #docValues: DocValueWriter;
  readonly #records: RecordWriter;
  readonly #dataDir: string;
  /** The kinds in the folder's other bases. */
  readonly #beside: ReadonlySet<Kind>;
  /** Of the current transaction. */
  #kind: Kind | null = null;
  readonly committed: WrittenCounts = { added: 0, replaced: 0, unchanged: 0 };
  #pending: WrittenCounts = { added: 0, replaced: 0, unchanged: 0 };
  #openedAt = 0;
  /** At least as long as the last commit, so that slow commits are rarer. */
  #openMs = OPEN_MS_MAX;
  /** As of the end of the transaction. */
  #state: Writable<State>;
  /** Decisions replaced in this transaction; readers may have seen only the version before the first replacement. */
  #replaced = new Set<number>();

  constructor(db: Database.Database) {
    this.#db = db;
    this.#sql = prepare(db);
    this.#rows = new RowStore(db);
    this.#postings = new PostingWriter(db);
    this.#docValues = new DocValueWriter(db);
    this.#records = new RecordWriter(db);
    this.#dataDir = dirname(dirname(db.name));
    const others = BASES.filter((base) => basename(db.name) !== basename(baseFile(this.#dataDir, base)));
    this.#beside = kindsIn(this.#dataDir, others);
    this.#state = this.#readState();
  }

  /** Call it with the texts of a batch before `write`. */
  addTerms(texts: RecordBatch['texts']): void {
    this.#orRollBack(() => {
      this.#postings.addTerms(texts);
    });
  }

  /** Writes one decision, which is safe after the next commit; some commits are automatic. */
  write(decisao: NewRecord): Written {
    return this.#orRollBack(() => {
      if (!this.#db.inTransaction) this.#begin();
      const kind = decisao.isMadeUp ? 'made-up' : 'real';
      if (kind !== this.#kind) this.#take(kind);
      const written = this.#writeInTransaction(decisao);
      this.#pending[written] += 1;
      const { added, replaced, unchanged } = this.#pending;
      if (added + replaced + unchanged >= DECISIONS_MAX || this.#postings.bytesHeld >= POSTING_BYTES_MAX)
        this.commit();
      else this.commitIfOld();
      return written;
    });
  }

  /** The current decision that another one would change, including this transaction's changes; null if none. */
  read({ tribunal, chave, digest }: NewRecord): Documento | null {
    const known = this.#sql.findKey.get(tribunal, chave);
    return known === undefined || known.digest.equals(digest) ? null : this.#records.read(known.docId);
  }

  /** Ends the current transaction, if any. */
  commit(): void {
    if (!this.#db.inTransaction) return;
    const startedAt = performance.now();
    this.#orRollBack(() => {
      this.#postings.flush();
      this.#docValues.flush();
      this.#records.flush();
      if (this.#pending.added + this.#pending.replaced > 0) {
        this.#dropVersions();
        this.#state.generation += 1;
        this.#state.mark = newMark();
        this.#state.terms = this.#postings.lastTermId;
        this.#sql.writeState.run(writeState(this.#state));
      }
      this.#sql.commit.run();
    });
    this.committed.added += this.#pending.added;
    this.committed.replaced += this.#pending.replaced;
    this.committed.unchanged += this.#pending.unchanged;
    this.#openMs = Math.max(OPEN_MS_MAX, performance.now() - startedAt);
    this.#forget();
  }

  /** Ends a transaction that was open for long, so that readers see its decisions. */
  commitIfOld(): void {
    if (performance.now() - this.#openedAt >= this.#openMs) this.commit();
  }

  rollback(): void {
    if (this.#db.inTransaction) this.#sql.rollback.run();
    this.#postings.reset();
    this.#docValues.reset();
    this.#records.reset();
    this.#forget();
  }

  #orRollBack<Of>(work: () => Of): Of {
    try {
      return work();
    } catch (error) {
      this.rollback();
      throw error;
    }
  }

  #begin(): void {
    this.#sql.begin.run();
    // From now on no other process can change it.
    this.#state = this.#readState();
    this.#postings.lastTermId = this.#state.terms;
    this.#openedAt = performance.now();
    this.#kind = null;
  }

  /** @throws PlainError if made-up and real decisions would mix. */
  #take(kind: Kind): void {
    this.#records.flush();
    refuseMixing(kind, [kindIn(this.#db), ...this.#beside], this.#dataDir);
    if (kind === 'made-up') this.#sql.markMadeUp.run();
    this.#kind = kind;
  }

  #readState(): Writable<State> {
    return readState(this.#sql.readState.get());
  }

  /** Deletes versions that no cursor needs any more. */
  #dropVersions(): void {
    const [first, next] = this.#state.replaced;
    const before = today() - VERSION_DAYS;
    let kept = first;
    for (; kept < next && readVersion(this.#rows.read('replaced', kept)).day < before; kept += 1)
      this.#rows.delete('replaced', kept);
    this.#state.replaced = [kept, next];
  }

  #forget(): void {
    this.#pending = { added: 0, replaced: 0, unchanged: 0 };
    this.#replaced = new Set();
  }

  #writeInTransaction(decisao: NewRecord): Written {
    const { tribunal, chave, digest } = decisao;
    const next = this.#state.docs + 1;
    // Most decisions are new, so the key is inserted before it is looked up.
    if (this.#sql.addKey.run(tribunal, chave, next, digest).changes === 1) {
      this.#state.docs = next;
      this.#sumSourceKey(tribunal, chave, next, digest);
      this.#postings.append(next, decisao);
      this.#insert(next, decisao);
      if (decisao.indexesFullText) this.#putVector(next, this.#vectorOf(decisao));
      return 'added';
    }
    const known = this.#sql.findKey.get(tribunal, chave);
    if (known === undefined) throw new Error(`the key ${chave} is neither known nor new`);
    if (known.digest.equals(digest)) return 'unchanged';
    this.#sql.changeKey.run(digest, tribunal, chave);
    this.#sumSourceKey(tribunal, chave, known.docId, known.digest);
    this.#sumSourceKey(tribunal, chave, known.docId, digest);
    this.#replacePostings(known.docId, decisao);
    this.#insert(known.docId, decisao);
    return 'replaced';
  }

  /** Postings stay as they are if the texts do, and then no page depends on the old decision. */
  #replacePostings(docId: number, decisao: NewRecord): void {
    const vector = this.#rows.find('term_vectors', docId);
    const coming = decisao.indexesFullText ? this.#vectorOf(decisao) : null;
    const isSame =
      vector === null
        ? coming === null && this.#records.hasTextsOf(docId, decisao)
        : coming === Bun.zstdDecompressSync(vector).toString();
    if (isSame) return;
    const before = this.#postingsOf(docId, vector);
    this.#keepReplaced(docId, vector ?? Bun.zstdCompressSync(linesOf(this.#postings.wordsOf(before, true))));
    this.#postings.replace(docId, before, decisao);
    if (coming !== null) this.#putVector(docId, coming);
    else if (vector !== null) this.#rows.delete('term_vectors', docId);
  }

  #vectorOf(decisao: NewRecord): string {
    return linesOf(this.#postings.wordsOf(decisao), decisao.positions);
  }

  #putVector(docId: number, vector: string): void {
    this.#rows.put('term_vectors', docId, Bun.zstdCompressSync(vector));
  }

  #sumSourceKey(tribunal: number, chave: string, docId: number, digest: Uint8Array): void {
    this.#state.sourceKeys = (this.#state.sourceKeys ^ sourceKeySum(tribunal, chave, docId, digest)) >>> 0;
  }

  #keepReplaced(docId: number, packed: Uint8Array): void {
    if (this.#replaced.has(docId)) return;
    this.#replaced.add(docId);
    const [first, id] = this.#state.replaced;
    const version = { generation: this.#state.generation + 1, docId, day: today(), packed };
    this.#rows.put('replaced', id, writeVersion(version));
    this.#state.replaced = [first, id + 1];
  }

  #insert(docId: number, decisao: NewRecord): void {
    const { tribunal, tipo, julgamento, publicacao } = decisao;
    this.#records.put(docId, decisao);
    this.#docValues.put(docId, { tribunal, tipo, julgamento, publicacao });
  }

  /** A stored decision's postings. @param vector its row in `term_vectors`, if any. */
  #postingsOf(docId: number, vector: Uint8Array | null): DocumentPostings {
    if (vector !== null) return this.#postings.postingsOf(unpackWords(vector));
    return this.#postings.invert(this.#records.indexed(docId));
  }
}

type Writable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}

function prepare(db: Database.Database) {
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    rollback: db.prepare('ROLLBACK'),
    readState: db.prepare<[], Buffer>(READ_STATE_SQL).pluck(),
    writeState: db.prepare<[Uint8Array]>(WRITE_STATE_SQL),
    markMadeUp: db.prepare(MARK_MADE_UP_SQL),
    findKey: db.prepare<[number, string], { docId: number; digest: Buffer }>(
      'SELECT doc_id AS docId, digest FROM source_keys WHERE court = ? AND key = ?',
    ),
    addKey: db.prepare(
      `INSERT INTO source_keys (court, key, doc_id, digest) VALUES (?, ?, ?, ?)
       ON CONFLICT (court, key) DO NOTHING`,
    ),
    changeKey: db.prepare('UPDATE source_keys SET digest = ? WHERE court = ? AND key = ?'),
  };
}
