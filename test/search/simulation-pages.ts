import type { SearchPage } from '../../src/search/page.ts';
import type { PorBase } from '../../src/contract/busca.ts';
import { BASES, isOneOf, type Base, type Ordem } from '../../src/contract/vocabulary.ts';
import { GRACE_MS } from './simulation-asks.ts';
import type { EventClock } from './simulation-clock.ts';
import type { ModelBase } from './simulation-model.ts';
import type { BaseParts } from './simulation-actors.ts';

/** Longest wait for a base to name the state of its data, which who leaves does not cut short. */
const STATE_MS = 25;
/** Longest duration of a rejected search, milliseconds. */
const REST_MS = 250;

/** What pages are checked against: a world of one process, or of a cluster. */
export interface CheckedWorld {
  readonly clock: EventClock;
  place(base: Base): { readonly model: ModelBase; readonly parts: Pick<BaseParts, 'windows'> };
  /** The oldest generation that an answer of a base may be of from now on. */
  oldestGeneration(base: Base): number;
  /** Whether a base that is asked now has no excuse. */
  mustAnswer(base: Base): boolean;
  violation(message: string): void;
}

/** What one base has given a reader. */
interface Reading {
  readonly base: Base;
  /** Fixed when the base first answers. */
  ordem: Ordem | null;
  /** Generations of the base that its first answer may have been of: those that agree with all that came. */
  generations: number[];
  taken: number[];
}

/**
 * Checks the pages of one reader against the models, from what a client can see of them alone. Which
 * generation a base first answered from is not among that, but it is one of those that the base had while the
 * page was made, and whatever comes must agree with one and the same.
 */
export class PageCheck {
  readonly #world: CheckedWorld;
  readonly #ordem: Ordem;
  readonly #limite: number;
  readonly #bases: readonly Base[];
  #unfinished: Reading[];
  #isFirst = true;
  /** Place in the round of bases whose turn it is. */
  #turn = 0;
  #startedAt = 0;
  #before = new Map<Base, number>();
  /** Bases without an excuse for not answering. */
  #mustAnswer = new Set<Base>();

  constructor(world: CheckedWorld, bases: readonly Base[], ordem: Ordem, limite: number) {
    this.#world = world;
    this.#ordem = ordem;
    this.#limite = limite;
    this.#bases = bases;
    this.#unfinished = bases.map((base) => ({ base, ordem: null, generations: [], taken: [] }));
  }

  /** To be called when a page is asked for. */
  begin(): void {
    this.#startedAt = this.#world.clock.now();
    for (const { base } of this.#unfinished) {
      this.#before.set(base, this.#world.oldestGeneration(base));
      if (this.#world.mustAnswer(base)) this.#mustAnswer.add(base);
    }
  }

  /** To be called when it has come, and its reader has gone. */
  endUnread(leftAt: number): null {
    const late = this.#world.clock.now() - leftAt;
    if (late > STATE_MS) this.#report(`ended ${late} ms after its reader had left`);
    return null;
  }

  /** To be called when it has come. */
  end(page: SearchPage): void {
    this.#checkTime();
    const listed = this.#checkLists(page);
    const given = this.#split(page, listed);
    for (const reading of this.#unfinished) {
      const entry = page.por_base.find(({ base }) => base === reading.base);
      if (entry === undefined) continue;
      this.#checkEntry(reading, entry, listed.has(reading.base));
      if (!listed.has(reading.base)) this.#checkItems(reading, given.get(reading.base) ?? []);
    }
    this.#checkTurns(page, listed, given);
    this.#checkCursor(page, listed);
    this.#isFirst = false;
  }

  #checkTime(): void {
    const took = this.#took();
    const budgets = this.#unfinished.map(({ base }) => this.#budget(base));
    if (took > Math.max(...budgets) + GRACE_MS) this.#report(`took ${took} ms`);
  }

