import { describe, expect, test } from 'vitest';
import { Gathering } from '../../src/engine/gathering.ts';
import { SimulatedClock } from '../support/simulated-clock.ts';

function start() {
  const clock = new SimulatedClock();
  const over: number[] = [];
  const gathering = new Gathering(clock, () => over.push(clock.now()));
  return { clock, gathering, over };
}

describe('gathering', () => {
  test('is on while a batch has run for less than 5 ms', async () => {
    const { clock, gathering } = start();
    expect(gathering.isOn(1)).toBe(false);
    gathering.begin();
    expect(gathering.isOn(1)).toBe(true);
    await clock.advance(4);
    expect(gathering.isOn(1)).toBe(true);
    await clock.advance(1);
    expect(gathering.isOn(1)).toBe(false);
  });

  test('ends with the last batch, and counts from the latest one', async () => {
    const { clock, gathering } = start();
    gathering.begin();
    await clock.advance(5);
    gathering.begin();
    expect(gathering.isOn(1)).toBe(true);
    gathering.end();
    expect(gathering.isOn(1)).toBe(true);
    gathering.end();
    expect(gathering.isOn(1)).toBe(false);
  });

  test('calls back once when it is over, if anything waits', async () => {
    const { clock, gathering, over } = start();
    gathering.begin();
    gathering.isOn(0);
    await clock.advance(2);
    gathering.isOn(1);
    gathering.isOn(2);
    await clock.advance(10);
    expect(over).toEqual([5]);
  });

  test('calls back for a request that waits alone', async () => {
    const { clock, gathering, over } = start();
    gathering.begin();
    gathering.isOn(1);
    await clock.advance(10);
    expect(over).toEqual([5]);
  });

  test('calls nobody back when the batch ends first', async () => {
    const { clock, gathering, over } = start();
    gathering.begin();
    gathering.isOn(1);
    gathering.end();
    await clock.advance(10);
    expect(over).toEqual([]);
  });
});
