import { expect, test } from 'vitest';
import { Budget, BudgetExceeded, workedMs } from '../../../src/index/read/budget.ts';

function budgetAt() {
  const time = { now: 1_000, worked: 50 };
  return {
    time,
    budget: new Budget(
      () => time.now,
      () => time.worked,
    ),
  };
}

test('a budget ends at its deadline, however little work was done', () => {
  const { time, budget } = budgetAt();
  budget.start(1_100, 20);
  time.now = 1_099;
  budget.check();
  time.now = 1_100;
  expect(() => budget.check()).toThrow(BudgetExceeded);
});

test('a budget ends when its work is used up, in which waiting for a processor does not count', () => {
  const { time, budget } = budgetAt();
  budget.start(2_000, 20);
  time.now = 1_500;
  time.worked = 69;
  budget.check();
  time.now = 1_501;
  time.worked = 71;
  expect(() => budget.check()).toThrow(BudgetExceeded);
});

test('each request of a batch begins with its full work', () => {
  const { time, budget } = budgetAt();
  budget.start(2_000, 20);
  time.now = 1_015;
  time.worked = 65;
  budget.start(2_000, 20);
  time.now = 1_034;
  time.worked = 84;
  budget.check();
  time.now = 1_036;
  time.worked = 86;
  expect(() => budget.check()).toThrow(BudgetExceeded);
});

test('without a limit of work only the deadline counts', () => {
  const { time, budget } = budgetAt();
  budget.start(2_000);
  time.now = 1_999;
  time.worked = 10_000;
  budget.check();
});

test('the work of a thread is its user and system CPU time', () => {
  const total = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1_000;
  };
  const before = total();
  const worked = workedMs();
  expect(worked).toBeGreaterThanOrEqual(before);
  expect(worked).toBeLessThanOrEqual(total());
});
