import { expect, test } from 'vitest';
import { done, failed } from '../../src/engine/outcome.ts';
import { StepTimer } from '../../src/engine/steps.ts';
import { readOf } from '../support/requests.ts';

const REPLY = done({ kind: 'read' as const, rows: [], generation: 1, docs: 1 });

test('a request’s run time is the sum of its times at the port; the rest is queue time', () => {
  const timer = new StepTimer('tst', readOf([1]), 1_000);
  timer.run(1_010);
  timer.stop(1_030);
  timer.run(1_045);
  timer.end(REPLY, 1_060);
  expect(timer.step).toMatchObject({ startedAt: 1_000, runMs: 35, queueMs: 25, outcome: 'ok' });
});

test('work of the port after a request’s deadline is not counted', () => {
  const timer = new StepTimer('tst', readOf([1]), 1_000);
  timer.run(1_010);
  timer.end(failed('deadline'), 1_100);
  timer.stop(1_500);
  expect(timer.step).toMatchObject({ runMs: 90, queueMs: 10, outcome: 'deadline' });
});
