import { describe, expect, test } from 'vitest';
import { ThreadCount } from '../../src/engine/thread-count.ts';
import { settle } from '../support/simulated-clock.ts';

function start(threads: number) {
  const wanted: number[] = [];
  const open: { resolve: (inForce: number) => void; reject: (error: Error) => void }[] = [];
  let changes = 0;
  const port = {
    resize: (count: number) => {
      wanted.push(count);
      const { promise, resolve, reject } = Promise.withResolvers<number>();
      open.push({ resolve, reject });
      return promise;
    },
  };
  const count = new ThreadCount(port, threads, () => (changes += 1));
  return { count, wanted, open, changes: () => changes };
}

describe('the number of threads', () => {
  test('falls before the port has fewer, and rises after it has more', async () => {
    const { count, open } = start(4);
    const fewer = count.change(2);
    await settle();
    expect(count.current).toBe(2);
    open[0]?.resolve(2);
    expect(await fewer).toBe(2);
    const more = count.change(8);
    await settle();
    expect(count.current).toBe(2);
    open[1]?.resolve(8);
    expect(await more).toBe(8);
    expect(count.current).toBe(8);
  });

  test('is what the port says, also where that is the one of before', async () => {
    const { count, open, changes } = start(4);
    const changed = count.change(2);
    await settle();
    open[0]?.resolve(4);
    expect(await changed).toBe(4);
    expect(count.current).toBe(4);
    expect(changes()).toBe(1);
  });

  test('is as before when the port throws, and the next change goes through', async () => {
    const { count, open, changes } = start(4);
    const failing = count.change(2);
    const next = count.change(3);
    await settle();
    open[0]?.reject(new Error('no memory'));
    await expect(failing).rejects.toThrow('no memory');
    open[1]?.resolve(3);
    expect(await next).toBe(3);
    expect(changes()).toBe(2);
  });

  test('changes once at a time', async () => {
    const { count, wanted, open } = start(2);
    void count.change(3);
    void count.change(4);
    await settle();
    expect(wanted).toEqual([3]);
    open[0]?.resolve(3);
    await settle();
    expect(wanted).toEqual([3, 4]);
  });

  test('stays where the port cannot change it, and once it is closed', async () => {
    const fixed = new ThreadCount({}, 2, () => undefined);
    expect(await fixed.change(5)).toBe(2);
    const { count, wanted } = start(2);
    count.close();
    expect(await count.change(5)).toBe(2);
    expect(wanted).toEqual([]);
  });
});
