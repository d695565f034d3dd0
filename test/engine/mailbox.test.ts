import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Clock } from '../../src/clock.ts';
import type { Asker } from '../../src/engine/asker.ts';
import { Mailbox } from '../../src/engine/mailbox.ts';
import { done, type Outcome } from '../../src/engine/outcome.ts';
import { runningClock } from '../support/simulated-clock.ts';

/** A mailbox that takes a time limit in place of a deadline. */
class Inbox<Message, Reply> extends Mailbox<Message, Reply> {
  readonly #clock: Clock;

  constructor(...given: ConstructorParameters<typeof Mailbox>) {
    super(...given);
    [this.#clock] = given;
  }

  override ask(message: Message, limitMs: number, asker?: Asker): Promise<Outcome<Reply>> {
    return super.ask(message, this.#clock.now() + limitMs, asker);
  }
}

/** All waiting messages, taken four at a time. */
function batches(mailbox: Mailbox<string, string>): string[][] {
  const taken: string[][] = [];
  while (mailbox.size > 0) taken.push(mailbox.take(4).map(({ message }) => message));
  return taken;
}

describe('a mailbox', () => {
  test('answers deadline for a message without a reply in its time', async () => {
    const clock = runningClock();
    const mailbox = new Inbox<string, string>(clock, 10);
    const answer = mailbox.ask('a', 100);
    await clock.advance(100);
    expect(await answer).toEqual({ ok: false, failure: 'deadline' });
  });

  test('is congested for an asker whose oldest message has waited for a third of its time while another was answered', async () => {
    const clock = runningClock();
    const mailbox = new Inbox<string, string>(clock, 10);
    void mailbox.ask('soon over', 50, { id: 7 });
    void mailbox.ask('b', 300, { id: 7 });
    void mailbox.ask('c', 1_000, { id: 8 });
    await clock.advance(50);
    expect(mailbox.isCongestedFor(7, clock.now())).toBe(false);
    await clock.advance(51);
    const isCongested = (id: number, answeredMsAgo: number) =>
      mailbox.isCongestedFor(id, clock.now() - answeredMsAgo);
    expect([7, 8, 9].map((id) => isCongested(id, 99))).toEqual([true, false, false]);
    expect(isCongested(7, 100)).toBe(false);
  });

  test('answers abandoned as soon as the sender leaves, and never hands out that message', async () => {
    const clock = runningClock();
    const mailbox = new Inbox<string, string>(clock, 10);
    const sender = new AbortController();
    const waiting = mailbox.ask('waiting', 100, { abandoned: sender.signal });
    const taken = mailbox.ask('taken', 100, { abandoned: sender.signal });
    const [first] = mailbox.take(1);
    void mailbox.ask('other', 100);
    sender.abort();
    first?.reply(done('too late'));
    const abandoned = { ok: false, failure: 'abandoned' };
    expect(await Promise.all([waiting, taken])).toEqual([abandoned, abandoned]);
    expect(mailbox.take(5).map(({ message }) => message)).toEqual(['other']);
    expect(await mailbox.ask('again', 100, { abandoned: sender.signal })).toEqual(abandoned);
    expect(mailbox.size).toBe(0);
  });

  test('keeps the first answer to a message', async () => {
    const clock = runningClock();
    const mailbox = new Inbox<string, string>(clock, 10);
    const answer = mailbox.ask('a', 100);
    const [envelope] = mailbox.take(1);
    envelope?.reply(done('first'));
    envelope?.reply(done('second'));
    await clock.advance(200);
    expect(await answer).toEqual(done('first'));
  });

  test('takes turns among askers, each in order, with an equal part of a batch while others wait', () => {
    const mailbox = new Inbox<string, string>(runningClock(), 10);
    for (const message of ['a1', 'a2', 'a3', 'a4', 'a5']) void mailbox.ask(message, 100, { id: 7 });
    for (const message of ['b1', 'b2', 'b3']) void mailbox.ask(message, 100, { id: 8 });
    expect(batches(mailbox)).toEqual([['a1', 'b1', 'a2', 'b2'], ['a3', 'b3', 'a4'], ['a5']]);
  });

  test('serves first the asker with the least recent work, however many others wait', () => {
    const mailbox = new Inbox<string, string>(runningClock(), 10);
    const put = (message: string, id: number) => void mailbox.ask(message, 100, { id });
    put('heavy', 7);
    const [heavy] = mailbox.take(1);
    if (heavy !== undefined) mailbox.settle(heavy, 30);
    put('heavy again', 7);
    for (const at of [1, 2, 3, 4]) put(`light ${at}`, 8);
    expect(batches(mailbox)).toEqual([
      ['light 1', 'light 2'],
      ['light 3', 'light 4', 'heavy again'],
    ]);
  });

  test('is full only for the asker with the most messages: another asker’s message replaces its latest', async () => {
    const clock = runningClock();
    const mailbox = new Inbox<string, string>(clock, 3);
    const flood = [1, 2, 3].map((at) => mailbox.ask(`a${at}`, 100, { id: 7 }));
    expect([7, 8].map((id) => mailbox.isCongestedFor(id, clock.now()))).toEqual([true, false]);
    expect(await mailbox.ask('a4', 100, { id: 7 })).toMatchObject({ failure: 'overloaded' });
    void mailbox.ask('b', 100, { id: 8 });
    expect(await flood[2]).toMatchObject({ failure: 'overloaded' });
    // Now both askers have an equal number of messages.
    expect(await mailbox.ask('b2', 100, { id: 8 })).toMatchObject({ failure: 'overloaded' });
    expect(batches(mailbox)).toEqual([['a1', 'b', 'a2']]);
  });

  test('puts a returned message before the other messages of its asker', () => {
    const mailbox = new Inbox<string, string>(runningClock(), 3);
    for (const message of ['a', 'b', 'c']) void mailbox.ask(message, 100);
    mailbox.putBack(mailbox.take(2));
    expect(mailbox.size).toBe(3);
    expect(mailbox.take(10).map(({ message }) => message)).toEqual(['a', 'b', 'c']);
  });

  test('serves a thousand askers, and keeps nothing of those who have left', async () => {
    const clock = runningClock();
    const mailbox = new Inbox<number, number>(clock, 2_000);
    const answers = Array.from({ length: 1_000 }, (_, id) => mailbox.ask(id, 100, { id }));
    for (const one of mailbox.take(500)) one.reply(done(1));
    await clock.advance(100);
    expect(mailbox.take(10)).toEqual([]);
    expect(mailbox.size).toBe(0);
    const outcomes = await Promise.all(answers);
    expect(outcomes.filter(({ ok }) => ok)).toHaveLength(500);
  });

  test('makes no asker wait for more than twice the costliest request of each other', () => {
    const most = 100;
    const action = fc.oneof(
      fc.record({ put: fc.integer({ min: 1, max: 12 }) }),
      fc.record({ cost: fc.integer({ min: 0, max: most }) }),
    );
    fc.assert(
      fc.property(fc.array(action, { maxLength: 400, size: 'max' }), (actions) => {
        const mailbox = new Inbox<string, string>(runningClock(), 1_000);
        const count = new Map<number, number>();
        /** For each waiting asker: the work done for each other asker since its latest turn. */
        const waited = new Map<number, Map<number, number>>();
        for (const one of actions) {
          if ('put' in one) {
            void mailbox.ask('a', 100, { id: one.put });
            count.set(one.put, (count.get(one.put) ?? 0) + 1);
            if (!waited.has(one.put)) waited.set(one.put, new Map());
            continue;
          }
          const [envelope] = mailbox.take(1);
          if (envelope === undefined) continue;
          const { asker } = envelope;
          mailbox.settle(envelope, one.cost);
          count.set(asker, (count.get(asker) ?? 0) - 1);
          if (count.get(asker) === 0) waited.delete(asker);
          else waited.set(asker, new Map());
          for (const [other, had] of waited) {
            if (other !== asker) had.set(asker, (had.get(asker) ?? 0) + one.cost);
            for (const work of had.values()) expect(work).toBeLessThanOrEqual(2 * most);
          }
        }
      }),
      { numRuns: 100 },
    );
  });
});
