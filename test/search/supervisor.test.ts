import { describe, expect, test } from 'vitest';
import type { SearchPage } from '../../src/search/page.ts';
import type { Asker } from '../../src/engine/asker.ts';
import { Askers } from '../../src/search/askers.ts';
import { Supervisor } from '../../src/search/supervisor.ts';
import type { ReadRequest, SearchReply, SearchRequest } from '../../src/engine/messages.ts';
import { done, failed, type Outcome } from '../../src/engine/outcome.ts';
import { BASES, type Base } from '../../src/contract/vocabulary.ts';
import type { Pedido } from '../../src/query/parameters.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

const WINDOWS = { relevance_ms: 1500, recency_ms: 1000, count_ms: 150, record_ms: 2000 };
type Request = Omit<SearchRequest, 'budget_ms'> | Omit<ReadRequest, 'budget_ms'>;

/** A base of numbers 1 to n, all of them matches; relevance puts the lowest number first. */
class FakeBase {
  last: number;
  /** Names the file that it reads. */
  file = 'first';
  /** What to do with the next requests: the default answers at once. */
  behaviour: (request: Request) => 'answer' | 'wait' | 'deadline' | 'unavailable' | 'overloaded' = () =>
    'answer';
  readonly asked: {
    request: Request;
    deadline: number;
    id?: number | undefined;
  }[] = [];
  isCongested = false;

  isCongestedFor(): boolean {
    return this.isCongested;
  }

  constructor(last: number) {
    this.last = last;
  }

  async ask(request: Request, deadline: number, { id, abandoned }: Asker = {}): Promise<Outcome<never>> {
    this.asked.push({ request, deadline, id });
    const behaviour = this.behaviour(request);
    if (behaviour === 'wait') {
      if (abandoned?.aborted !== true)
        await new Promise<void>((resolve) => abandoned?.addEventListener('abort', resolve));
      return failed('abandoned');
    }
    if (behaviour !== 'answer') return await Promise.resolve(failed(behaviour));
    return done(this.#reply(request) as never);
  }

  #reply(request: Request): unknown {
    return request.kind === 'read' ? this.#read(request.doc_ids) : this.#search(request);
  }

  #read(doc_ids: readonly number[]) {
    return { kind: 'read', rows: doc_ids.map(String), generation: 1, docs: this.last, file: this.file };
  }

  #search({ ordem, after, doc_ids_max, rows_max, count_ms }: Omit<SearchRequest, 'budget_ms'>): SearchReply {
    const all = Array.from({ length: this.last }, (_, at) => at + 1);
    const recent = after?.ordem === 'recentes' ? after.below : this.last + 1;
    const ranked =
      after?.ordem === 'relevancia'
        ? after
        : {
            ordem: 'relevancia' as const,
            doc_id_max: this.last,
            df: [1],
            score: null,
            doc_id: 0,
            generation: 1,
          };
    const doc_ids = (
      ordem === 'recentes'
        ? all.toReversed().filter((one) => one < recent)
        : all.filter((one) => one > ranked.doc_id && one <= ranked.doc_id_max)
    ).slice(0, doc_ids_max);
    return {
      kind: 'search',
      doc_ids,
      scores: ordem === 'relevancia' ? doc_ids.map((one) => 1 / one) : null,
      start: ordem === 'recentes' ? { ordem, below: recent } : ranked,
      resumos: doc_ids.slice(0, rows_max).map(String),
      count: count_ms === null ? null : Math.min(1001, this.last),
      count_ms: 0,
      rows_ms: 0,
      generation: 1,
      docs: this.last,
      file: this.file,
    };
  }
}

function start(lasts: Partial<Record<Base, number>>, onRejected?: () => void, atOnce = 9) {
  const clock = new SimulatedClock();
  const bases = new Map(Object.entries(lasts).map(([base, last]) => [base as Base, new FakeBase(last)]));
  const supervisor = new Supervisor(
    clock,
    new Map([...bases].map(([base, actor]) => [base, { actor: actor as never, windows: WINDOWS }])),
    onRejected,
    new Askers(clock, atOnce),
  );
  const selecao = BASES.filter((base) => bases.has(base)).map((base) => ({ base, tribunais: null }));
  const search = (overrides: Partial<Pedido> = {}, asker: Asker = {}) =>
    supervisor.search(
      {
        q: 'x',
        consulta: {
          tree: { kind: 'nothing' },
          terms: [{ token: 'x', prefix: false }],
          leitura: '',
          avisos: [],
        },
        selecao,
        filter: { tipo: null, judged_from: null, judged_to: null },
        ordem: 'relevancia',
        limite: 10,
        cursor: null,
        parametros: '',
        chave: '',
        ...overrides,
      },
      asker,
    );
  const base = (name: Base): FakeBase => {
    const found = bases.get(name);
    if (found === undefined) throw new Error(name);
    return found;
  };
  return { clock, supervisor, search, base };
}

