import { readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import type { Base } from '../../src/contract/vocabulary.ts';
import { BaseActor } from '../../src/engine/base-actor.ts';
import { VERSION_MS } from '../../src/engine/base-watch.ts';
import type { BaseRequest } from '../../src/engine/messages.ts';
import { AnswerCache } from '../../src/http/answer-cache.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { newKey } from '../../src/keys/key.ts';
import { Supervisor, type SupervisedBase } from '../../src/search/supervisor.ts';
import { quotaOfThisProcess } from '../../src/shared/quota.ts';
import { Rng } from '../../src/tools/demo/rng.ts';
import { bePatient } from '../support/patience.ts';
import { isOfPage } from '../../src/engine/requests.ts';
import { InlinePort } from '../support/inline-port.ts';
import { loadLines, makeBases, temporaryFolder, type Body } from '../support/service.ts';
import { runningClock, type SimulatedClock } from '../support/simulated-clock.ts';
import { appWith } from './app.ts';
import { BUSCA, acordao, decisaoPath } from './checks.ts';

bePatient();

const SEEDS = 25;
const STEPS = 60;
/** Searches that a world repeats. */
const SEARCHES = 4;
const ASKED = ['tst', 'stj'] as const;
type Asked = (typeof ASKED)[number];
const WINDOWS = { relevance_ms: 1_500, recency_ms: 1_000, count_ms: 150, record_ms: 2_000 };
const TEXTS = ['dano', 'dano moral', 'moral', 'culpa do dano', 'moral moral coletivo'] as const;
const QUERIES = [
  'dano',
  'danno',
  'dano+moral',
  '+dano++moral+',
  'dano+OR+culpa',
  'mroal',
  'culpa+NOT+moral',
] as const;
const PARAMETERS = ['', '&limite=1', '&limite=7', '&ordem=recentes&limite=2', '&ordem=RECENTES'] as const;
const COURTS = ['tst', 'stj,tst', 'TST,+stj', 'tst,stj,tst', 'stj'] as const;
const RECORDS = ['tst:1', 'tst:4', 'stj:2', 'stj:9'] as const;
const OF_EACH_TIME = ['server-timing', 'ratelimit', 'ratelimit-policy', 'x-request-id'];
const SQLITE_PAGE_BYTES = 4_096;

/** Few in one base, so that a page needs further rows of the other. */
const KEYS = { tst: 3, stj: 12 } as const;

function linesOf(base: Asked, rng: Rng, count: number) {
  return Array.from({ length: count }, () =>
    acordao(`${rng.pick(TEXTS)} ${rng.below(1_000_000)}`, { chave: String(rng.below(KEYS[base])) }),
  );
}

const MADE = Object.fromEntries(ASKED.map((base) => [base, linesOf(base, new Rng(0), 9)]));

/** Further rows of a page, or near words. */
function isLaterPart(request: BaseRequest): boolean {
  return request.kind === 'near' || isOfPage(request);
}

/** An answer without the parts that differ each time. */
interface Answer {
  readonly status: number;
  readonly text: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly isKept: boolean;
}

interface Place {
  content: string;
  state: 'whole' | 'damaged' | 'gone';
  readonly copies: { readonly bytes: Uint8Array; readonly content: string }[];
}

/** Two bases in real files that change at random, and two services over them: one with a cache, one without. */
class World {
  readonly rng: Rng;
  readonly #searches: readonly string[];
  readonly #dataDir = temporaryFolder();
  readonly #clock = runningClock();
  readonly #places = new Map<Asked, Place>();
  readonly #cached: Service;
  readonly #plain: Service;
  readonly #cursors = new Map<string, string[]>();
  /** The content of each ETag and each data version so far. */
  readonly #known = new Map<string, string>();
  #changes = 0;
  /** True while a base changes between the parts of an answer. */
  #isInside = false;
  hits = 0;
  unchanged = 0;

  constructor(seed: number) {
    const rng = (this.rng = new Rng(seed));
    this.#searches = Array.from(
      { length: SEARCHES },
      () => `${BUSCA}?q=${rng.pick(QUERIES)}${rng.pick(PARAMETERS)}&tribunal=${rng.pick(COURTS)}`,
    );
    vi.spyOn(performance, 'now').mockImplementation(() => this.#clock.now());
    makeBases(this.#dataDir, MADE);
    for (const base of ASKED) {
      this.#places.set(base, { content: `made ${base}`, state: 'whole', copies: [] });
      this.#copy(base);
    }
    const actors = ASKED.map((base) => [base, { actor: this.#actor(base), windows: WINDOWS }] as const);
    this.#cached = serviceOf(this.#clock, new Map(actors), 8);
    this.#plain = serviceOf(this.#clock, new Map(actors), 0);
  }

  #actor(base: Asked): BaseActor {
    const clock = this.#clock;
    const inline = new InlinePort(baseFile(this.#dataDir, base), base);
    const run = (batch: readonly BaseRequest[]) => {
      if (this.#isInside && batch.some(isLaterPart)) this.#change(base);
      return inline.run(batch);
    };
    const port = { run, close: () => inline.close() };
    return new BaseActor({ base, port, clock, threads: 1, queueMax: 100, onState: () => undefined });
  }

  async step(): Promise<void> {
    if (this.rng.chance(0.3)) this.#change(this.rng.pick(ASKED));
    // From now on no answer may come from the earlier data.
    await this.#clock.advance(VERSION_MS + this.rng.below(2_000));
    const path = this.#path();
    await this.#compare(path);
    this.#isInside = this.rng.chance(0.2);
    if (this.#isInside) this.#note(await this.#plain(path));
    this.#isInside = false;
  }

  /** Both services, with and without a cache, must give the same answer. */
  async #compare(path: string): Promise<void> {
    const former = this.#known.get(`sent ${path}`);
    const sent = former !== undefined && this.rng.chance(0.5) ? former : null;
    const given = await this.#cached(path, sent);
    const whole = await this.#plain(path);
    const isDamaged = [...this.#places.values()].some(({ state }) => state === 'damaged');
    if (given.status === 304) {
      this.unchanged += 1;
      // A 304 is right even if this file is damaged: the client has the answer of an intact file with the same data.
      if (!isDamaged) expect(whole.headers['etag']).toBe(sent);
      expect(given.headers['etag']).toBe(sent);
      this.#noteVersions(given);
    } else {
      if (given.isKept) this.hits += 1;
      expect({ ...given, isKept: false }).toEqual(whole);
    }
    this.#note(whole);
    this.#noteVersions(whole);
    const { etag } = whole.headers;
    if (etag !== undefined) this.#known.set(`sent ${path}`, etag);
    const [, search = ''] = /^(?<search>[^&]*(?:&(?!cursor)[^&]*)*)/u.exec(path) ?? [];
    const { proximo_cursor } = JSON.parse(whole.text) as Partial<Body>;
    if (typeof proximo_cursor === 'string')
      this.#cursors.set(search, [...(this.#cursors.get(search) ?? []).slice(-2), proximo_cursor]);
  }

  /** Each base named in the answer has its file, with the data version named. */
  #noteVersions({ headers }: Answer): void {
    for (const part of headers['jurisprudencia-versao']?.split(', ') ?? []) {
      const { content, state } = this.#place(part.slice(0, part.indexOf('=')) as Asked);
      expect(state).not.toBe('gone');
      this.#isOnly(part, content);
    }
  }

  #note({ headers, text }: Answer): void {
    // An unchanged record keeps its ETag from one data version to the next.
    const { etag, 'jurisprudencia-versao': _, ...others } = headers;
    if (etag !== undefined) this.#isOnly(etag, JSON.stringify([others, text]));
  }

  #isOnly(name: string, content: string): void {
    expect([name, this.#known.get(name) ?? content]).toEqual([name, content]);
    this.#known.set(name, content);
  }

  #path(): string {
    const { rng } = this;
    const search = rng.pick(this.#searches);
    if (rng.chance(0.2)) return decisaoPath(rng.pick(RECORDS));
    const cursors = this.#cursors.get(search) ?? [];
    return cursors.length > 0 && rng.chance(0.5) ? `${search}&cursor=${rng.pick(cursors)}` : search;
  }

  #change(base: Asked): void {
    const { rng } = this;
    const place = this.#place(base);
    if (place.state === 'whole' && rng.chance(0.6)) this.#load(base);
    else if (place.state === 'whole' && rng.chance(0.4)) this.#copy(base);
    else if (place.state === 'whole' && rng.chance(0.5)) this.#break(base);
    else this.#swap(base);
  }

  #load(base: Asked): void {
    loadLines(this.#dataDir, base, linesOf(base, this.rng, this.rng.between(1, 3)));
    this.#place(base).content = `load ${(this.#changes += 1)}`;
  }

  #copy(base: Asked): void {
    const file = baseFile(this.#dataDir, base);
    const { copies, content } = this.#place(base);
    emptyLog(file);
    copies.push({ bytes: readFileSync(file), content });
  }

  #break(base: Asked): void {
    const { rng } = this;
    const file = baseFile(this.#dataDir, base);
    const place = this.#place(base);
    this.#copy(base);
    place.state = rng.chance(0.5) ? 'gone' : 'damaged';
    if (place.state === 'gone') {
      renameSync(file, `${file}.gone`);
      return;
    }
    const bytes = readFileSync(file);
    const start = rng.between(SQLITE_PAGE_BYTES, bytes.length - 1);
    bytes.fill(rng.below(256), start, Math.min(bytes.length, start + rng.below(8 * SQLITE_PAGE_BYTES)));
    writeFileSync(file, bytes);
    this.#date(file);
  }

  #swap(base: Asked): void {
    const { rng } = this;
    const file = baseFile(this.#dataDir, base);
    const place = this.#place(base);
    const { bytes, content } = rng.pick(place.copies);
    writeFileSync(`${file}.new`, bytes);
    this.#date(`${file}.new`);
    for (const side of ['-wal', '-shm']) rmSync(file + side, { force: true });
    renameSync(`${file}.new`, file);
    Object.assign(place, { content, state: 'whole' });
  }

  /** File times are some milliseconds coarse, and a test is faster. */
  #date(file: string): void {
    const seconds = (this.#changes += 1);
    utimesSync(file, seconds, seconds);
  }

  #place(base: Asked): Place {
    return this.#places.get(base)!;
  }
}

type Service = (path: string, etag?: string | null) => Promise<Answer>;

type Supervised = ReadonlyMap<Base, SupervisedBase & { readonly actor: BaseActor }>;

function serviceOf(clock: SimulatedClock, bases: Supervised, cacheMb: number): Service {
  const app = appWith({
    supervisor: new Supervisor(clock, bases),
    quota: quotaOfThisProcess(clock),
    answers: new AnswerCache(
      cacheMb,
      (base, abandoned) => bases.get(base)?.actor.dataVersion(abandoned) ?? null,
    ),
  });
  const authorization = `Bearer ${newKey()}`;
  return async (path, etag = null) => {
    const headers = { authorization, ...(etag !== null && { 'if-none-match': etag }) };
    const answer = await app.handle(new Request(`http://localhost${path}`, { headers }));
    const timing = answer.headers.get('server-timing');
    for (const name of OF_EACH_TIME) answer.headers.delete(name);
    return {
      status: answer.status,
      text: (await answer.text()).replaceAll(/"ms":\d+/gu, '"ms":0'),
      headers: Object.fromEntries(answer.headers),
      isKept: timing?.includes('cache=hit') === true,
    };
  };
}

/** Afterwards all loaded data are in the base file, none in its log. */
function emptyLog(file: string): void {
  const db = new Database(file);
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}

test('a cached answer equals that of the bases, whatever became of their files, and no ETag names two answers', async () => {
  let hits = 0;
  let unchanged = 0;
  for (let seed = 1; seed <= SEEDS; seed += 1) {
    const world = new World(seed);
    try {
      for (let step = 0; step < STEPS; step += 1) await world.step();
    } catch (error) {
      throw new Error(`seed ${seed}: ${String(error)}`, { cause: error });
    } finally {
      vi.restoreAllMocks();
    }
    hits += world.hits;
    unchanged += world.unchanged;
  }
  expect(Math.min(hits, unchanged)).toBeGreaterThan(SEEDS);
});
