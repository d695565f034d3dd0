import type { Busca } from '../../../src/contract/busca.ts';
import type { Documento } from '../../../src/contract/documento.ts';
import { BASES, isOneOf, type Base, type Ordem } from '../../../src/contract/vocabulary.ts';
import { BUSCA, decisaoPath } from '../../http/checks.ts';
import { COMUM, newestWith, SETIMO, TERCO, type Loaded } from './support-corpus.ts';
import { sameSet, type Ranking } from './support-content.ts';
import { seeded, until } from './support-poll.ts';
import { fetchChecked } from '../../support/documented.ts';

const PAGES_MAX = 200;
/** A request that takes longer than all windows together hangs. */
const HANG_MS = 150_000;
/** Between two requests of one reader, so that the tests of other files have the machine too. */
const PACE_MS = 20;
const PROBLEMS_MAX = 20;
/** Of the searches, the share that may be rejected because the machine is busy with other things. */
const REJECTED_SHARE = 0.03;
const REJECTED_MAX = 3;
/** A thread looks at most this long after a change whether its file is still the one at its path. */
const STEADY_MS = 600;
const LOOK_MS = 50;
/** Of the records read, the share among the first, which searches find: the others lie on pages seldom read. */
const FIRST_SHARE = 0.3;
const FIRST = 90;

export interface TrafficOptions {
  readonly url: string;
  readonly key: string;
  readonly loaded: Loaded;
  readonly searchers?: number;
  readonly readers?: number;
  readonly seed?: number;
  /** True while decisions are being loaded: a walk's horizon is then known only when it is over. */
  readonly isGrowing?: boolean;
  readonly ranking: Ranking;
  /** False: each request opens a connection, and closes it. */
  readonly keepsConnections?: boolean;
}

/** What a walk through the pages of one search has seen of one base. */
interface Seen {
  readonly places: number[];
  ordem: Ordem | null;
}

/**
 * Readers that search, follow cursors and read records all the time, and check every answer in full: that it is as the
 * OpenAPI document says, its status, that each row and record is one that was loaded, whole, that only bases which may fail do, and that
 * the pages of a walk join into one list without a gap or a repeat.
 */
export class Traffic implements AsyncDisposable {
  readonly #options: TrafficOptions;
  readonly #random: () => number;
  readonly #mayFail = new Set<Base>();
  readonly #problems = new Set<string>();
  #running: Promise<unknown> = Promise.resolve();
  #isOver = false;
  /** Requests answered so far, and answers in which a base was named as not answering. */
  answers = 0;
  #searches = 0;
  #rejected = 0;
  readonly unanswered = new Map<Base, number>();

  constructor(options: TrafficOptions) {
    this.#options = options;
    this.#random = seeded(options.seed ?? 1);
  }

  start(): void {
    const { searchers = 2, readers = 2 } = this.#options;
    this.#running = Promise.all([
      ...Array.from({ length: searchers }, () => this.#repeat(() => this.#walk())),
      ...Array.from({ length: readers }, () => this.#repeat(() => this.#read())),
    ]);
  }

  /** From now on the base may fail; it need not. */
  allow(base: Base): void {
    this.#mayFail.add(base);
  }

  /** From now on every base must answer. */
  forbid(): void {
    this.#mayFail.clear();
  }

  async more(count: number): Promise<void> {
    const wanted = this.answers + count;
    await until(`${count} more answers came`, () => this.answers >= wanted);
  }

  /** Waits until the base is named as not answering in an answer from now on. */
  async untilUnanswered(base: Base): Promise<void> {
    const before = this.unanswered.get(base) ?? 0;
    await until(`${base} was named`, () => (this.unanswered.get(base) ?? 0) > before);
  }

