import Database from 'better-sqlite3';
import type { BaseReply, BaseRequest } from '../src/engine/messages.ts';
import type { Base } from '../src/contract/vocabulary.ts';
import { done, failed, type Failed, type Outcome } from '../src/engine/outcome.ts';
import { BudgetExceeded, workedMs } from '../src/index/read/budget.ts';
import { Connector, snapshotOf, type Connection, type Snapshot } from '../src/index/read/connection.ts';
import { cover } from '../src/index/read/coverage.ts';
import { read } from '../src/index/read/rows.ts';
import { search } from '../src/index/read/search.ts';

/** A batch stops after this much work or time. Requests not started are returned, so that none waits for an expensive one. */
const BATCH_WORK_MS_MAX = 5;
const BATCH_MS_MAX = 25;
const DAMAGED_MEND = '; move the base file away and load the base again: bun run ingest BASE FILE';

/** Answers for one base file from one thread. */
export class Handler {
  readonly #connector: Connector;
  readonly #isCancelled: (serial: number) => boolean;
  #isAbandoned = () => false;
  /** The connection and the snapshot of the current batch. */
  #reading: { readonly connection: Connection; readonly snapshot: Snapshot } | null = null;

  /** @param isCancelled true if nothing waits for the batch of a serial number any more. */
  constructor(file: string, base: Base, isCancelled: (serial: number) => boolean = () => false) {
    this.#connector = new Connector(file, base);
    this.#isCancelled = isCancelled;
  }

  /** Runs a batch. Each outcome has the index of its request; null is a request not started. Never throws. */
  run(batch: readonly BaseRequest[], serial = 0): (Outcome<BaseReply> | null)[] {
    const startedAt = performance.now();
    const workedBefore = workedMs();
    this.#isAbandoned = () => this.#isCancelled(serial);
    const outcomes = batch.map((request, at) => {
      const ms = performance.now() - startedAt;
      const isOver =
        ms > BATCH_WORK_MS_MAX && (ms > BATCH_MS_MAX || workedMs() - workedBefore > BATCH_WORK_MS_MAX);
      if (at > 0 && isOver) return null;
      return this.#answer(request, startedAt + request.budget_ms);
    });
    this.#end();
    return outcomes;
  }

  /** Closes the file. The next batch opens it again. */
  close(): void {
    this.#connector.close();
  }

  #answer(request: BaseRequest, deadline: number): Outcome<BaseReply> {
    try {
      const connection = this.#connector.connection();
      connection.budget.start(deadline, request.work_ms, this.#isAbandoned);
      return done(dispatch(connection, request, this.#snapshotOf(connection)));
    } catch (error) {
      const failure = describe(error);
      if (failure.failure === 'unavailable') this.#connector.close();
      return failure;
    }
  }

  /** All statements of a batch read the same snapshot, even if a load commits meanwhile. */
  #snapshotOf(connection: Connection): Snapshot {
    if (this.#reading?.connection !== connection) {
      connection.statement('BEGIN').run();
      this.#reading = { connection, snapshot: snapshotOf(connection) };
    }
    return this.#reading.snapshot;
  }

  /** Ends the transaction. A connection that was closed has none. */
  #end(): void {
    const connection = this.#reading?.connection;
    this.#reading = null;
    try {
      if (connection?.db.inTransaction === true) connection.statement('COMMIT').run();
    } catch {
      this.#connector.close();
    }
  }
}

function dispatch(connection: Connection, request: BaseRequest, snapshot: Snapshot): BaseReply {
  switch (request.kind) {
    case 'search':
      return search(connection, request, snapshot);
    case 'read':
      return read(connection, request, snapshot);
    case 'cover':
      return cover(connection, request, snapshot);
  }
}

function describe(error: unknown): Failed {
  if (error instanceof BudgetExceeded) return failed('deadline');
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Database.SqliteError)) return failed('unavailable', text);
  const isDamaged = /^SQLITE_(?:CORRUPT|NOTADB)/u.test(error.code);
  return failed('unavailable', `${error.code}: ${text}${isDamaged ? DAMAGED_MEND : ''}`);
}
