import { copyFileSync, renameSync, writeFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { BaseReply, BaseRequest } from '../../src/engine/messages.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import type { BasePort } from '../../src/engine/port.ts';
import { ThreadPort } from '../../src/engine/thread-port.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import type { Base } from '../../src/contract/vocabulary.ts';
import { InlinePort } from '../support/inline-port.ts';
import { WAIT } from '../support/patience.ts';
import { coverFrom, NO_FILTER, readOf, searchFor } from '../support/requests.ts';
import { loadLines, temporaryFolder } from '../support/service.ts';

/** One suite for every BasePort: what a base actor may rely on, wherever the base lives. */
const POOLS: [string, (file: string, base: Base) => BasePort][] = [
  ['a pool of one thread', (file, base) => new ThreadPort({ file, base, threads: 1 })],
  ['a pool of three threads', (file, base) => new ThreadPort({ file, base, threads: 3 })],
  [
    'a pool that was given more threads',
    (file, base) => {
      const port = new ThreadPort({ file, base, threads: 1 });
      void port.resize(2);
      return port;
    },
  ],
  ['messages written to JSON and back', (file, base) => new InlinePort(file, base)],
];
describe.each(POOLS)('a port that is %s', (_, open) => {
  let dataDir: string;
  let port: BasePort;
  const one = async (request: BaseRequest): Promise<Outcome<BaseReply>> => {
    const [outcome] = await port.run([request]);
    if (outcome === null || outcome === undefined) throw new Error('given back');
    if (!outcome.ok && outcome.failure === 'expensive') throw new Error('expensive');
    return outcome;
  };
  const value = async (request: BaseRequest): Promise<BaseReply> => {
    const outcome = await one(request);
    if (!outcome.ok) throw new Error(`${outcome.failure}: ${outcome.detail ?? ''}`);
    return outcome.value;
  };

  beforeEach(() => {
    dataDir = temporaryFolder();
    loadLines(dataDir, 'eproc', [
      { tipo: 'acordao', tribunal: 'tnu', ementa: 'Dano moral', data_julgamento: '2020-01-31' },
      {
        tipo: 'sumula',
        tribunal: 'trf6',
        ementa: 'Dano material e dano moral',
        data_publicacao: '2021-02-03',
      },
      {
        tipo: 'acordao',
        tribunal: 'trf6',
        ementa: 'Pensão',
        data_julgamento: '2022-05-06',
        extras: { a: 1 },
      },
    ]);
    port = open(baseFile(dataDir, 'eproc'), 'eproc');
  });
  afterEach(() => port.close());

  test('gives the newest matches first, with the requested number of rows', async () => {
    const reply = await value(searchFor('dano', { rows_max: 1, count_ms: 60_000 }));
    expect(reply).toMatchObject({
      kind: 'search',
      doc_ids: [2, 1],
      count: 2,
      start: { ordem: 'recentes', below: 4 },
    });
    expect(reply).toHaveProperty('resumos.length', 1);
  });

  test('continues below a position, whatever was loaded since', async () => {
    loadLines(dataDir, 'eproc', [{ tipo: 'acordao', tribunal: 'tnu', ementa: 'Dano novo' }]);
    const after = { ordem: 'recentes' as const, below: 2 };
    expect(await value(searchFor('dano', { after }))).toMatchObject({ doc_ids: [1], start: after });
  });

  test('filters by court, type and judgment date, a missing date matching no period', async () => {
    const filter = { tribunais: null, tipo: null, judged_from: null, judged_to: null };
    const numbers = async (changed: Partial<typeof filter> | object) =>
      value(searchFor('dano OR pensao', { filter: { ...filter, ...changed } }));
    expect(await numbers({ tribunais: ['trf6'] })).toMatchObject({ doc_ids: [3, 2] });
    expect(await numbers({ tipo: 'acordao' })).toMatchObject({ doc_ids: [3, 1] });
    expect(await numbers({ judged_from: 20200131, judged_to: 20200131 })).toMatchObject({
      doc_ids: [1],
    });
    expect(await numbers({ judged_from: 10101 })).toMatchObject({ doc_ids: [3, 1] });
  });

  test('ranks by relevance, with the position of each row', async () => {
    const reply = await value(searchFor('dano', { ordem: 'relevancia', count_ms: 0 }));
    expect(reply).toMatchObject({
      doc_ids: [2, 1],
      count: 2,
      start: { ordem: 'relevancia', doc_id_max: 3, df: [2] },
    });
  });

  test('gives words near an absent one, with which a search finds something', async () => {
    const request: BaseRequest = {
      kind: 'near',
      words: [{ tokens: ['pensoa'], forms: [], edits: true, anyway: false }],
      tree: searchFor('pensoa').tree,
      filter: NO_FILTER,
      budget_ms: 60_000,
    };
    // The first search may use up its limit of work while the code is not yet compiled.
    await expect
      .poll(() => value(request), WAIT)
      .toMatchObject({
        near: [[{ tokens: ['pensao'], docs: 1 }]],
        found: [['pensao']],
        docs: 3,
      });
  });

  test('reads records by number, null for one that does not exist', async () => {
    const reply = await value(readOf([3, 9, 1]));
    expect(reply).toMatchObject({
      kind: 'read',
      rows: [expect.stringContaining('"id":"eproc:3"'), null, expect.any(String)],
    });
  });

  test('covers a base in slices, with a mark on the last one', async () => {
    const first = {
      total: 2,
      judged_min: 20200131,
      published_max: 20210203,
      types: ['acordao', 'sumula'],
      to: 2,
    };
    expect(await value(coverFrom(0, 2))).toMatchObject(first);
    const last = { total: 1, judged_max: 20220506, to: null };
    expect(await value(coverFrom(2, 2))).toMatchObject(last);
  });

  test('gives the generation, which rises with each load, and the number of decisions', async () => {
    const before = await value(readOf([1]));
    expect(before.docs).toBe(3);
    loadLines(dataDir, 'eproc', [{ tipo: 'acordao', tribunal: 'tnu', ementa: 'x' }]);
    for (const request of [readOf([]), searchFor('dano'), coverFrom(0, 1)]) {
      expect(await value(request)).toMatchObject({ generation: before.generation + 1, docs: 4 });
    }
  });

  test('gives outcomes in the order of the requests', async () => {
    const requests = [readOf([1]), searchFor('dano', { budget_ms: 0 }), readOf([2])];
    const outcomes = [...(await port.run(requests))];
    // Requests that a slow thread returned are sent again, as a base actor does.
    for (const [at, outcome] of outcomes.entries()) {
      if (outcome === null) outcomes[at] = await one(requests[at]!);
    }
    expect(outcomes.map((outcome) => outcome?.ok)).toEqual([true, false, true]);
    expect(outcomes[2]).toMatchObject({ value: { rows: [expect.stringContaining('"id":"eproc:2"')] } });
  });

  test('answers deadline to a request without time', async () => {
    expect(await one(searchFor('dano', { budget_ms: 0 }))).toMatchObject({ ok: false, failure: 'deadline' });
  });
});

test.each(POOLS)(
  'a port that is %s returns a request that exceeds its limit of work as expensive',
  async (_, open) => {
    const dataDir = temporaryFolder();
    loadLines(dataDir, 'eproc', [{ tipo: 'acordao', tribunal: 'tnu', ementa: 'Dano moral' }]);
    const port = open(baseFile(dataDir, 'eproc'), 'eproc');
    expect(await port.run([searchFor('dano', { work_ms: 0 })])).toMatchObject([
      { ok: false, failure: 'expensive' },
    ]);
    expect(await port.run([searchFor('dano', { work_ms: 1_000 })])).toMatchObject([{ ok: true }]);
    await port.close();
  },
);

describe('a pool of three threads', () => {
  test('reports how many threads run a batch', async () => {
    const dataDir = temporaryFolder();
    loadLines(dataDir, 'tst', [{ tipo: 'acordao', ementa: 'x' }]);
    const port = new ThreadPort({ file: baseFile(dataDir, 'tst'), base: 'tst', threads: 3 });
    const busy = async () => {
      const running = [port.run([readOf([1])]), port.run([readOf([1])])];
      const { threads_busy } = port.status();
      await Promise.all(running);
      return threads_busy;
    };
    expect(await busy()).toBe(0);
    // The second thread loads when two are needed.
    await expect.poll(busy, WAIT).toBe(2);
    expect(port.status()).toMatchObject({ threads: 3, threads_busy: 0 });
    await port.close();
  });
});

describe.each(POOLS)('a port that is %s, without its file', (_, open) => {
  test('answers unavailable, and serves again once the file exists', async () => {
    const dataDir = temporaryFolder();
    loadLines(dataDir, 'tst', [{ tipo: 'acordao', ementa: 'x' }]);
    const file = baseFile(dataDir, 'tst');
    renameSync(file, `${file}.away`);
    const port = open(file, 'tst');
    // A file that could not be opened is tried again after a short wait.
    const soon = () => expect.poll(async () => (await port.run([readOf([1])]))[0], { ...WAIT, interval: 20 });
    await soon().toMatchObject({ failure: 'unavailable' });
    writeFileSync(
      file,
      'this is no database, only some text that is long enough to be a header of one'.repeat(20),
    );
    await soon().toMatchObject({ failure: 'unavailable' });
    copyFileSync(baseFile(dataDir, 'stj'), file);
    await soon().toMatchObject({
      failure: 'unavailable',
      detail: expect.stringContaining('base stj'),
    });
    renameSync(`${file}.away`, file);
    await soon().toMatchObject({ ok: true });
    await port.close();
  });
});
