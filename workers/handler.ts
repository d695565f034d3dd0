import Database from 'better-sqlite3';
import type { BaseReply, BaseRequest } from '../src/engine/messages.ts';
import type { Base } from '../src/contract/vocabulary.ts';
import { done, failed, type Failed, type Outcome } from '../src/engine/outcome.ts';
import type { Expensive, Ran } from '../src/engine/port.ts';
import { BudgetExceeded, workedMs } from '../src/index/read/budget.ts';
import { Connector, snapshotOf, type Connection, type Snapshot } from '../src/index/read/connection.ts';
import { costMs } from '../src/index/read/cost.ts';
import { cover } from '../src/index/read/coverage.ts';
import { near } from '../src/index/read/near.ts';
import { read } from '../src/index/read/rows.ts';
import { search } from '../src/index/read/search.ts';

/** A batch stops after this much work. Requests not started are returned, so that none waits for an expensive one. */
const BATCH_WORK_MS_MAX = 5;
/** A batch stops after this time too: threads share processors and disks. */
const BATCH_MS_MAX = 25;
const DAMAGED_MEND = '; move the base file away and load the base again: bun run ingest BASE FILE';

/** Answers for one base file from one thread. */
export class Handler {
  readonly #connector: Connector;
  readonly #isAbandoned: () => boolean;
  /** The connection and the snapshot of the current batch. */
  #reading: { readonly connection: Connection; readonly snapshot: Snapshot } | null = null;

  /** @param isAbandoned true if nobody waits for the current batch any more. */
  constructor(file: string, base: Base, isAbandoned = () => false) {
    this.#connector = new Connector(file, base);
    this.#isAbandoned = isAbandoned;
  }

  /** Runs a batch. Each outcome has the index of its request; null is a request not started. Never throws. */
  run(batch: readonly BaseRequest[]): Ran[] {
    const startedAt = performance.now();
    const workedBefore = workedMs();
    let worked = workedBefore;
    const outcomes = batch.map((request, at): Ran => {
      const isOver =
        worked - workedBefore > BATCH_WORK_MS_MAX || performance.now() - startedAt > BATCH_MS_MAX;
      if (at > 0 && isOver) return null;
      const before = worked;
      const outcome = this.#answer(request, startedAt + request.budget_ms);
      worked = workedMs();
      return { ...outcome, work_ms: worked - before };
    });
    this.#end();
    return outcomes;
  }

  /** Closes the file. The next batch opens it again. */
  close(): void {
    this.#connector.close();
  }

  #answer(request: BaseRequest, deadline: number): Outcome<BaseReply> | Expensive {
    const { work_ms = Number.POSITIVE_INFINITY } = request;
    try {
      const { connection, snapshot } = this.#begin();
      connection.budget.start(deadline, work_ms, this.#isAbandoned);
      const cost_ms =
        request.kind === 'search' && request.work_ms !== undefined
          ? costMs(connection, request, snapshot)
          : 0;
      if (cost_ms > work_ms) return { ok: false, failure: 'expensive', cost_ms };
      return done(dispatch(connection, request, snapshot));
    } catch (error) {
      const failure = describe(error);
      const isCutShort = failure.failure === 'deadline' && request.work_ms !== undefined;
      if (isCutShort && performance.now() < deadline && !this.#isAbandoned())
        return { ok: false, failure: 'expensive', cost_ms: work_ms };
      if (failure.failure === 'unavailable') this.#connector.close();
      return failure;
    }
  }

  /**
   * All statements of a batch read the same snapshot, of the file that is at the path when it begins, even if a load commits
   * meanwhile or another file comes there.
   */
  #begin(): { readonly connection: Connection; readonly snapshot: Snapshot } {
    if (this.#reading?.connection.db.open === true) return this.#reading;
    const connection = this.#connector.connection();
    connection.statement('BEGIN').run();
    return (this.#reading = { connection, snapshot: snapshotOf(connection) });
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
    case 'near':
      return near(connection, request, snapshot);
  }
}

function describe(error: unknown): Failed {
  if (error instanceof BudgetExceeded) return failed('deadline');
  const text = error instanceof Error ? error.message : String(error);
  if (!(error instanceof Database.SqliteError)) return failed('unavailable', text);
  const isDamaged = /^SQLITE_(?:CORRUPT|NOTADB)/u.test(error.code);
  return failed('unavailable', `${error.code}: ${text}${isDamaged ? DAMAGED_MEND : ''}`);
}
