import { describe, expect, test } from 'vitest';
import { Askers } from '../../src/search/askers.ts';
import { runningClock, settle } from '../support/simulated-clock.ts';

function start() {
  const clock = runningClock();
  const askers = new Askers(clock, 2);
  const entered: string[] = [];
  const enter = (name: string, asker: number, abandoned?: AbortSignal) => {
    const turn = askers.enter(asker, 500, abandoned);
    if (turn === null) entered.push(name);
    else void turn.then(() => entered.push(name));
    return settle();
  };
  const leave = (asker: number) => {
    askers.leave(asker);
    return settle();
  };
  return { clock, askers, entered, enter, leave };
}

describe('the searches of a key', () => {
  test('all run at once while no other key searches', async () => {
    const { entered, enter } = start();
    for (const name of ['a', 'b', 'c', 'd']) await enter(name, 7);
    expect(entered).toEqual(['a', 'b', 'c', 'd']);
  });

  test('beyond a few wait for earlier ones of the key while another key searches, oldest first', async () => {
    const { askers, entered, enter, leave } = start();
    await enter('other', 8);
    for (const name of ['a', 'b', 'c', 'd', 'e']) await enter(name, 7);
    await enter('another', 9);
    expect(entered).toEqual(['other', 'a', 'b', 'another']);
    expect(askers.waiting).toEqual({ searches: 3, askers: 1 });
    await leave(8);
    expect(entered).toHaveLength(4);
    await leave(7);
    expect(entered.at(-1)).toBe('c');
    await leave(7);
    expect(askers.waiting).toEqual({ searches: 1, askers: 1 });
    await leave(7);
    expect(entered.slice(4)).toEqual(['c', 'd', 'e']);
  });

  test('beyond a few wait even if more of them began before another key searched', async () => {
    const { askers, entered, enter, leave } = start();
    for (const name of ['a', 'b', 'c', 'd', 'e']) await enter(name, 7);
    await enter('other', 8);
    for (const name of ['f', 'g', 'h', 'i', 'j']) await enter(name, 7);
    for (let at = 0; at < 3; at += 1) await leave(7);
    expect(entered).toEqual(['a', 'b', 'c', 'd', 'e', 'other']);
    await leave(7);
    expect(entered.at(-1)).toBe('f');
    expect(askers.waiting).toEqual({ searches: 4, askers: 1 });
  });

  test('never wait past their limit, nor after their client has left', async () => {
    const { clock, entered, enter } = start();
    await enter('other', 8);
    const gone = new AbortController();
    for (const name of ['a', 'b', 'c']) await enter(name, 7);
    await enter('d', 7, gone.signal);
    expect(entered).toEqual(['other', 'a', 'b']);
    gone.abort();
    await settle();
    expect(entered.at(-1)).toBe('d');
    await clock.advance(500);
    expect(entered.at(-1)).toBe('c');
  });

  test('that wait all run once no other key searches', async () => {
    const { clock, askers, entered, enter, leave } = start();
    await enter('other', 8);
    for (const name of ['a', 'b']) await enter(name, 7);
    await leave(8);
    await clock.advance(900);
    for (const name of ['c', 'd', 'e']) await enter(name, 7);
    expect(entered).toHaveLength(3);
    await clock.advance(200);
    await leave(7);
    expect(entered).toEqual(['other', 'a', 'b', 'c', 'd', 'e']);
    expect(askers.size).toBe(1);
  });

  test('beyond a few wait as long as a search of another key runs', async () => {
    const { clock, entered, enter } = start();
    await enter('other', 8);
    await clock.advance(1_500);
    for (const name of ['a', 'b', 'c']) await enter(name, 7);
    expect(entered).toEqual(['other', 'a', 'b']);
  });

  test('of a thousand keys leave nothing in memory', async () => {
    const { clock, askers, entered, enter, leave } = start();
    for (let asker = 1; asker <= 1_000; asker += 1) {
      for (const name of ['a', 'b', 'c']) await enter(name, asker);
      for (let at = 0; at < 3; at += 1) await leave(asker);
    }
    expect(entered).toHaveLength(3_000);
    await clock.advance(2_000);
    await enter('last', 1);
    await enter('last', 1);
    await enter('last', 1);
    expect(askers.size).toBe(1);
  });
});
