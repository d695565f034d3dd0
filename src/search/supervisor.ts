import type {
  After,
  NearRequest,
  ReadRequest,
  SearchReply,
  SearchRequest,
  Unbudgeted,
} from '../engine/messages.ts';
import { dataVersionOf, type DataVersion } from '../engine/data-version.ts';
import { done, failed, type Failure, type Outcome } from '../engine/outcome.ts';
import { BASES, type Base, type Ordem } from '../contract/vocabulary.ts';
import type { Pedido } from '../query/parameters.ts';
import type { BaseSelecionada } from '../query/selection.ts';
import { ASKERS, type Asker } from '../engine/asker.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import { within, type Clock, type Abandonment } from '../clock.ts';
import { Askers, searchesAtOnce } from './askers.ts';
import { PageEnd } from './page-end.ts';
import { PageRows, type BaseAnswer } from './page-rows.ts';
import { absentFromAll, assemble, type SearchPage } from './page.ts';
import { mergedNear, wordsToLookFor, type NearTerms } from './near.ts';

/**
 * A search waits for its turn and for room no longer than for this fraction of its first window: the rest is for the bases. As long
 * after it has asked them it is slow: as a base may time out, the others then fetch further rows, and no near words are waited
 * for. With a fixed 50 ms and 128 searches in flight every page was slow, and bases were asked for rows that hardly any page needed.
 */
const WAIT_SHARE = 1 / 2;
/**
 * A client that sends requests one by one repeats a rejected search immediately, and the service would only reject. So a search
 * backs off this long, and is admitted if there is room then.
 */
const BACK_OFF_MS = 250;

/** No near words: none are due, or a base did not give its own. */
const NONE_NEAR = { proximos: null, isWhole: true } as const;
const NO_NEAR_REPLY = { proximos: null, isWhole: false } as const;

/** Time limits of a base, milliseconds, including the queue. */
export interface Windows {
  readonly relevance_ms: number;
  readonly recency_ms: number;
  readonly count_ms: number;
  readonly record_ms: number;
}

export interface SupervisedBase {
  readonly actor: Pick<AskedBase, 'ask' | 'isCongestedFor'>;
  readonly windows: Windows;
}

export interface RecordRead {
  readonly json: string | null;
  readonly version: DataVersion | null;
}

/** How a base is asked: its request and deadlines. */
interface BasePlan extends SupervisedBase {
  readonly base: Base;
  readonly after: After | null;
  /** The first request, in the order of the cursor, else of the search. */
  readonly first: Unbudgeted<SearchRequest>;
  readonly request: (ordem: Ordem) => Unbudgeted<SearchRequest>;
  readonly startedAt: number;
  /** On the clock's `now`, when the first request ends, and when all that the base does. */
  readonly firstBy: number;
  readonly until: number;
}

/** An asker whose `abandoned` also covers the end of the page. */
type Until = Asker & { readonly abandoned: Abandonment };

/** Asks all selected bases in parallel, each within its windows, and assembles their answers. */
export class Supervisor {
  readonly #clock: Clock;
  readonly #bases: Map<Base, SupervisedBase>;
  readonly #askers: Askers;
  readonly #onRejected: () => void;

  /** @param onRejected called for each search rejected because a base was congested. */
  constructor(
    clock: Clock,
    bases: ReadonlyMap<Base, SupervisedBase>,
    onRejected: () => void = () => undefined,
    askers = new Askers(clock, searchesAtOnce()),
  ) {
    this.#clock = clock;
    this.#askers = askers;
    this.#bases = new Map(bases);
    this.#onRejected = onRejected;
  }

  /** An abandoned page ends immediately with unanswered bases; nobody reads it. */
  async search(pedido: Pedido, asker: Asker = {}): Promise<SearchPage> {
    // At the end of the page, rows may still be fetched ahead; they are not needed.
    const end = new PageEnd();
    const { id = ASKERS.service } = asker;
    asker.abandoned?.addEventListener('abort', end.abort);
    if (asker.abandoned?.aborted === true) end.abort();
    const startedAt = this.#clock.now();
    const waitMs = this.#waitMs(pedido);
    const turn = this.#askers.enter(id, waitMs, end);
    try {
      if (turn !== null) await turn;
      return await this.#search(pedido, { ...asker, abandoned: end }, startedAt, waitMs);
    } finally {
      this.#askers.leave(id);
      asker.abandoned?.removeEventListener('abort', end.abort);
      end.abort();
    }
  }

