import { availableParallelism } from 'node:os';
import { describe, expect, test } from 'vitest';
import { ExpensiveWork, expensiveAtOnce, type ExpensiveQueue } from '../../src/engine/expensive-work.ts';
import { settle } from '../support/simulated-clock.ts';

const LIMIT_MS = 1_000;

function start(atOnce: number) {
  const work = new ExpensiveWork(atOnce);
  const running: { name: string; end: () => void }[] = [];
  /** A base with a request of each of these askers, deadlines in their order. */
  const queue = (name: string, askers: number[], limitMs = LIMIT_MS): ExpensiveQueue => {
    const added: ExpensiveQueue = {
      next: () => {
        const [asker] = askers;
        return asker === undefined
          ? null
          : { spent: work.ledger.spentBy(asker), deadline: limitMs - askers.length };
      },
      start: () => {
        const asker = askers.shift() ?? 0;
        work.ledger.serve(asker);
        work.ledger.charge(asker, 10);
        const { promise, resolve } = Promise.withResolvers<undefined>();
        running.push({
          name: `${name} ${asker}`,
          end: () => {
            resolve(undefined);
          },
        });
        return promise;
      },
    };
    work.add(added);
    return added;
  };
  const names = () => running.map(({ name }) => name);
  return { work, queue, running, names };
}

describe('expensive work', () => {
  test('of all bases runs up to the limit, one search completed before the next', async () => {
    const { work, queue, running, names } = start(2);
    queue('tst', [7, 7]);
    queue('stj', [7, 7]);
    queue('stf', [7], LIMIT_MS - 1);
    expect(work.isFree).toBe(false);
    work.drain();
    expect(names()).toEqual(['tst 7', 'stj 7']);
    for (const one of running) one.end();
    await settle();
    expect(names().slice(2)).toEqual(['stf 7', 'tst 7']);
  });

  test('runs more at once as soon as the limit is raised', () => {
    const { work, queue, names } = start(1);
    queue('tst', [7, 7, 7]);
    work.drain();
    expect(names()).toHaveLength(1);
    work.atOnce = 3;
    expect(names()).toHaveLength(3);
  });

  test('takes turns among askers across bases', async () => {
    const { work, queue, running, names } = start(1);
    queue('tst', [7, 7, 7]);
    queue('stj', [7, 8, 8]);
    work.drain();
    while (running.length < 6) {
      running.at(-1)?.end();
      await settle();
    }
    expect(names()).toEqual(['tst 7', 'stj 7', 'stj 8', 'tst 7', 'stj 8', 'tst 7']);
  });

  test('runs one request fewer than there are processors, at least one, unless set otherwise', () => {
    expect(expensiveAtOnce(3)).toBe(3);
    expect(expensiveAtOnce(0)).toBe(Math.max(1, availableParallelism() - 1));
  });
});
