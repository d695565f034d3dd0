import { describe, expect, test } from 'vitest';
import { Mailbox } from '../../src/engine/mailbox.ts';
import { done } from '../../src/engine/outcome.ts';
import { runningClock } from '../support/simulated-clock.ts';

describe('a mailbox', () => {
  test('answers deadline when nobody has replied in the time limit', async () => {
    const clock = runningClock();
    const mailbox = new Mailbox<string, string>(clock, 10);
    const answer = mailbox.ask('a', 100);
    await clock.advance(100);
    expect(await answer).toEqual({ ok: false, failure: 'deadline' });
  });

  test('refuses at once, as overload, what it has no place for', async () => {
    const mailbox = new Mailbox<string, string>(runningClock(), 2);
    void mailbox.ask('a', 100);
    void mailbox.ask('b', 100);
    expect(await mailbox.ask('c', 100)).toMatchObject({ ok: false, failure: 'overloaded' });
  });

  test('gives the place of an expired message to a new one', async () => {
    const clock = runningClock();
    const mailbox = new Mailbox<string, string>(clock, 1);
    void mailbox.ask('a', 100);
    await clock.advance(100);
    void mailbox.ask('b', 100);
    expect(mailbox.take(10).map(({ message }) => message)).toEqual(['b']);
  });

  test('says how much of its time the first message has spent, of those whose senders still wait', async () => {
    const clock = runningClock();
    const mailbox = new Mailbox<string, string>(clock, 10);
    expect(mailbox.spent).toBe(0);
    void mailbox.ask('soon over', 50);
    void mailbox.ask('b', 200);
    await clock.advance(40);
    expect(mailbox.spent).toBeCloseTo(0.8);
    await clock.advance(10);
    expect(mailbox.spent).toBeCloseTo(0.25);
  });

  test('hands messages out in order, without those whose senders have given up', async () => {
    const clock = runningClock();
    const mailbox = new Mailbox<string, string>(clock, 10);
    void mailbox.ask('late', 50);
    void mailbox.ask('b', 100);
    void mailbox.ask('c', 100);
    await clock.advance(60);
    expect(mailbox.take(1).map(({ message }) => message)).toEqual(['b']);
    expect(mailbox.take(5).map(({ message }) => message)).toEqual(['c']);
  });

  test('answers abandoned as soon as its sender goes away, and hands that message to nobody', async () => {
    const clock = runningClock();
    const mailbox = new Mailbox<string, string>(clock, 10);
    const sender = new AbortController();
    const waiting = mailbox.ask('waiting', 100, sender.signal);
    const taken = mailbox.ask('taken', 100, sender.signal);
    const [first] = mailbox.take(1);
    void mailbox.ask('other', 100);
    sender.abort();
    first?.reply(done('too late'));
    const abandoned = { ok: false, failure: 'abandoned' };
    expect(await Promise.all([waiting, taken])).toEqual([abandoned, abandoned]);
    expect(mailbox.take(5).map(({ message }) => message)).toEqual(['other']);
    expect(await mailbox.ask('again', 100, sender.signal)).toEqual(abandoned);
    expect(mailbox.size).toBe(0);
  });

  test('lets the first answer stand, whatever comes after it', async () => {
    const clock = runningClock();
    const mailbox = new Mailbox<string, string>(clock, 10);
    const answer = mailbox.ask('a', 100);
    const [envelope] = mailbox.take(1);
    envelope?.reply(done('first'));
    envelope?.reply(done('second'));
    await clock.advance(200);
    expect(await answer).toEqual(done('first'));
  });
});