  async #search(pedido: Pedido, asker: Until, startedAt: number, waitMs: number): Promise<SearchPage> {
    const { cursor, selecao } = pedido;
    // A base missing from the cursor has given all its matches.
    const asked = selecao.filter(({ base }) => cursor === null || cursor.after.has(base));
    const plans = asked.map((selected) => this.#planFor(selected, pedido, asked.length, startedAt));
    const rows = new PageRows((answer, docIds) => this.#readRows(answer, docIds, asker));
    const shape = { vez: cursor?.vez ?? BASES[0], limite: pedido.limite, countIsDue: cursor === null };
    // If congested bases refused requests separately, hardly any page would be complete: so all bases or none.
    const refusal = isCongested(plans, asker) ? await this.#backOff(plans, asker, startedAt + waitMs) : null;
    if (refusal !== null) {
      return assemble(
        plans.map((plan) => this.#finish(plan, plan.first.ordem, failed(refusal))),
        shape,
        rows,
      );
    }
    const slowAt = this.#clock.now() + waitMs;
    const cancelTimer = this.#clock.after(waitMs, () => {
      rows.expectSlowness();
    });
    try {
      const asking = plans.map(async (plan) => {
        // Sent in the same turn as the admission, before another search can take the same room.
        const answer = await this.#ask(plan, asker);
        rows.add(answer);
        return answer;
      });
      const answers = await Promise.all(asking);
      const looking = this.#nearTerms(pedido, plans, answers, asker, slowAt);
      const page = await assemble(answers, shape, rows);
      const { proximos, isWhole } = await looking;
      // A base that failed to give rows counts as unanswered.
      if (page.bases_sem_resposta.length > 0) return page;
      const whole = { ...page, isWhole: page.isWhole && isWhole };
      return proximos === null ? whole : { ...whole, proximos };
    } finally {
      cancelTimer();
    }
  }