const SLOW_RELEVANCE = (request: Request) =>
  request.kind === 'search' && request.ordem === 'relevancia' ? 'deadline' : 'answer';

describe('a search', () => {
  test('fails alone if a base gives an invalid reply', async () => {
    const { clock, search, base } = start({ tst: 2, stj: 5 });
    base('tst').ask = () => Promise.resolve(done({ kind: 'search', resumos: [] } as never));
    const held = Promise.withResolvers<Outcome<never>>();
    base('stj').ask = () => held.promise;
    const page = search();
    await expect(page).rejects.toThrow();
    // The other base is still awaited when the page counts as slow.
    await clock.advance(1_000);
    held.resolve(failed('deadline'));
  });

  test('asks each base for its part of the rows, and fetches the rest if a base has too few', async () => {
    const { search, base } = start({ tst: 50, stj: 0, eproc: 1 });
    const page = await search({ limite: 9 });
    expect(page.itens).toHaveLength(9);
    expect(
      base('tst').asked.map(({ request }) => (request.kind === 'read' ? request.doc_ids : request.rows_max)),
    ).toEqual([3, [4, 5, 6, 7, 8]]);
  });

  test('names the asker in the requests for the page and for further rows', async () => {
    const { search, base } = start({ tst: 9, stj: 0, eproc: 1 });
    await search({ limite: 9 }, { id: 7 });
    expect(base('tst').asked.length).toBeGreaterThan(1);
    expect(base('tst').asked.every(({ id }) => id === 7)).toBe(true);
  });

  test('has a base as unanswered if its further rows come from another file', async () => {
    const { search, base } = start({ tst: 50, stj: 1 });
    const tst = base('tst');
    tst.behaviour = ({ kind }) => {
      if (kind === 'read') tst.file = 'second';
      return 'answer';
    };
    const page = await search({ limite: 9 });
    expect(page.itens).toEqual(['1']);
    expect(page.bases_sem_resposta).toEqual([{ base: 'tst', tempo_esgotado: false }]);
    // The next page is of one file again.
    expect((await search({ limite: 9 })).itens).toHaveLength(9);
  });

  test('falls back to recency in a base that cannot order by relevance within its window, and shows it', async () => {
    const { search, base } = start({ tst: 3, stj: 3 });
    base('stj').behaviour = SLOW_RELEVANCE;
    const page = await search();
    expect(page.itens).toEqual(['1', '3', '2', '2', '3', '1']);
    expect(page.por_base).toMatchObject([
      { base: 'tst', ordem_aplicada: 'relevancia' },
      { base: 'stj', ordem_aplicada: 'recentes', encontrados_ate_1000: 3 },
    ]);
    expect(base('stj').asked.map(({ deadline }) => deadline)).toEqual([1500, 2500]);
  });

  test.each(['unavailable', 'overloaded'] as const)(
    'lists a base that is %s at once, without tempo_esgotado',
    async (failure) => {
      const { search, base } = start({ tst: 3, stj: 3 });
      base('stj').behaviour = () => failure;
      const page = await search();
      expect(page.bases_sem_resposta).toEqual([{ base: 'stj', tempo_esgotado: false }]);
      expect(base('stj').asked).toHaveLength(1);
    },
  );

  test('has a base as unanswered if its further rows do not come', async () => {
    const { search, base } = start({ tst: 50, stj: 50, eproc: 0 });
    base('tst').behaviour = (request) => (request.kind === 'read' ? 'deadline' : 'answer');
    const page = await search({ limite: 10 });
    expect(page.bases_sem_resposta).toEqual([{ base: 'tst', tempo_esgotado: true }]);
    expect(page.itens).toEqual(['1', '2', '3', '4', '5', '6', '7', '8', '9', '10']);
    const next = await search({ limite: 4, cursor: page.cursor });
    expect(next.por_base.map(({ base: name }) => name)).toEqual(['tst', 'stj']);
  });

  test.each([
    ['recentes', WINDOWS.recency_ms],
    ['relevancia', WINDOWS.relevance_ms + WINDOWS.recency_ms],
  ] as const)('gives further rows of %s the rest of the windows', async (ordem, deadline) => {
    const { search, base } = start({ tst: 50, stj: 50, eproc: 0 });
    await search({ limite: 10, ordem });
    const rows = base('tst').asked.find(({ request }) => request.kind === 'read');
    expect(rows?.deadline).toBe(deadline);
  });

  test('is rejected while a base is congested, after a back-off, and asks no base', async () => {
    const { clock, search, base } = start({ tst: 9, stj: 9 });
    base('stj').isCongested = true;
    let page: SearchPage | null = null;
    const searching = search().then((found) => (page = found));
    await clock.advance(249);
    expect(page).toBeNull();
    await clock.advance(1);
    expect((await searching).bases_sem_resposta).toEqual([
      { base: 'tst', tempo_esgotado: false },
      { base: 'stj', tempo_esgotado: false },
    ]);
    expect([...base('tst').asked, ...base('stj').asked]).toEqual([]);
  });

  test('runs after its back-off with the remaining time if the base has room by then', async () => {
    const { clock, search, base } = start({ tst: 9 });
    base('tst').isCongested = true;
    const searching = search();
    await clock.advance(100);
    base('tst').isCongested = false;
    await clock.advance(150);
    expect((await searching).itens).toHaveLength(9);
    expect(base('tst').asked.map(({ deadline }) => deadline)).toEqual([WINDOWS.relevance_ms]);
  });

  test('waits for other searches of its key for at most half of its window', async () => {
    const { clock, search, base } = start({ tst: 9, stj: 9 }, undefined, 1);
    base('tst').behaviour = () => 'wait';
    void search({}, { id: 8 });
    void search({}, { id: 7 });
    base('tst').behaviour = () => 'answer';
    const waiting = search({ ordem: 'recentes' }, { id: 7 });
    const asked = () =>
      base('tst').asked.filter(({ request }) => 'ordem' in request && request.ordem === 'recentes');
    await clock.advance(WINDOWS.recency_ms / 2 - 1);
    expect(asked()).toEqual([]);
    await clock.advance(1);
    expect(asked()).toMatchObject([{ deadline: WINDOWS.recency_ms }]);
    expect((await waiting).itens).toHaveLength(10);
  });

  test('waits for near words for at most half of its window', async () => {
    const { clock, search, base } = start({ tst: 3 });
    const tst = base('tst');
    const answer = tst.ask.bind(tst);
    let nearBy = 0;
    tst.ask = async (request, deadline, asker) => {
      if (request.kind === 'search') {
        await new Promise<void>((resolve) => clock.after(100, resolve));
        return done({
          ...((await answer(request, deadline, asker)) as { value: object }).value,
          absent: [0],
        } as never);
      }
      nearBy = deadline;
      return failed('deadline');
    };
    const terms = [{ token: 'danoo', prefix: false }];
    const consulta = { tree: { kind: 'nothing' as const }, terms, leitura: '', avisos: [] };
    const searching = search({ consulta });
    await clock.advance(100);
    expect(await searching).toMatchObject({ itens: ['1', '2', '3'], isWhole: false });
    expect(nearBy).toBe(WINDOWS.relevance_ms / 2);
  });

  test('backs off only within its windows, and never after its client has left', async () => {
    let rejected = 0;
    const { clock, supervisor, search, base } = start({ tst: 9 }, () => (rejected += 1));
    base('tst').isCongested = true;
    const gone = new AbortController();
    const abandoned = search({}, { abandoned: gone.signal });
    gone.abort();
    base('tst').isCongested = false;
    expect((await abandoned).itens).toEqual([]);
    expect(base('tst').asked).toEqual([]);
    base('tst').isCongested = true;
    expect((await search({}, { abandoned: gone.signal })).itens).toEqual([]);
    expect(rejected).toBe(0);
    supervisor.changeWindows('tst', { ...WINDOWS, relevance_ms: 40 });
    const searching = search();
    await clock.advance(20);
    expect((await searching).itens).toEqual([]);
    expect(clock.now()).toBe(20);
  });

  test('ends when its client leaves, and asks no base again', async () => {
    const { clock, search, base } = start({ tst: 9, stj: 9 });
    for (const name of ['tst', 'stj'] as const) base(name).behaviour = () => 'wait';
    const gone = new AbortController();
    const searching = search({}, { abandoned: gone.signal });
    await clock.advance(100);
    gone.abort();
    expect((await searching).bases_sem_resposta).toEqual([
      { base: 'tst', tempo_esgotado: false },
      { base: 'stj', tempo_esgotado: false },
    ]);
    expect(clock.now()).toBe(100);
    for (const name of ['tst', 'stj'] as const) expect(base(name).asked).toHaveLength(1);
  });

  test('ends when its client leaves while further rows are read', async () => {
    const { search, base } = start({ tst: 50, stj: 0 });
    base('tst').behaviour = ({ kind }) => (kind === 'read' ? 'wait' : 'answer');
    const gone = new AbortController();
    const searching = search({ limite: 10 }, { abandoned: gone.signal });
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    expect(base('tst').asked.map(({ request }) => request.kind)).toEqual(['search', 'read']);
    gone.abort();
    expect((await searching).itens).toEqual([]);
  });

  test('leaves nothing running after its answer', async () => {
    const { clock, search, base } = start({ tst: 50, stj: 50 });
    let rows: Asker['abandoned'];
    const stj = base('stj');
    const ask = stj.ask.bind(stj);
    stj.ask = async (request, deadline, asker) => {
      // It comes when the rows that tst has fetched ahead in its place are on their way.
      await new Promise<void>((resolve) => clock.after(800, resolve));
      return ask(request, deadline, asker);
    };
    const tst = base('tst');
    const askTst = tst.ask.bind(tst);
    tst.ask = (request, deadline, asker) => {
      if (request.kind === 'read') rows = asker?.abandoned;
      return askTst(request, deadline, asker);
    };
    tst.behaviour = ({ kind }) => (kind === 'read' ? 'wait' : 'answer');
    const searching = search({ limite: 10 });
    await clock.advance(799);
    expect(rows?.aborted).toBe(false);
    await clock.advance(1);
    expect((await searching).itens).toHaveLength(10);
    expect(rows?.aborted).toBe(true);
  });

  test('keeps a base’s order on later pages, without a fall-back', async () => {
    const { search, base } = start({ tst: 30, stj: 30 });
    base('stj').behaviour = SLOW_RELEVANCE;
    const first = await search();
    base('stj').behaviour = () => 'answer';
    base('tst').behaviour = SLOW_RELEVANCE;
    const second = await search({ cursor: first.cursor });
    expect(second.por_base).toMatchObject([
      { base: 'tst', ordem_aplicada: 'relevancia' },
      { base: 'stj', ordem_aplicada: 'recentes' },
    ]);
    expect(second.bases_sem_resposta).toEqual([{ base: 'tst', tempo_esgotado: true }]);
    // With nothing to fall back to, relevance has both windows.
    expect(base('tst').asked.at(-1)?.deadline).toBe(2500);
  });
});