  /** Waits until the base answers searches and record reads again, and does so for longer than a file's look. */
  async untilBack(base: Base): Promise<void> {
    let since = performance.now();
    let named = this.unanswered.get(base);
    const isSteady = async () => {
      if (!(await this.#isBack(base)) || this.unanswered.get(base) !== named) since = performance.now();
      named = this.unanswered.get(base);
      return performance.now() - since > STEADY_MS;
    };
    await until(`${base} was back`, isSteady, LOOK_MS);
  }

  async #isBack(base: Base): Promise<boolean> {
    const page = await this.#get(`${BUSCA}?${new URLSearchParams({ q: COMUM }).toString()}`);
    const record = await this.#get(decisaoPath(`${base}:1`));
    if (page.status !== 200 || record.status !== 200) return false;
    return !(JSON.parse(page.text) as Busca).bases_sem_resposta.some((one) => one.base === base);
  }

  /** Ends the readers. @returns what was wrong with any answer: empty if all was right. */
  async stop(): Promise<readonly string[]> {
    this.#isOver = true;
    await this.#running;
    return this.takeProblems();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop();
  }

  /** What was wrong with answers since this was last asked. */
  takeProblems(): readonly string[] {
    const found = [...this.#problems];
    const most = Math.max(REJECTED_MAX, this.#searches * REJECTED_SHARE);
    if (this.#rejected > most) found.push(`${this.#rejected} of ${this.#searches} searches rejected`);
    this.#problems.clear();
    this.#searches = 0;
    this.#rejected = 0;
    return found;
  }

  async #repeat(work: () => Promise<void>): Promise<void> {
    while (!this.#isOver) {
      await work();
      await Bun.sleep(PACE_MS);
    }
  }

  #report(problem: string): void {
    if (this.#problems.size < PROBLEMS_MAX) this.#problems.add(problem);
  }

  async #get(path: string): Promise<{ status: number; text: string }> {
    const response = await fetchChecked(this.#options.url + path, {
      headers: {
        authorization: `Bearer ${this.#options.key}`,
        ...(this.#options.keepsConnections === false ? { connection: 'close' } : {}),
      },
      signal: AbortSignal.timeout(HANG_MS),
    });
    return { status: response.status, text: await response.text() };
  }

  /** Reads some records of a base at once, each held to what any other answer is held to. */
  async readEach(base: Base, places: readonly number[]): Promise<void> {
    await Promise.all(places.map((place) => this.#readOne(base, place)));
  }

  async #read(): Promise<void> {
    const { loaded } = this.#options;
    const base = this.#pick(BASES);
    const most = this.#random() < FIRST_SHARE ? FIRST : loaded.counts[base];
    await this.#readOne(base, 1 + Math.floor(this.#random() * most));
  }

  async #readOne(base: Base, place: number): Promise<void> {
    const { loaded } = this.#options;
    const couldFail = this.#mayFail.has(base);
    const path = decisaoPath(`${base}:${place}`);
    try {
      const { status, text } = await this.#get(path);
      this.answers += 1;
      if (status === 504 && (couldFail || this.#mayFail.has(base))) return;
      if (status !== 200) return this.#report(`${path}: ${status} ${text}`);
      const record = JSON.parse(text) as Documento;
      const fault = loaded.faultOfRecord(record);
      if (fault !== null || record.id !== `${base}:${place}`) this.#report(`${path}: ${fault ?? record.id}`);
    } catch (error) {
      this.#report(`${path}: ${String(error)}`);
    }
  }

  /** Follows one search from its first page to its last. */
  async #walk(): Promise<void> {
    const word = this.#pick([COMUM, TERCO, SETIMO]);
    const ordem = this.#pick(['relevancia', 'recentes'] as const);
    const limite = this.#pick([6, 10, 50]);
    const seen = new Map<Base, Seen>(BASES.map((base) => [base, { places: [], ordem: null }]));
    const countsAtStart = { ...this.#options.loaded.counts };
    let cursor: string | null = null;
    let isWhole = true;
    for (let pages = 0; pages < PAGES_MAX && !this.#isOver; pages += 1) {
      const query: Record<string, string> = { q: word, ordem, limite: String(limite) };
      if (cursor !== null) query['cursor'] = cursor;
      const page = await this.#page(query, cursor === null);
      if (page === null) return;
      if (page.bases_sem_resposta.length > 0) isWhole = false;
      this.#take(page, word, seen);
      cursor = page.proximo_cursor;
      if (cursor === null) {
        if (isWhole) this.#closeWalk(word, seen, countsAtStart);
        return;
      }
      const isShort = page.itens.length < limite && page.bases_sem_resposta.length === 0;
      if (isShort) this.#report(`a page of ${page.itens.length} with a cursor`);
    }
  }

  async #page(query: Record<string, string>, isFirst: boolean): Promise<Busca | null> {
    const couldFail = new Set(this.#mayFail);
    const about = `${query['q']} ${query['ordem']} ${query['limite']}${isFirst ? '' : ' with cursor'}`;
    try {
      const { status, text } = await this.#get(`${BUSCA}?${new URLSearchParams(query).toString()}`);
      this.answers += 1;
      if (status !== 200) {
        this.#report(`${about}: ${status} ${text}`);
        return null;
      }
      const body = JSON.parse(text) as Busca;
      this.#searches += 1;
      // A later page may ask none but the base that fails.
      const asksOthers = body.por_base.some(({ base }) => !couldFail.has(base) && !this.#mayFail.has(base));
      if (asksOthers && isRejected(body)) {
        this.#rejected += 1;
        return body;
      }
      for (const { base } of body.bases_sem_resposta) {
        this.unanswered.set(base, (this.unanswered.get(base) ?? 0) + 1);
        if (!couldFail.has(base) && !this.#mayFail.has(base)) this.#report(`${about}: ${base} not answering`);
      }
      if (isFirst) this.#checkFirst(body, about);
      return body;
    } catch (error) {
      this.#report(`${about}: ${String(error)}`);
      return null;
    }
  }

  /** A first page asks all six bases and takes one item from each in turn; counts are exact. */
  #checkFirst(page: Busca, about: string): void {
    const asked = page.por_base.map(({ base }) => base);
    if (asked.join() !== BASES.join()) this.#report(`${about}: asked ${asked.join()}`);
    const silent = new Set(page.bases_sem_resposta.map(({ base }) => base));
    const [first = 0, ...others] = BASES.filter((base) => !silent.has(base)).map(
      (base) => page.itens.filter((item) => item.base === base).length,
    );
    // The first page never comes to the end of a base's list, unless that is short.
    const isFair = others.every((count) => first - count === 0 || first - count === 1);
    if (page.itens.length < FIRST && !isFair) this.#report(`${about}: turns ${[first, ...others].join()}`);
  }

  #take(page: Busca, word: string, seen: ReadonlyMap<Base, Seen>): void {
    const silent = new Set(page.bases_sem_resposta.map(({ base }) => base));
    for (const item of page.itens) {
      const fault = this.#options.loaded.faultOfItem({ ...item });
      if (fault !== null) this.#report(`row: ${fault}`);
      if (isOneOf(BASES, item.base)) seen.get(item.base)?.places.push(placeOf(item.id));
      if (silent.has(item.base)) this.#report(`an item of ${item.base}, which did not answer`);
    }
    for (const { base, ordem_aplicada, encontrados_ate_1000 } of page.por_base) {
      const ours = seen.get(base);
      if (silent.has(base) || ours === undefined) continue;
      if (ours.ordem !== null && ours.ordem !== ordem_aplicada) this.#report(`${base} changed its order`);
      ours.ordem = ordem_aplicada;
      if (this.#options.isGrowing !== true) this.#checkList(base, word, ours, encontrados_ate_1000);
    }
  }

  /** What a walk has of a base so far is the beginning of the base's list in the order that was applied. */
  #checkList(base: Base, word: string, { ordem, places }: Seen, counted: number | undefined): void {
    const list = this.#list(base, word, ordem);
    if (counted !== undefined && counted !== list.length) this.#report(`${base} counts ${counted}`);
    if (places.some((place, at) => list[at] !== place)) {
      this.#report(`${base} ${word} ${ordem}: ${places.join()} does not begin ${list.join()}`);
    }
  }

  #closeWalk(word: string, seen: ReadonlyMap<Base, Seen>, countsAtStart: Record<Base, number>): void {
    for (const [base, { ordem, places }] of seen) {
      if (this.#options.isGrowing === true) {
        // The horizon was that of the first page: all up to some number, and no fewer than at the start.
        const horizon = Math.max(0, ...places);
        const all = newestWith(word, Math.max(horizon, countsAtStart[base]));
        const isRight = ordem === 'recentes' ? places.join() === all.join() : sameSet(places, all);
        if (!isRight) this.#report(`${base} ${word} ${ordem}: pages join into ${places.join()}`);
      } else if (places.length !== this.#list(base, word, ordem).length) {
        this.#report(`${base} ${word} ${ordem}: pages join into ${places.length}`);
      }
    }
  }

  #list(base: Base, word: string, ordem: Ordem | null): readonly number[] {
    if (ordem === 'relevancia') return this.#options.ranking.of(base, word);
    return newestWith(word, this.#options.loaded.counts[base]);
  }

  #pick<T>(list: readonly T[]): T {
    // The index is below the length of a list that is not empty.
    return list[Math.floor(this.#random() * list.length)] as T;
  }
}

/** A service under too much load begins a search with all its bases or with none. */
export function isRejected({ por_base, bases_sem_resposta }: Busca): boolean {
  const isOverload = bases_sem_resposta.every(({ tempo_esgotado }) => !tempo_esgotado);
  return bases_sem_resposta.length === por_base.length && por_base.length > 1 && isOverload;
}

function placeOf(id: string): number {
  return Number(id.slice(id.indexOf(':') + 1));
}
