import type Database from 'better-sqlite3';
import { basename, dirname } from 'node:path';
import { INDEXED_FIELDS } from '../format/bm25f.ts';
import { MARK_MADE_UP_SQL, VERSION_DAYS, baseFile } from '../format/schema.ts';
import { seal, unseal } from '../format/seal.ts';
import {
  READ_STATE_SQL,
  WRITE_STATE_SQL,
  originSum,
  readState,
  writeState,
  type State,
} from '../format/state.ts';
import { packWords, readVersion, unpackWords, writeVersion, type Version } from '../format/word-vector.ts';
import { OPEN_MS_MAX } from '../../config/limits.ts';
import { BASES } from '../../contract/vocabulary.ts';
import { DocValueWriter } from './doc-values.ts';
import { indexedOf } from './indexed.ts';
import { kindIn, kindsIn, refuseMixing, type Kind } from './kinds.ts';
import { PostingWriter } from './posting-writer.ts';
import type { NewRecord, RecordBatch } from './record-batch.ts';
import { RecordWriter } from './record-writer.ts';
import { StoredDocumentos } from './stored-documento.ts';
import { Inverter } from './inverter.ts';

export type Written = 'added' | 'replaced' | 'unchanged';
export type WrittenCounts = Record<Written, number>;

/** A transaction ends at this many decisions, this much text or after `OPEN_MS_MAX`, whichever comes first. */
export const DECISIONS_MAX = 32_768;
const TEXT_MAX = 64 * 1024 * 1024;
const DAY_MS = 86_400_000;
/** Words of replaced decisions that are kept in memory. */
const WORDS_MAX = 100_000;

/**
 * Writes decisions into a base file in transactions of bounded size. A new key gets the next number; a known
 * one keeps its number and its place, and is skipped when it comes again unchanged.
 */
export class BaseWriter {
  readonly #db: Database.Database;
  readonly #sql: ReturnType<typeof prepare>;
  readonly #postings: PostingWriter;
  readonly #docValues: DocValueWriter;
  readonly #records: RecordWriter;
  readonly #documentos: StoredDocumentos;
  readonly #dataDir: string;
  /** What the other bases of the folder hold: a search reads them all side by side. */
  readonly #beside: ReadonlySet<Kind>;
  /** Of the decisions of this transaction. */
  #kind: Kind | null = null;
  /** For the words of decisions that are replaced. */
  #inverter = new Inverter();
  /** What became of the decisions that are safe on disk. */
  readonly committed: WrittenCounts = { added: 0, replaced: 0, unchanged: 0 };
  #pending: WrittenCounts = { added: 0, replaced: 0, unchanged: 0 };
  #textLength = 0;
  #openedAt = 0;
  /** Whether this transaction has given a decision another key, of which the state keeps a sum. */
  #isRenamed = false;
  /** As it will be when the transaction ends. */
  #state: Writable<State>;
  /** Decisions replaced in this transaction: only what the first replaces may have been seen by a reader. */
  #replaced = new Set<number>();