  /**
   * For a first page: near words for the words that no base has. Only if all bases reply in time.
   * @returns also whether the bases, asked again, would give the same.
   */
  async #nearTerms(
    { cursor, consulta }: Pedido,
    plans: readonly BasePlan[],
    answers: readonly BaseAnswer[],
    asker: Until,
    slowAt: number,
  ): Promise<{ readonly proximos: NearTerms | null; readonly isWhole: boolean }> {
    const { tree, terms } = consulta;
    const results = answers.flatMap(({ result }) => (typeof result === 'string' ? [] : [result]));
    if (cursor !== null) return NONE_NEAR;
    if (results.length < plans.length) return NO_NEAR_REPLY;
    const absentAt = absentFromAll(answers);
    const absent = terms.filter((_, at) => absentAt.includes(at));
    const isEmpty = results.every(({ doc_ids }) => doc_ids.length === 0);
    const words = wordsToLookFor(tree, absent, isEmpty);
    if (words.length === 0) return NONE_NEAR;
    if (isCongested(plans, asker)) return NO_NEAR_REPLY;
    const asking = plans.map(({ actor, first: { filter } }) => {
      const request = { kind: 'near', words, tree: isEmpty ? tree : null, filter } as const;
      return actor.ask<NearRequest>(request, slowAt, asker);
    });
    const outcomes = await Promise.all(asking);
    const replies = outcomes.flatMap((outcome) => (outcome.ok ? [outcome.value] : []));
    if (replies.length < plans.length) return NO_NEAR_REPLY;
    const areOfPage = replies.every((reply, at) => reply.data_version === results[at]?.data_version);
    const isWhole = areOfPage && replies.every(({ is_whole }) => is_whole);
    return { proximos: mergedNear(words, replies), isWhole };
  }

  /** Changes the windows of a base. A running search keeps the old ones. */
  changeWindows(base: Base, windows: Windows): void {
    this.#bases.set(base, { actor: this.#base(base).actor, windows });
  }

  /** Reads a record as JSON text (a binary string), null if the base has no such number, and of which data. */
  async read(base: Base, docId: number, asker: Asker = {}): Promise<Outcome<RecordRead>> {
    const { actor, windows } = this.#base(base);
    const request: Unbudgeted<ReadRequest> = { kind: 'read', object: 'documento', doc_ids: [docId] };
    const outcome = await actor.ask<ReadRequest>(request, this.#clock.now() + windows.record_ms, asker);
    if (!outcome.ok) return outcome;
    return done({ json: outcome.value.rows[0] ?? null, version: dataVersionOf(outcome.value) });
  }

  /** Whole milliseconds: of the bases' shortest window for the requested order. */
  #waitMs({ selecao, ordem }: Pedido): number {
    const windows = selecao.map(({ base }) => this.#base(base).windows);
    const first = windows.map((one) => (ordem === 'recentes' ? one.recency_ms : one.relevance_ms));
    return first.length === 0 ? 0 : Math.floor(Math.min(...first) * WAIT_SHARE);
  }

  #planFor({ base, tribunais }: BaseSelecionada, pedido: Pedido, bases: number, startedAt: number): BasePlan {
    const { actor, windows } = this.#base(base);
    const { consulta, filter, limite, cursor } = pedido;
    const after = cursor?.after.get(base) ?? null;
    const request = (ordem: Ordem): Unbudgeted<SearchRequest> => ({
      kind: 'search',
      tree: consulta.tree,
      terms: consulta.terms,
      filter: { ...filter, tribunais: tribunais === null ? null : [...tribunais] },
      ordem,
      after,
      doc_ids_max: limite + 1,
      rows_max: Math.ceil(limite / bases),
      count_ms: cursor === null ? windows.count_ms : null,
    });
    const first = request(after?.ordem ?? pedido.ordem);
    // The windows follow one another, whatever a search waits for on the way. A later page keeps its order and cannot fall back
    // to recency, so its first request gets both.
    const mayFallBack = first.ordem === 'relevancia' && after === null;
    const rankedBy = startedAt + (first.ordem === 'relevancia' ? windows.relevance_ms : 0);
    const until = rankedBy + windows.recency_ms;
    return {
      base,
      actor,
      windows,
      after,
      first,
      request,
      startedAt,
      firstBy: mayFallBack ? rankedBy : until,
      until,
    };
  }

  async #ask(plan: BasePlan, asker: Asker): Promise<BaseAnswer> {
    const { actor, first, request, firstBy, until } = plan;
    const outcome = await actor.ask<SearchRequest>(first, firstBy, asker);
    const fallsBack = !outcome.ok && outcome.failure === 'deadline' && firstBy < until;
    if (!fallsBack) return this.#finish(plan, first.ordem, outcome);
    const fallback = await actor.ask<SearchRequest>(request('recentes'), until, asker);
    return this.#finish(plan, 'recentes', fallback);
  }

  #finish(plan: BasePlan, ordem_aplicada: Ordem, outcome: Outcome<SearchReply>): BaseAnswer {
    const { base, after, startedAt, first, until } = plan;
    return {
      base,
      after,
      ordem_aplicada,
      until,
      ms: this.#clock.now() - startedAt,
      result: outcome.ok ? outcome.value : outcome.failure,
      isFallback: ordem_aplicada !== first.ordem,
      isMixed: false,
    };
  }

  /** Reads rows beyond those that came with the answer. */
  async #readRows(answer: BaseAnswer, docIds: readonly number[], asker: Asker): Promise<string[] | Failure> {
    const { actor } = this.#base(answer.base);
    const startedAt = this.#clock.now();
    const { result } = answer;
    const request: Unbudgeted<ReadRequest> = {
      kind: 'read',
      object: 'resumo',
      doc_ids: [...docIds],
      ...(typeof result !== 'string' && { generation_min: result.generation }),
    };
    const outcome = await actor.ask<ReadRequest>(request, answer.until, asker);
    answer.ms += this.#clock.now() - startedAt;
    if (!outcome.ok) return outcome.failure;
    // The same number in a different file is a different decision.
    if (typeof result !== 'string' && result.file !== outcome.value.file) return 'unavailable';
    const rows = outcome.value.rows.filter((row) => row !== null);
    if (typeof result !== 'string' && result.data_version !== outcome.value.data_version)
      answer.isMixed = true;
    return rows.length === docIds.length ? rows : 'unavailable';
  }

  /** Waits, or ends immediately when the client leaves. @returns why the search is rejected; null when it is admitted. */
  async #backOff(plans: readonly BasePlan[], asker: Until, until: number): Promise<Failure | null> {
    const { abandoned } = asker;
    const ms = Math.min(BACK_OFF_MS, Math.max(0, until - this.#clock.now()));
    await within(ms, new Promise(() => undefined), this.#clock, abandoned);
    if (abandoned.aborted) return 'abandoned';
    if (!isCongested(plans, asker)) return null;
    this.#onRejected();
    return 'overloaded';
  }

  #base(base: Base): SupervisedBase {
    const found = this.#bases.get(base);
    if (found === undefined) throw new Error(`no actor for base ${base}`);
    return found;
  }
}

function isCongested(plans: readonly BasePlan[], { id }: Asker): boolean {
  return plans.some(({ actor }) => actor.isCongestedFor(id));
}
