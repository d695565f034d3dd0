import type { Posicao, ReadRequest, SearchReply, SearchRequest } from '../base/messages.ts';
import type { Failure, Outcome } from '../base/outcome.ts';
import { BASES, type Base, type Ordem } from '../contract/vocabulary.ts';
import type { Pedido } from '../search/parameters.ts';
import type { BaseSelecionada } from '../search/selection.ts';
import type { BaseActor, Unbudgeted } from './base.ts';
import type { Clock } from './clock.ts';
import { PageRows } from './page-rows.ts';
import { assemble, type BaseAnswer, type SearchPage } from './page.ts';
import type { Step } from './steps.ts';

/** A page that has taken so long waits for a slow base, and may have to do without it. */
const SLOW_MS = 50;

/** How long a base may take, milliseconds, its queue included. */
export interface Windows {
  readonly relevance_ms: number;
  readonly recency_ms: number;
  readonly count_ms: number;
  readonly record_ms: number;
}

export interface SupervisedBase {
  readonly actor: Pick<BaseActor, 'ask' | 'isCongested'>;
  readonly windows: Windows;
}

/** What the asks of one search have in common. */
interface Asking {
  readonly asked: readonly BaseSelecionada[];
  readonly abandoned: AbortSignal | undefined;
  readonly steps: Step[] | undefined;
}

/** Asks every selected base in parallel, each within its windows, and puts together what came back. */
export class Supervisor {
  readonly #clock: Clock;
  readonly #bases: Map<Base, SupervisedBase>;
  readonly #onTurnedAway: () => void;

  /** @param onTurnedAway told of each search that was not begun because a base was congested. */
  constructor(
    clock: Clock,
    bases: ReadonlyMap<Base, SupervisedBase>,
    onTurnedAway: () => void = () => undefined,
  ) {
    this.#clock = clock;
    this.#bases = new Map(bases);
    this.#onTurnedAway = onTurnedAway;
  }

  /**
   * @param abandoned aborted when nobody waits for the page any more.
   * @param steps where each ask of a base is noted down.
   */
  async search(pedido: Pedido, abandoned?: AbortSignal, steps?: Step[]): Promise<SearchPage> {
    const { cursor, selecao } = pedido;
    // A base that the cursor no longer names has given all it holds.
    const asked = selecao.filter(({ base }) => cursor === null || cursor.posicoes.has(base));
    // Bases that each turn away most of what comes would leave hardly a page whole: all or none.
    const isCongested = asked.some(({ base }) => this.#base(base).actor.isCongested);
    const rows = new PageRows((answer, numeros) => this.#readRows(answer, numeros, steps));
    const shape = { vez: cursor?.vez ?? BASES[0], limite: pedido.limite, countIsDue: cursor === null };
    if (isCongested) {
      this.#onTurnedAway();
      const places = asked.map(({ base }) => ({ base, posicao: cursor?.posicoes.get(base) ?? null }));
      return assemble(
        places.map(({ base, posicao }) => this.#turnAway(base, pedido, posicao)),
        shape,
        rows,
      );
    }
    const takeBack = this.#clock.after(SLOW_MS, () => {
      rows.expectSlowness();
    });
    try {
      const answers = await Promise.all(
        asked.map(async (selected) => {
          const posicao = cursor?.posicoes.get(selected.base) ?? null;
          const answer = await this.#askBase(selected, pedido, posicao, { asked, abandoned, steps });
          rows.add(answer);
          return answer;
        }),
      );
      return await assemble(answers, shape, rows);
    } finally {
      takeBack();
    }
  }

  /** Gives a base other windows. A search that has begun keeps those that it began with. */
  changeWindows(base: Base, windows: Windows): void {
    this.#bases.set(base, { actor: this.#base(base).actor, windows });
  }

  /** Reads one record as JSON text; null when the base holds no such number. */
  async read(base: Base, numero: number, steps?: Step[]): Promise<Outcome<string | null>> {
    const { actor, windows } = this.#base(base);
    const request: Unbudgeted<ReadRequest> = { kind: 'read', tabela: 'documento', numeros: [numero] };
    const outcome = await actor.ask<ReadRequest>(request, windows.record_ms, undefined, steps);
    return outcome.ok ? { ok: true, value: outcome.value.linhas[0] ?? null } : outcome;
  }

  #turnAway(base: Base, pedido: Pedido, posicao: Posicao | null): BaseAnswer {
    const now = this.#clock.now();
    const ordem_aplicada = posicao?.ordem ?? pedido.ordem;
    return { base, posicao, ordem_aplicada, startedAt: now, until: now, ms: 0, result: 'overloaded' };
  }

  async #askBase(
    selected: BaseSelecionada,
    pedido: Pedido,
    posicao: Posicao | null,
    { asked, abandoned, steps }: Asking,
  ): Promise<BaseAnswer> {
    const { actor, windows } = this.#base(selected.base);
    const { relevance_ms, recency_ms, count_ms } = windows;
    const startedAt = this.#clock.now();
    const request = (ordem: Ordem, countMs: number) => ({
      kind: 'search' as const,
      programa: pedido.consulta.programa,
      termos: pedido.consulta.termos,
      filtro: { ...pedido.filtro, tribunais: selected.tribunais === null ? null : [...selected.tribunais] },
      ordem,
      posicao,
      numeros_max: pedido.limite + 1,
      rows_max: Math.ceil(pedido.limite / asked.length),
      count_ms: pedido.cursor === null ? countMs : null,
    });
    const finish = (ordem_aplicada: Ordem, outcome: Outcome<SearchReply>): BaseAnswer => ({
      base: selected.base,
      posicao,
      ordem_aplicada,
      startedAt,
      until: startedAt + relevance_ms + recency_ms + count_ms,
      ms: Math.round(this.#clock.now() - startedAt),
      result: outcome.ok ? outcome.value : outcome.failure,
    });

    if ((posicao?.ordem ?? pedido.ordem) === 'relevancia') {
      // An order once begun is kept: a later page has no recency to fall back to, and so has both windows.
      const window = posicao === null ? relevance_ms : relevance_ms + recency_ms;
      // Relevance knows its count when it is done: no time is set aside for it.
      const outcome = await actor.ask<SearchRequest>(request('relevancia', 0), window, abandoned, steps);
      const fallsBack = !outcome.ok && outcome.failure === 'deadline' && posicao === null;
      if (!fallsBack) return finish('relevancia', outcome);
    }
    const outcome = await actor.ask<SearchRequest>(
      request('recentes', count_ms),
      recency_ms,
      abandoned,
      steps,
    );
    return finish('recentes', outcome);
  }

  /** The rows that the page needs beyond those that came with the answer. */
  async #readRows(
    answer: BaseAnswer,
    numeros: readonly number[],
    steps: Step[] | undefined,
  ): Promise<string[] | Failure> {
    const { actor } = this.#base(answer.base);
    const startedAt = this.#clock.now();
    const left = Math.max(0, answer.until - startedAt);
    const request: Unbudgeted<ReadRequest> = { kind: 'read', tabela: 'resumo', numeros: [...numeros] };
    const outcome = await actor.ask<ReadRequest>(request, left, undefined, steps);
    answer.ms += Math.round(this.#clock.now() - startedAt);
    if (!outcome.ok) return outcome.failure;
    const rows = outcome.value.linhas.filter((row) => row !== null);
    return rows.length === numeros.length ? rows : 'unavailable';
  }

  #base(base: Base): SupervisedBase {
    const found = this.#bases.get(base);
    if (found === undefined) throw new Error(`no actor for base ${base}`);
    return found;
  }
}
