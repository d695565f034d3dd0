import { describe, expect, test } from 'vitest';
import type { BaseRequest } from '../../src/engine/messages.ts';
import { done, failed } from '../../src/engine/outcome.ts';
import type { BasePort, Outcomes, PortStatus } from '../../src/engine/port.ts';
import { ResizablePort } from '../../src/engine/resizable-port.ts';
import { readOf } from '../support/requests.ts';
import { settle } from '../support/simulated-clock.ts';

/** A pool of some size: trials are answered as it is told to, other batches when the test says so. */
class FakePool implements BasePort {
  readonly threads: number;
  isUp = true;
  isHeld = false;
  isClosed = false;
  readonly batches: (() => void)[] = [];
  #trials: (() => void)[] = [];
  leftBehind = 0;
  restarts = 0;

  constructor(threads: number) {
    this.threads = threads;
  }

  run(batch: readonly BaseRequest[]): Promise<Outcomes> {
    const { promise, resolve } = Promise.withResolvers<Outcomes>();
    const answer = () => {
      const outcome = this.isUp
        ? done({
            kind: 'read' as const,
            rows: [String(this.threads)],
            generation: 1,
            docs: 1,
          })
        : failed('unavailable', 'down');
      resolve(batch.map(() => outcome));
    };
    const isTrial = batch.every((request) => request.kind === 'read' && request.doc_ids.length === 0);
    if (!isTrial) this.batches.push(answer);
    else if (this.isHeld) this.#trials.push(answer);
    else answer();
    return promise;
  }

  get waitingTrials(): number {
    return this.#trials.length;
  }

  load(): void {
    this.isHeld = false;
    for (const answer of this.#trials.splice(0)) answer();
  }

  status(): PortStatus {
    return {
      threads: this.threads,
      threads_busy: 0,
      threads_left_behind: this.leftBehind,
      restarts: this.restarts,
    };
  }

  close(): Promise<void> {
    this.isClosed = true;
    return Promise.resolve();
  }
}

function start(threads: number, prepare: (pool: FakePool) => void = () => undefined) {
  const pools: FakePool[] = [];
  const port = new ResizablePort(threads, (count) => {
    const pool = new FakePool(count);
    prepare(pool);
    pools.push(pool);
    return pool;
  });
  return { port, pools };
}

const row = (outcomes: Outcomes) => {
  const [outcome] = outcomes;
  return outcome?.ok === true && outcome.value.kind === 'read' ? outcome.value.rows[0] : outcome;
};

describe('a port that can be resized', () => {
  test('lets the old pool answer what it has begun, and closes it only then', async () => {
    const { port, pools } = start(2);
    const begun = port.run([readOf([1])]);
    expect(await port.resize(4)).toBe(4);
    const next = port.run([readOf([2])]);
    expect(pools.map(({ batches }) => batches.length)).toEqual([1, 1]);
    expect(pools[0]?.isClosed).toBe(false);
    pools[0]?.batches[0]?.();
    pools[1]?.batches[0]?.();
    expect(row(await begun)).toBe('2');
    expect(row(await next)).toBe('4');
    await settle();
    expect(pools.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  test('gives batches to the old pool until the new one has loaded', async () => {
    const { port, pools } = start(1, (pool) => {
      pool.isHeld = pool.threads === 3;
    });
    const resized = port.resize(3);
    await settle();
    void port.run([readOf([1])]);
    expect(pools.map(({ batches }) => batches.length)).toEqual([1, 0]);
    pools[1]?.load();
    expect(await resized).toBe(3);
    void port.run([readOf([2])]);
    expect(pools.map(({ batches }) => batches.length)).toEqual([1, 1]);
  });

  test('starts threads one after the other: each is asked for once those before it have answered', async () => {
    const { port, pools } = start(1, (pool) => {
      pool.isHeld = pool.threads === 4;
    });
    const resized = port.resize(4);
    const asked: number[] = [];
    for (let thread = 1; thread <= 4; thread += 1) {
      await settle();
      asked.push(pools[1]!.waitingTrials);
      pools[1]!.load();
      pools[1]!.isHeld = true;
    }
    expect(asked).toEqual([1, 2, 3, 4]);
    expect(await resized).toBe(4);
    await port.close();
  });

  test('keeps the old pool when a thread of the new one does not start after its first', async () => {
    const { port, pools } = start(1, (pool) => {
      pool.isHeld = pool.threads === 3;
    });
    const resized = port.resize(3);
    await settle();
    pools[1]!.load();
    pools[1]!.isUp = false;
    await settle();
    expect(await resized).toBe(1);
    expect(pools.map(({ isClosed }) => isClosed)).toEqual([false, true]);
  });

  test('keeps the old pool when the new one does not start and the old one answers', async () => {
    const { port, pools } = start(2, (pool) => {
      pool.isUp = pool.threads === 2;
    });
    expect(await port.resize(64)).toBe(2);
    expect(port.status().threads).toBe(2);
    expect(pools.map(({ isClosed }) => isClosed)).toEqual([false, true]);
  });

  test('takes the new size while the base is down, so that it comes up with it', async () => {
    const { port, pools } = start(2, (pool) => {
      pool.isUp = false;
    });
    expect(await port.resize(3)).toBe(3);
    await settle();
    expect(pools.map(({ isClosed }) => isClosed)).toEqual([true, false]);
  });

  test('makes two changes one after the other, and ends where the second one says', async () => {
    const { port, pools } = start(2);
    expect(await Promise.all([port.resize(4), port.resize(1), port.resize(1)])).toEqual([4, 1, 1]);
    await settle();
    expect(pools.map(({ threads, isClosed }) => [threads, isClosed])).toEqual([
      [2, true],
      [4, true],
      [1, false],
    ]);
  });

  test('goes on counting the restarts of pools that are gone, and the threads that those have left behind', async () => {
    const { port, pools } = start(2);
    const begun = port.run([readOf([1])]);
    pools[0]!.restarts = 3;
    pools[0]!.leftBehind = 1;
    await port.resize(1);
    pools[1]!.restarts = 1;
    expect(port.status()).toMatchObject({ threads: 1, threads_left_behind: 1, restarts: 4 });
    pools[0]?.batches[0]?.();
    await begun;
    await settle();
    expect(port.status()).toMatchObject({ threads: 1, threads_left_behind: 0, restarts: 4 });
  });

  test('closes every pool when it is closed during a change, and swaps none', async () => {
    const { port, pools } = start(1, (pool) => {
      pool.isHeld = pool.threads === 3;
    });
    const resized = port.resize(3);
    await settle();
    // The new pool never loads, and nobody waits for it.
    const since = performance.now();
    const closed = port.close();
    expect(await resized).toBe(1);
    await closed;
    expect(performance.now() - since).toBeLessThan(8_000);
    expect(pools.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  test('closes every pool when it is closed while it looks whether the old one answers', async () => {
    const { port, pools } = start(1, (pool) => {
      pool.isHeld = pool.threads === 1;
      pool.isUp = false;
    });
    const resized = port.resize(3);
    await settle();
    await port.close();
    expect(await resized).toBe(1);
    expect(pools.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });

  test('keeps the old pool when a new one cannot be made, and makes the next', async () => {
    const { port, pools } = start(1, (pool) => {
      if (pool.threads === 64) throw new Error('no memory');
    });
    await expect(port.resize(64)).rejects.toThrow('no memory');
    expect(port.status().threads).toBe(1);
    expect(await port.resize(2)).toBe(2);
    await port.close();
    expect(pools.map(({ isClosed }) => isClosed)).toEqual([true, true]);
  });
});
