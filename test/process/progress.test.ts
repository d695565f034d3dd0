import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { showProgress } from '../../src/process/progress.ts';

const terminal = { isTTY: process.stderr.isTTY, columns: process.stderr.columns };
let written: string[];
let now: number;
beforeEach(() => {
  written = [];
  now = 0;
  vi.spyOn(performance, 'now').mockImplementation(() => now);
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => written.push(String(text)) > 0);
  Object.assign(process.stderr, { isTTY: true, columns: 80 });
});
afterEach(() => {
  vi.restoreAllMocks();
  Object.assign(process.stderr, terminal);
});

it('shows amount, total, rate and time left, each line replacing the last', () => {
  const progress = showProgress(1000, 'decisions');
  for (now = 2_000; now <= 4_000; now += 2_000) progress.update(now / 16, now / 8);
  progress.stop();
  expect(written).toEqual([
    `\r\u001B[K  ███${'░'.repeat(17)} 12% | 250 decisions | 125/s | 14 s left`,
    `\r\u001B[K  █████${'░'.repeat(15)} 25% | 500 decisions | 125/s | 12 s left`,
    '\r\u001B[K',
  ]);
});

it('shows no percentage of an unknown total', () => {
  const progress = showProgress(null, 'decisions');
  now = 2_000;
  progress.update(1, 10);
  expect(written).toEqual(['\r\u001B[K  10 decisions | 5/s']);
});

it('shows nothing for work under a second, and at most five lines a second', () => {
  const progress = showProgress(1000, 'decisions');
  for (now = 0; now < 1_000; now += 1) progress.update(now, now);
  progress.stop();
  expect(written).toEqual([]);
  for (now = 1_000; now < 2_000; now += 1) progress.update(now, now);
  expect(written).toHaveLength(5);
});

it('fits a line of the terminal', () => {
  process.stderr.columns = 30;
  const progress = showProgress(1000, 'decisions');
  now = 2_000;
  progress.update(500, 500);
  expect(written.join('').replace('\r\u001B[K', '').length).toBeLessThan(30);
});

it('shows nothing if standard error is no terminal', () => {
  process.stderr.isTTY = false;
  const progress = showProgress(1000, 'decisions');
  now = 2_000;
  progress.update(500, 500);
  progress.stop();
  expect(written).toEqual([]);
});
