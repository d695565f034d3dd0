import { describe, expect, test } from 'vitest';
import { Ledger, ASKERS_MAX } from '../../src/engine/ledger.ts';

describe('the ledger of work', () => {
  test('returns work that was charged in advance and not done', () => {
    const ledger = new Ledger();
    ledger.charge(7, 50);
    ledger.charge(7, -40);
    expect(ledger.spentBy(7)).toBe(10);
  });

  test('remembers a bounded number of askers', () => {
    const ledger = new Ledger();
    for (let asker = 0; asker < 3 * ASKERS_MAX; asker += 1) ledger.charge(asker, 1);
    expect(ledger.size).toBeLessThanOrEqual(ASKERS_MAX);
    ledger.serve(3 * ASKERS_MAX - 1);
    ledger.charge(1, 0);
    expect(ledger.size).toBeLessThanOrEqual(ASKERS_MAX);
  });
});