  constructor(db: Database.Database) {
    this.#db = db;
    this.#sql = prepare(db);
    this.#postings = new PostingWriter(db);
    this.#docValues = new DocValueWriter(db);
    this.#records = new RecordWriter(db);
    this.#documentos = new StoredDocumentos(db);
    this.#dataDir = dirname(dirname(db.name));
    const others = BASES.filter((base) => basename(db.name) !== basename(baseFile(this.#dataDir, base)));
    this.#beside = kindsIn(this.#dataDir, others);
    this.#state = this.#readState();
  }

  /** To be called with the texts of a batch before its decisions are written. */
  addTerms(texts: RecordBatch['texts']): void {
    this.#orRollBack(() => {
      this.#postings.addTerms(texts);
    });
  }

  /** Writes one decision; it is safe on disk after the next commit, which comes by itself or by `commit`. */
  write(decisao: NewRecord): Written {
    return this.#orRollBack(() => {
      if (!this.#db.inTransaction) this.#begin();
      const kind = decisao.isMadeUp ? 'made-up' : 'real';
      if (kind !== this.#kind) this.#take(kind);
      const written = this.#writeInTransaction(decisao);
      this.#pending[written] += 1;
      const { added, replaced, unchanged } = this.#pending;
      if (added + replaced + unchanged >= DECISIONS_MAX || this.#textLength >= TEXT_MAX) this.commit();
      else this.commitIfOld();
      return written;
    });
  }

  /** Where a decision stands under both keys, it goes on to stand twice. */
  rename({ tribunal, chave }: Pick<NewRecord, 'tribunal' | 'chave'>, formerKey: string): void {
    this.#orRollBack(() => {
      if (!this.#db.inTransaction) this.#begin();
      const known = this.#sql.findOrigin.get(tribunal, formerKey);
      if (known === undefined || this.#sql.renameOrigin.run(chave, tribunal, formerKey).changes === 0) return;
      this.#sumOrigin(tribunal, formerKey, known.numero, known.digest);
      this.#sumOrigin(tribunal, chave, known.numero, known.digest);
      this.#isRenamed = true;
    });
  }

  /** Ends the transaction under way, if there is one; readers see it at once. */
  commit(): void {
    if (!this.#db.inTransaction) return;
    this.#orRollBack(() => {
      this.#postings.flush();
      this.#docValues.flush();
      this.#records.flush();
      if (this.#isRenamed || this.#pending.added + this.#pending.replaced > 0) {
        this.#dropVersions();
        this.#state.geracao += 1;
        this.#state.listas = this.#postings.lists;
        this.#sql.writeState.run(writeState(this.#state));
      }
      this.#sql.commit.run();
    });
    this.committed.added += this.#pending.added;
    this.committed.replaced += this.#pending.replaced;
    this.committed.unchanged += this.#pending.unchanged;
    this.#forget();
  }

  /** Ends a transaction that has been open for long: what comes slowly, or takes long, is not kept from readers. */
  commitIfOld(): void {
    if (performance.now() - this.#openedAt >= OPEN_MS_MAX) this.commit();
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
    // Only now nobody else can add to it.
    this.#state = this.#readState();
    this.#postings.lists = this.#state.listas;
    this.#openedAt = performance.now();
    this.#kind = null;
  }

  /** @throws PlainError where made-up decisions would mix with others. */
  #take(kind: Kind): void {
    this.#records.flush();
    refuseMixing(kind, [kindIn(this.#db), ...this.#beside], this.#dataDir);
    if (kind === 'made-up') this.#sql.markMadeUp.run();
    this.#kind = kind;
  }

  #readState(): Writable<State> {
    return readState(this.#sql.readState.get());
  }

  /** Forgets versions that no cursor needs any more. */
  #dropVersions(): void {
    const [first, next] = this.#state.versoes;
    const before = today() - VERSION_DAYS;
    let kept = first;
    while (kept < next && this.#version(kept).dia < before) kept += 1;
    if (kept === first) return;
    this.#sql.dropVersions.run(kept);
    this.#state.versoes = [kept, next];
  }

  #version(serie: number): Version {
    return readVersion(unseal('versao', serie, this.#sql.findVersion.get(serie)));
  }

  #forget(): void {
    this.#isRenamed = false;
    this.#pending = { added: 0, replaced: 0, unchanged: 0 };
    this.#textLength = 0;
    this.#replaced = new Set();
  }

  #writeInTransaction(decisao: NewRecord): Written {
    const { tribunal, chave, digest } = decisao;
    const next = this.#state.decisoes + 1;
    // Most decisions are new: whether one is known shows when its key is put in.
    if (this.#sql.addOrigin.run(tribunal, chave, next, digest).changes === 1) {
      this.#state.decisoes = next;
      this.#sumOrigin(tribunal, chave, next, digest);
      this.#postings.append(next, decisao);
      this.#insert(next, decisao);
      return 'added';
    }
    const known = this.#sql.findOrigin.get(tribunal, chave);
    if (known === undefined) throw new Error(`the key ${chave} is neither known nor new`);
    if (known.digest.equals(digest)) return 'unchanged';
    this.#sql.changeOrigin.run(digest, tribunal, chave);
    this.#sumOrigin(tribunal, chave, known.numero, known.digest);
    this.#sumOrigin(tribunal, chave, known.numero, digest);
    // Lists are edited in place here, so whatever this transaction has appended must stand in them first.
    this.#postings.flush();
    this.#records.flush();
    const before = this.#wordsOf(known.numero);
    this.#keepVersion(known.numero, before);
    this.#postings.replace(known.numero, [...unpackWords(before).keys()], decisao);
    this.#sql.deleteWords.run(known.numero);
    this.#sql.deleteVector.run(known.numero);
    this.#insert(known.numero, decisao);
    return 'replaced';
  }

  #sumOrigin(tribunal: number, chave: string, numero: number, digest: Uint8Array): void {
    this.#state.origem = (this.#state.origem ^ originSum(tribunal, chave, numero, digest)) >>> 0;
  }

  #keepVersion(numero: number, packed: Uint8Array): void {
    if (this.#replaced.has(numero)) return;
    this.#replaced.add(numero);
    const [first, serie] = this.#state.versoes;
    const version = { generation: this.#state.geracao + 1, numero, dia: today(), packed };
    this.#sql.keepVersion.run(serie, seal('versao', serie, writeVersion(version)));
    this.#state.versoes = [first, serie + 1];
  }

  #insert(numero: number, decisao: NewRecord): void {
    const { tribunal, tipo, julgamento, publicacao, documento, resumo } = decisao;
    this.#records.put(numero, resumo, documento);
    this.#docValues.put(numero, { tribunal, tipo, julgamento, publicacao });
    this.#sql.insertWords.run(numero, ...decisao.indexed);
    if (decisao.indexesFullText) {
      this.#sql.putVector.run(numero, seal('vetor', numero, packWords(this.#postings.wordsOf(decisao))));
    }
    for (const text of decisao.indexed) this.#textLength += text.length;
  }

  /** The words under which a stored decision stands in the lists, packed. */
  #wordsOf(numero: number): Uint8Array {
    const vector = this.#sql.findVector.get(numero);
    if (vector !== undefined) return unseal('vetor', numero, vector);
    if (this.#inverter.size > WORDS_MAX) this.#inverter = new Inverter();
    const weights = this.#inverter.invert(indexedOf(this.#documentos.read(numero)));
    return packWords(this.#inverter.wordsOf(weights));
  }
}

type Writable<Of> = { -readonly [Key in keyof Of]: Of[Key] };

function today(): number {
  return Math.floor(Date.now() / DAY_MS);
}

function prepare(db: Database.Database) {
  const columns = INDEXED_FIELDS.join(', ');
  const marks = INDEXED_FIELDS.map(() => '?').join(', ');
  return {
    begin: db.prepare('BEGIN IMMEDIATE'),
    commit: db.prepare('COMMIT'),
    rollback: db.prepare('ROLLBACK'),
    readState: db.prepare<[], Buffer>(READ_STATE_SQL).pluck(),
    writeState: db.prepare<[Uint8Array]>(WRITE_STATE_SQL),
    markMadeUp: db.prepare(MARK_MADE_UP_SQL),
    findOrigin: db.prepare<[number, string], { numero: number; digest: Buffer }>(
      'SELECT numero, digest FROM origem WHERE tribunal = ? AND chave = ?',
    ),
    findVector: db.prepare<[number], Buffer>('SELECT dados FROM vetor WHERE numero = ?').pluck(),
    findVersion: db.prepare<[number], Buffer>('SELECT dados FROM versao WHERE serie = ?').pluck(),
    keepVersion: db.prepare<[number, Uint8Array]>(
      'INSERT OR REPLACE INTO versao (serie, dados) VALUES (?, ?)',
    ),
    dropVersions: db.prepare<[number]>('DELETE FROM versao WHERE serie < ?'),
    addOrigin: db.prepare(
      `INSERT INTO origem (tribunal, chave, numero, digest) VALUES (?, ?, ?, ?)
       ON CONFLICT (tribunal, chave) DO NOTHING`,
    ),
    renameOrigin: db.prepare('UPDATE OR IGNORE origem SET chave = ? WHERE tribunal = ? AND chave = ?'),
    changeOrigin: db.prepare('UPDATE origem SET digest = ? WHERE tribunal = ? AND chave = ?'),
    putVector: db.prepare('INSERT OR REPLACE INTO vetor (numero, dados) VALUES (?, ?)'),
    deleteVector: db.prepare('DELETE FROM vetor WHERE numero = ?'),
    insertWords: db.prepare(`INSERT INTO fts (rowid, ${columns}) VALUES (?, ${marks})`),
    deleteWords: db.prepare('DELETE FROM fts WHERE rowid = ?'),
  };
}
