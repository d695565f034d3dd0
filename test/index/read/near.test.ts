import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import fc from 'fast-check';
import distanceBetween from 'leven';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { NearReply, NearRequest } from '../../../src/engine/messages.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import { Budget, BudgetExceeded } from '../../../src/index/read/budget.ts';
import { Connector, snapshotOf, type Connection } from '../../../src/index/read/connection.ts';
import { near } from '../../../src/index/read/near.ts';
import { heldNames, oneEditAway } from '../../../src/index/read/near-names.ts';
import { TermFilter } from '../../../src/index/read/term-filter.ts';
import { WAIT } from '../../support/patience.ts';
import { NO_FILTER } from '../../support/requests.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';

const SYLLABLES = ['ba', 'co', 'da', 'fe', 'li', 'mo', 'ra', 'su', 'ti', 'zu'];
/** Words enough for many rows of the dictionary. */
const WORDS = Array.from({ length: 8_000 }, (_, at) =>
  [at % 10, Math.floor(at / 10) % 10, Math.floor(at / 100) % 10, Math.floor(at / 1_000)]
    .map((digit) => SYLLABLES[digit] ?? '')
    .join(''),
);

const folder = temporaryFolder();
let connection: Connection;
beforeAll(() => {
  const lines = Array.from({ length: 80 }, (_, at) => ({
    tipo: 'acordao',
    ementa: `comum ${at % 4 === 0 ? 'comun assinado' : ''} ${WORDS.slice(at * 100, at * 100 + 100).join(' ')}`,
  }));
  loadLines(folder, 'stj', lines);
  connection = new Connector(baseFile(folder, 'stj'), 'stj').connection();
});
afterAll(() => {
  connection.db.close();
});

/** With a change of places as one edit. */
function isOneEdit(one: string, other: string): boolean {
  if (distanceBetween(one, other) === 1) return true;
  const at = [...one].findIndex((letter, place) => letter !== other[place]);
  const swapped = one.slice(0, at) + (one[at + 1] ?? '') + (one[at] ?? '') + one.slice(at + 2);
  return one !== other && swapped === other;
}

/** A budget that ends after so many checks. */
function checksOnly(count: number): Budget {
  let now = 0;
  const budget = new Budget(() => now++);
  budget.start(count);
  return budget;
}

function fullFilter(): TermFilter {
  const filter = new TermFilter(snapshotOf(connection).terms);
  connection.budget.start(Number.POSITIVE_INFINITY);
  filter.extend(connection);
  return filter;
}

/** Asks for near words of some names. */
function ask(...names: readonly string[]): NearReply {
  connection.budget.start(performance.now() + 60_000, Number.POSITIVE_INFINITY);
  return near(connection, requestFor(names), snapshotOf(connection));
}

function requestFor(names: readonly string[]): NearRequest {
  const words = names.map((name) => ({ tokens: [name], forms: [], edits: true, anyway: false }));
  return { kind: 'near', words, tree: null, filter: NO_FILTER, budget_ms: 60_000 };
}

describe('words one edit away', () => {
  test('are exactly those of the dictionary', () => {
    const typed = fc.tuple(
      fc.constantFrom(...WORDS),
      fc.nat(9),
      fc.constantFrom(...'abcuz'),
      fc.constantFrom(0, 1),
    );
    const full = fullFilter();
    fc.assert(
      fc.property(typed, fc.constantFrom('full', 'half', 'empty'), ([word, at, letter, removed], state) => {
        const filter = state === 'full' ? full : new TermFilter(snapshotOf(connection).terms);
        if (state === 'half')
          expect(() => filter.extend({ ...connection, budget: checksOnly(5) })).toThrow(BudgetExceeded);
        connection.budget.start(Number.POSITIVE_INFINITY);
        const wrong = word.slice(0, at) + letter + word.slice(at + removed);
        const found = [...oneEditAway(wrong, filter, connection.budget)].flatMap((names) =>
          [...heldNames(connection, filter.terms, names)].map(([name]) => name),
        );
        const expected = WORDS.filter((name) => isOneEdit(wrong, name));
        expect([...new Set(found)].filter((name) => name !== wrong).toSorted()).toEqual(expected.toSorted());
      }),
      { numRuns: 40 },
    );
  });

  test('are no longer looked for once the budget is spent, even within one long word', () => {
    const full = fullFilter();
    const word = 'é'.repeat(140);
    expect(() => oneEditAway(word, full, checksOnly(5)).next()).toThrow(BudgetExceeded);
    expect(() => [...oneEditAway(word, full, checksOnly(150))]).toThrow(BudgetExceeded);
  });
});

describe('near words', () => {
  test('are the most frequent ones, with their numbers of decisions', async () => {
    const words = [
      { tokens: ['comum'], docs: 80 },
      { tokens: ['comun'], docs: 20 },
    ];
    await expect.poll(() => ask('comux').near, WAIT).toEqual([words]);
  });

  test('are not given for a word that the base has', async () => {
    await expect.poll(() => ask('comum'), WAIT).toMatchObject({ near: [null], is_whole: true });
  });

  test('are counted once if a doubled letter is one edit in two ways', async () => {
    await expect.poll(() => ask('asinado').near, WAIT).toEqual([[{ tokens: ['assinado'], docs: 20 }]]);
  });

  test('are none where a row of the dictionary is damaged, and the base stays usable', () => {
    const copy = join(folder, 'damaged.db');
    copyFileSync(baseFile(folder, 'stj'), copy);
    const db = new Database(copy);
    db.exec('UPDATE terms SET data = zeroblob(9) WHERE id % 2 = 0');
    db.close();
    const damaged = new Connector(copy, 'stj').connection();
    expect(near(damaged, requestFor(['comux']), snapshotOf(damaged))).toMatchObject({ is_whole: false });
    damaged.db.close();
  });

  test('are left out when the work is used up, and the reply is marked incomplete', () => {
    for (let at = 0; at < 10; at += 1) ask('comux');
    const names = WORDS.slice(0, 4_000).map((word) => `${word.slice(0, 3)}x${word.slice(4)}`);
    const reply = ask(...names);
    expect(reply.is_whole).toBe(false);
    expect(reply.near).toHaveLength(names.length);
    expect(reply.near.at(-1) ?? []).toEqual([]);
  });

  test('are kept for other searches with the same mistake, which have no work left for it', async () => {
    await expect.poll(() => ask('comux').is_whole, WAIT).toBe(true);
    const [kept] = ask('comux').near;
    const names = WORDS.slice(4_000).map((word) => `${word.slice(0, 3)}x${word.slice(4)}`);
    const reply = ask(...names, 'comux');
    expect(reply.is_whole).toBe(false);
    expect(reply.near.at(-1)).toEqual(kept);
  });

  test('are those of the base after a load', async () => {
    const other = temporaryFolder();
    const load = (ementa: string) => {
      loadLines(other, 'stj', [{ tipo: 'acordao', ementa }]);
    };
    load('comum');
    const whole = connection;
    connection = new Connector(baseFile(other, 'stj'), 'stj').connection();
    await expect.poll(() => ask('comux').near, WAIT).toEqual([[{ tokens: ['comum'], docs: 1 }]]);
    load('comus comum');
    await expect.poll(() => ask('comux').near[0]?.length, WAIT).toBe(2);
    load('comux');
    expect(ask('comux').near).toEqual([null]);
    connection.db.close();
    connection = whole;
  });
});
