import type { SearchPage } from '../../src/search/page.ts';
import type { PorBase } from '../../src/contract/busca.ts';
import { BASES, isOneOf, type Base, type Ordem } from '../../src/contract/vocabulary.ts';
import { GRACE_MS } from './simulation-asks.ts';
import type { EventClock } from './simulation-clock.ts';
import type { ModelBase } from './simulation-model.ts';
import type { BaseParts } from './simulation-actors.ts';

/** How long a base may take to name its data's version, even after the client has left, milliseconds. */
const STATE_MS = 25;
/** Longest duration of a rejected search, milliseconds. */
const REST_MS = 250;

/** The world in which pages are checked: one process, or a cluster. */
export interface CheckedWorld {
  readonly clock: EventClock;
  place(base: Base): { readonly model: ModelBase; readonly parts: Pick<BaseParts, 'windows'> };
  /** The oldest generation from which a base may answer from now on. */
  oldestGeneration(base: Base): number;
  /** Whether a base that is asked now must answer. */
  mustAnswer(base: Base): boolean;
  violation(message: string): void;
}

/** What a reader has received from one base. */
interface Reading {
  readonly base: Base;
  /** Set at the base's first answer. */
  ordem: Ordem | null;
  /** The generations from which the base's first answer may come: those that agree with all items so far. */
  generations: number[];
  taken: number[];
}

/**
 * Checks the pages of one reader against the models, by what a client can see. From which generation a base first
 * answered is not visible, but the base had that generation while the page was made, and all items must agree
 * with the same one.
 */
export class PageCheck {
  readonly #world: CheckedWorld;
  readonly #ordem: Ordem;
  readonly #limite: number;
  readonly #bases: readonly Base[];
  #unfinished: Reading[];
  #isFirst = true;
  /** The place in the rotation of the base whose turn it is. */
  #turn = 0;
  #startedAt = 0;
  #before = new Map<Base, number>();
  /** The bases that must answer. */
  #mustAnswer = new Set<Base>();

  constructor(world: CheckedWorld, bases: readonly Base[], ordem: Ordem, limite: number) {
    this.#world = world;
    this.#ordem = ordem;
    this.#limite = limite;
    this.#bases = bases;
    this.#unfinished = bases.map((base) => ({ base, ordem: null, generations: [], taken: [] }));
  }

  /** To be called when a page is requested. */
  begin(): void {
    this.#startedAt = this.#world.clock.now();
    for (const { base } of this.#unfinished) {
      this.#before.set(base, this.#world.oldestGeneration(base));
      if (this.#world.mustAnswer(base)) this.#mustAnswer.add(base);
    }
  }

  /** To be called when a page ends whose reader has left. */
  endUnread(leftAt: number): null {
    const late = this.#world.clock.now() - leftAt;
    if (late > STATE_MS) this.#report(`ended ${late} ms after its reader had left`);
    return null;
  }

  /** To be called when a page arrives. */
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

  /** While a base is congested, every search is rejected after a back-off: see `Supervisor`. */
  #isRejected(unanswered: SearchPage['bases_sem_resposta']): boolean {
    const isRefusal =
      unanswered.every(({ tempo_esgotado }) => !tempo_esgotado) && this.#took() === this.#restMs();
    const isAll = unanswered.length === this.#unfinished.length;
    return isAll && isRefusal && this.#unfinished.some(({ base }) => !this.#mustAnswer.has(base));
  }

  /** At most half of the shortest first window. */
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

  /** Each base that was asked has one entry, as answered or as unanswered. @returns the unanswered ones. */
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

  /** The numbers from each base, in order. */
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

  /** The items of each base must be the first of its matches. */
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

  /** One item from each base in turn, skipping bases that have no more, until the page is full. */
  #checkTurns({ itens }: SearchPage, listed: ReadonlySet<Base>, given: ReadonlyMap<Base, number[]>): void {
    const left = new Map<Base, number>();
    for (const reading of this.#unfinished) {
      if (listed.has(reading.base) || reading.ordem === null) continue;
      const rest = this.#rest(reading);
      // While the generation from which the base answered is not known, either item is right.
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

  /** An unanswered base keeps its position; an answered one is in the cursor while it has more items. */
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

  /** How many items the base has left, for each generation from which it may have answered. */
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
