import type Database from 'better-sqlite3';
import { basename, dirname } from 'node:path';
import { MARK_MADE_UP_SQL, baseFile } from '../format/schema.ts';
import {
  READ_STATE_SQL,
  WRITE_STATE_SQL,
  keyHash,
  sourceKeySum,
  readState,
  newMark,
  writeCommit,
  writeState,
  type State,
} from '../format/state.ts';
import { linesOf, unpackWords, writeVersion } from '../format/term-vector.ts';
import type { Documento } from '../../contract/documento.ts';
import { BASES } from '../../contract/vocabulary.ts';
import { NO_BYTES } from '../format/posting-list.ts';
import { DocValueWriter, NO_VALUES } from './doc-values.ts';
import type { DocumentPostings } from './inverter.ts';
import { kindIn, kindsIn, refuseMixing, type Kind } from './kinds.ts';
import { NO_POSTINGS, PostingWriter } from './posting-writer.ts';
import type { NewRecord, RecordBatch } from './record-batch.ts';
import { RecordWriter } from './record-writer.ts';
import { RowStore } from './row-store.ts';
import { removeVersions } from './versions.ts';
import { barredKeys, keysOf, type SourceKey } from './withdrawn.ts';

/** A transaction ends after this long, or after the duration of the last commit, unless its size ends it sooner. */
export const OPEN_MS_MAX = 4_000;

export type Written = 'added' | 'replaced' | 'unchanged';
export type WrittenCounts = Record<Written, number>;
/** Of a decision with the key of a withdrawn one. */
export const WITHDRAWN = 'withdrawn';

/** Limits of a transaction, besides `OPEN_MS_MAX`. */
export const DECISIONS_MAX = 32_768;
const POSTING_BYTES_MAX = 64 * 1024 * 1024;
const DAY_MS = 86_400_000;
const NONE_BARRED: ReadonlyMap<string, number> = new Map();

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
  /** Decisions replaced and withdrawn in this transaction, with the same texts too. */
  #changed = new Set<number>();
  #withdrawn: readonly number[] = [];
  /** The highest doc id before this transaction. */
  #docsBefore = 0;
  /** The numbers of withdrawn decisions, by the hash of a key that may not come again. */
  #barred = NONE_BARRED;

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
  write(decisao: NewRecord): Written | typeof WITHDRAWN {
    return this.#orRollBack(() => {
      if (!this.#db.inTransaction) this.#begin();
      if (this.#barred.size > 0 && this.#barred.has(keyHash(decisao.tribunal, decisao.chave).toString('hex')))
        return WITHDRAWN;
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

  /**
   * Takes decisions out, at once and for ever. @param docIds of which it has each; those withdrawn before are left out.
   * @param onKeys called before the commit with the keys that the decisions had.
   * @returns how many were taken out.
   */
  withdraw(docIds: readonly number[], onKeys: (keys: readonly SourceKey[]) => void): number {
    return this.#orRollBack(() => {
      this.commit();
      this.#begin();
      const keys = keysOf(this.#db, docIds);
      for (const key of keys) this.#withdrawOne(key);
      this.#withdrawn = keys.map(({ docId }) => docId);
      this.#state.withdrawn += keys.length;
      onKeys(keys);
      this.commit();
      return keys.length;
    });
  }

  /** Lets the keys of withdrawn decisions come again, as new decisions. @returns how many could not before. */
  readmit(docIds: readonly number[]): number {
    return this.#orRollBack(() => {
      this.commit();
      this.#begin();
      const barred = new Set(this.#barred.values());
      const readmitted = docIds.filter((docId) => barred.has(docId));
      for (const docId of readmitted) this.#rows.put('withdrawn', docId, NO_BYTES);
      this.#state.readmitted += readmitted.length;
      this.#sql.writeState.run(writeState(this.#state));
      this.commit();
      return readmitted.length;
    });
  }

  /** Ends the current transaction, if any. */
  commit(): void {
    if (!this.#db.inTransaction) return;
    const startedAt = performance.now();
    this.#orRollBack(() => {
      this.#postings.flush();
      this.#docValues.flush();
      this.#records.flush();
      if (this.#withdrawn.length > 0) this.#records.removeUnused(this.#withdrawn, this.#state.docs);
      if (this.#pending.added + this.#pending.replaced + this.#withdrawn.length > 0) {
        const withdrawn = new Set(this.#withdrawn);
        this.#state.replaced = removeVersions(this.#rows, this.#state.replaced, withdrawn, today());
        this.#state.generation += 1;
        this.#state.mark = newMark();
        this.#state.terms = this.#postings.lastTermId;
        this.#state.removedTerms = this.#postings.removedTerms;
        this.#writeChanges();
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
    const { mark } = this.#state;
    this.#state = this.#readState();
    if (this.#state.mark !== mark) {
      // Another process may have removed terms, frames or the dictionary.
      this.#records.reset();
      this.#postings.reset();
    }
    this.#postings.lastTermId = this.#state.terms;
    this.#postings.removedTerms = this.#state.removedTerms;
    this.#docsBefore = this.#state.docs;
    // Few are withdrawn, and another process may have withdrawn some.
    this.#barred = this.#state.withdrawn === 0 ? NONE_BARRED : barredKeys(this.#db);
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

  #withdrawOne({ court, key, docId, digest }: SourceKey): void {
    const vector = this.#rows.find('term_vectors', docId);
    this.#postings.replace(docId, this.#postingsOf(docId, vector), NO_POSTINGS);
    if (this.#postings.bytesHeld >= POSTING_BYTES_MAX) this.#postings.flush();
    if (vector !== null) this.#rows.delete('term_vectors', docId);
    this.#records.remove(docId);
    this.#docValues.put(docId, NO_VALUES);
    this.#sumSourceKey(court, key, docId, digest);
    this.#sql.removeKey.run(court, key);
    this.#rows.put('withdrawn', docId, keyHash(court, key));
  }

  #writeChanges(): void {
    const { generation, mark, docs } = this.#state;
    const replaced = [...this.#changed]
      .filter((docId) => docId <= this.#docsBefore)
      .toSorted((a, b) => a - b);
    const withdrawn = this.#withdrawn.toSorted((a, b) => a - b);
    this.#rows.put('commits', generation, writeCommit({ mark, docs, replaced, withdrawn }));
  }

  #forget(): void {
    this.#pending = { added: 0, replaced: 0, unchanged: 0 };
    this.#replaced = new Set();
    this.#changed = new Set();
    this.#withdrawn = [];
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
    this.#changed.add(known.docId);
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
    removeKey: db.prepare<[number, string]>('DELETE FROM source_keys WHERE court = ? AND key = ?'),
  };
}