describe('a record read', () => {
  test('gives the base its window and returns its outcome', async () => {
    const { supervisor, base } = start({ tst: 3 });
    expect(await supervisor.read('tst', 2)).toEqual(done({ json: '2', version: null }));
    expect(base('tst').asked[0]?.deadline).toBe(2000);
    base('tst').behaviour = () => 'unavailable';
    expect(await supervisor.read('tst', 2)).toMatchObject({ ok: false, failure: 'unavailable' });
  });

  test('ends when its client leaves', async () => {
    const { supervisor, base } = start({ tst: 3 });
    base('tst').behaviour = () => 'wait';
    const gone = new AbortController();
    const reading = supervisor.read('tst', 2, { abandoned: gone.signal });
    for (let turn = 0; turn < 50; turn += 1) await Promise.resolve();
    gone.abort();
    expect(await reading).toEqual(failed('abandoned'));
  });

  test('and a search use changed windows from their next request', async () => {
    const { supervisor, search, base } = start({ tst: 3 });
    supervisor.changeWindows('tst', { ...WINDOWS, record_ms: 70, relevance_ms: 40, recency_ms: 30 });
    await supervisor.read('tst', 2);
    base('tst').behaviour = SLOW_RELEVANCE;
    await search();
    expect(base('tst').asked.map(({ deadline }) => deadline)).toEqual([70, 40, 70]);
  });
});