  /** With a base that has too much to do all are refused after a rest: see `Supervisor`. */
  #isRejected(unanswered: SearchPage['bases_sem_resposta']): boolean {
    const isRefusal =
      unanswered.every(({ tempo_esgotado }) => !tempo_esgotado) && this.#took() === this.#restMs();
    const isAll = unanswered.length === this.#unfinished.length;
    return isAll && isRefusal && this.#unfinished.some(({ base }) => !this.#mustAnswer.has(base));
  }

  /** Half of the shortest first window, at most. */
  #restMs(): number {
    const windows = this.#bases.map((base) => this.#world.place(base).parts.windows);
    const first = windows.map((one) => (this.#ordem === 'recentes' ? one.recency_ms : one.relevance_ms));
    return Math.min(REST_MS, Math.floor(Math.min(...first) / 2));
  }

  #budget(base: Base): number {
    const { relevance_ms, recency_ms } = this.#world.place(base).parts.windows;
    return (this.#ordem === 'relevancia' ? relevance_ms : 0) + recency_ms;
  }

  #took(): number {
    return this.#world.clock.now() - this.#startedAt;
  }

  /** One entry for each base that was asked; each is answered or listed. @returns those listed. */
  #checkLists({ por_base, bases_sem_resposta }: SearchPage): Set<Base> {
    const asked = this.#unfinished.map(({ base }) => base).join();
    const entries = por_base.map(({ base }) => base).join();
    if (asked !== entries) this.#report(`asked ${asked} and has entries for ${entries}`);
    const listed = new Set(bases_sem_resposta.map(({ base }) => base));
    const isRejected = this.#isRejected(bases_sem_resposta);
    if (listed.size < bases_sem_resposta.length) this.#report('lists a base twice');
    for (const base of listed) {
      if (!this.#unfinished.some((one) => one.base === base))
        this.#report(`lists ${base}, which was not asked`);
      if (this.#mustAnswer.has(base) && !isRejected) this.#report(`lists ${base}, which had to answer`);
    }
    return listed;
  }

  /** The numbers that each base gave, in their order. */
  #split({ itens }: SearchPage, listed: ReadonlySet<Base>): Map<Base, number[]> {
    const given = new Map<Base, number[]>();
    for (const item of itens) {
      const [object, base, numero] = item.split(':');
      const isAsked = this.#unfinished.some((one) => one.base === base);
      if (!isOneOf(BASES, base) || !isAsked || object !== 'resumo') this.#report(`holds ${item}`);
      else if (listed.has(base)) this.#report(`holds ${item} and lists ${base} as unanswered`);
      else given.set(base, [...(given.get(base) ?? []), Number(numero)]);
    }
    return given;
  }

  #checkEntry(reading: Reading, entry: PorBase, isListed: boolean): void {
    const { base } = reading;
    const { ordem_aplicada, ms, encontrados_ate_1000: count, ha_mais_de_1000: hasMore } = entry;
    if (!Number.isInteger(ms) || ms < 0 || ms > this.#took()) this.#report(`says ${ms} ms of ${base}`);
    const allowed = reading.ordem ?? (this.#ordem === 'recentes' ? 'recentes' : null);
    if (allowed !== null && ordem_aplicada !== allowed) {
      this.#report(`${base} turned from ${allowed} to ${ordem_aplicada}`);
    }
    if (this.#mustAnswer.has(base) && ordem_aplicada !== (reading.ordem ?? this.#ordem))
      this.#report(`${base} fell back, though it was not slow`);
    if ((isListed || !this.#isFirst) && (count !== undefined || hasMore !== undefined)) {
      this.#report(`${base} has a count, though it gave no answer or this is a later page`);
    }
    if (isListed) return;
    if (reading.ordem === null) {
      reading.ordem = ordem_aplicada;
      reading.generations = this.#generationsNow(base);
    }
    if (count === undefined) return;
    const matches = reading.generations.map((generation) => this.#model(base).matches(generation));
    if (!matches.includes(count) || hasMore !== false)
      this.#report(`${base} counts ${count} of ${matches.join()}`);
  }

  #generationsNow(base: Base): number[] {
    const from = this.#before.get(base) ?? 0;
    return Array.from({ length: this.#model(base).generation - from + 1 }, (_, at) => from + at);
  }

  /** The items of a base must be the first ones of its matches. */
  #checkItems(reading: Reading, numbers: readonly number[]): void {
    const { base, taken, generations } = reading;
    const joined = [...taken, ...numbers];
    const agreeing = generations.filter((generation) => {
      const held = this.#held(reading, generation);
      return joined.length <= held.length && joined.every((numero, at) => held[at] === numero);
    });
    if (agreeing.length === 0) {
      const held = generations.map(
        (generation) => `${this.#held(reading, generation).join()} (${generation})`,
      );
      this.#report(`${base} gave ${taken.join()} and then ${numbers.join()} of ${held.join(' or ')}`);
      return;
    }
    reading.taken = joined;
    reading.generations = agreeing;
  }

  /** One item from each base in turn, those with nothing left passed over, until the page is full. */
  #checkTurns({ itens }: SearchPage, listed: ReadonlySet<Base>, given: ReadonlyMap<Base, number[]>): void {
    const left = new Map<Base, number>();
    for (const reading of this.#unfinished) {
      if (listed.has(reading.base) || reading.ordem === null) continue;
      const rest = this.#rest(reading);
      // Where it is not known yet which generation the base answered from, the page may hold either.
      if (new Set(rest).size > 1) return this.#passTurn(itens);
      left.set(reading.base, (rest[0] ?? 0) + (given.get(reading.base)?.length ?? 0));
    }
    const turns: string[] = [];
    let at = this.#turn;
    for (let passed = 0; turns.length < this.#limite && passed < BASES.length; at += 1) {
      const base = BASES[at % BASES.length] ?? BASES[0];
      const items = left.get(base) ?? 0;
      passed = items > 0 ? 0 : passed + 1;
      if (items > 0) turns.push(base);
      left.set(base, items - 1);
    }
    const came = itens.map((item) => item.split(':')[1]);
    if (came.join() !== turns.join()) this.#report(`takes turns ${came.join()} and not ${turns.join()}`);
    this.#passTurn(itens);
  }

  #passTurn(itens: readonly string[]): void {
    const last = BASES.findIndex((base) => base === itens.at(-1)?.split(':')[1]);
    if (last >= 0) this.#turn = last + 1;
  }

  /** An unanswered base keeps its place; an answered one is in the cursor as long as it has something left. */
  #checkCursor({ cursor }: SearchPage, listed: ReadonlySet<Base>): void {
    if (cursor === null && listed.size > 0 && listed.size === this.#unfinished.length) {
      this.#unfinished = [];
      return;
    }
    const places = new Set(cursor?.after.keys());
    for (const reading of this.#unfinished) {
      const { base } = reading;
      if (listed.has(base)) {
        if (!places.has(base)) this.#report(`${base} did not answer and has lost its place`);
        continue;
      }
      const rest = this.#rest(reading);
      reading.generations = reading.generations.filter((_, at) => places.has(base) === (rest[at] ?? 0) > 0);
      if (reading.generations.length > 0) continue;
      this.#report(
        `${base} has ${rest.join(' or ')} left and ${places.has(base) ? 'a' : 'no'} place in the cursor`,
      );
    }
    this.#unfinished = this.#unfinished.filter(({ base }) => places.has(base));
    if (places.size !== this.#unfinished.length)
      this.#report(`has a cursor with places of ${[...places].join()}`);
  }

  /** How many items a base still has, for each generation that it may have answered from. */
  #rest(reading: Reading): number[] {
    return reading.generations.map((one) => this.#held(reading, one).length - reading.taken.length);
  }

  #held({ base, ordem }: Reading, generation: number): readonly number[] {
    return this.#model(base).sequence(generation, ordem ?? this.#ordem);
  }

  #model(base: Base) {
    return this.#world.place(base).model;
  }

  #report(what: string): void {
    this.#world.violation(`a page by ${this.#ordem} of ${this.#limite} ${what}`);
  }
}
