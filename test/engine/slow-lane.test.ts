import { describe, expect, test } from 'vitest';
import type { BaseReply, BaseRequest } from '../../src/engine/messages.ts';
import { Mailbox, type Envelope } from '../../src/engine/mailbox.ts';
import { done, failed, type Outcome } from '../../src/engine/outcome.ts';
import { SlowLane } from '../../src/engine/slow-lane.ts';
import { coverFrom, readOf, searchFor } from '../support/requests.ts';
import { runningClock } from '../support/simulated-clock.ts';

type Message = { readonly request: BaseRequest };
const WAIT_MS = 300;
const PAGE: Outcome<BaseReply> = done({ kind: 'read', linhas: ['1'], generation: 1, decisoes: 1 });

function start(queueMax = 10) {
  const clock = runningClock();
  const lane = new SlowLane<Message>(clock, queueMax);
  const mailbox = new Mailbox<Message, BaseReply>(clock, 100);
  /** A request as the mailbox hands it out, and what its sender gets. */
  const request = (q: string) => {
    const answer = mailbox.ask({ request: searchFor(q) }, WAIT_MS);
    const [envelope] = mailbox.take(1);
    if (envelope === undefined) throw new Error('nothing in the mailbox');
    return { envelope, answer };
  };
  const put = (q: string) => {
    const { envelope, answer } = request(q);
    lane.put(envelope);
    return answer;
  };
  return { clock, lane, request, put };
}

/** Runs a request that never ends. */
function hold(lane: SlowLane<Message>, envelope: Envelope<Message, BaseReply> | undefined): void {
  if (envelope === undefined) throw new Error('nothing to run');
  void lane.run(envelope, () => Promise.withResolvers<null>().promise);
}

describe('the slow lane', () => {
  test.each([
    [1, 1],
    [2, 1],
    [3, 2],
    [8, 7],
  ])('of %i threads takes %i, and never the last of several', (threads, taken) => {
    const { lane, put } = start();
    for (let at = 0; at < 9; at += 1) void put(`dano ${at}`);
    for (let at = 0; at < taken; at += 1) hold(lane, lane.take(threads, 0));
    expect(lane.take(threads, 0)).toBeUndefined();
    expect(lane.size).toBe(9 - taken);
  });

  test('takes a single thread only while nothing cheap waits', () => {
    const { lane, put } = start();
    void put('dano');
    expect(lane.mayStart(1, 3)).toBe(false);
    expect(lane.take(1, 3)).toBeUndefined();
    expect(lane.mayStart(2, 3)).toBe(true);
    expect(lane.take(1, 0)).toBeDefined();
  });

  test('hands out in order those whose senders still wait', async () => {
    const { clock, lane, put } = start();
    const late = put('late');
    await clock.advance(WAIT_MS);
    void put('moral');
    void put('tutela');
    expect(await late).toEqual(failed('deadline'));
    const next = () => lane.take(8, 0)?.message.request;
    expect([next(), next(), next()]).toEqual([searchFor('moral'), searchFor('tutela'), undefined]);
  });

  test('refuses as overload what it has no room for, and a smaller bound drops none that wait', async () => {
    const { lane, put } = start(2);
    void put('a');
    void put('b');
    expect(await put('c')).toMatchObject({ failure: 'overloaded' });
    lane.sizeMax = 1;
    expect(lane.size).toBe(2);
    lane.sizeMax = 3;
    void put('d');
    expect(lane.size).toBe(3);
  });

  test('is late when it is full, or when its first request has waited for a third of its time', async () => {
    const { clock, lane, put } = start(2);
    expect(lane.isLate).toBe(false);
    void put('a');
    await clock.advance(WAIT_MS / 3);
    expect(lane.isLate).toBe(false);
    await clock.advance(1);
    expect(lane.isLate).toBe(true);
    await clock.advance(WAIT_MS);
    expect(lane.isLate).toBe(false);
    void put('b');
    void put('c');
    expect(lane.isLate).toBe(true);
  });

  test('takes slices of the coverage and searches that were cut short, for a minute, and no reads', async () => {
    const { clock, lane, request } = start();
    // At 0 the library takes an entry for one without an age.
    await clock.advance(1);
    expect(lane.takes(coverFrom(0, 10))).toBe(true);
    expect(lane.takes(searchFor('dano'))).toBe(false);
    lane.putCutShort(request('dano').envelope, failed('deadline'), 2);
    expect(lane.size).toBe(1);
    expect(lane.takes(searchFor('dano', { numeros_max: 3, rows_max: 2 }))).toBe(true);
    expect(lane.takes(searchFor('dano', { ordem: 'relevancia' }))).toBe(false);
    expect(lane.takes(searchFor('dano', { filtro: { ...searchFor('x').filtro, tipo: 'sumula' } }))).toBe(
      false,
    );
    expect(lane.takes(searchFor('moral'))).toBe(false);
    expect(lane.takes(readOf([1]))).toBe(false);
    await clock.advance(60_001);
    expect(lane.takes(searchFor('dano'))).toBe(false);
  });

  test.each([
    ['recentes' as const, 20],
    ['relevancia' as const, 10],
  ])('forgets a search by %s that took no longer than a first try, of %i ms', async (ordem, limitMs) => {
    const { clock, lane, request } = start();
    for (const [ms, isExpensive] of [
      [limitMs + 1, true],
      [limitMs, false],
    ] as const) {
      const { envelope } = request('dano');
      const expensive = { ...envelope, message: { request: searchFor('dano', { ordem }) } };
      lane.putCutShort(expensive, failed('deadline'), 2);
      const taken = lane.take(2, 0)!;
      const { promise, resolve } = Promise.withResolvers<Outcome<BaseReply>>();
      const run = lane.run(taken, () => promise);
      await clock.advance(ms);
      resolve(PAGE);
      await run;
      expect(lane.takes(expensive.message.request)).toBe(isExpensive);
    }
  });

  test('counts what lacks only its count while it is free, and else gives the page at once', async () => {
    const { lane, request, put } = start();
    const free = request('a');
    lane.putCutShort(free.envelope, PAGE, 2);
    expect(lane.size).toBe(1);
    const behind = request('b');
    lane.putCutShort(behind.envelope, PAGE, 2);
    expect(await behind.answer).toEqual(PAGE);
    hold(lane, lane.take(2, 0));
    const beside = request('c');
    lane.putCutShort(beside.envelope, PAGE, 2);
    expect(await beside.answer).toEqual(PAGE);
    expect(lane.takes(searchFor('a'))).toBe(false);
    void put('d');
    expect(lane.size).toBe(1);
  });
});
