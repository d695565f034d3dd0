import { describe, expect, test, vi } from 'vitest';
import { Batches, type SourceRecord } from '../../src/ingest/batches.ts';
import type { LineBatch } from '../../src/ingest/record-maker.ts';
import type { RecordBatch } from '../../src/index/write/record-batch.ts';

/** Batches whose worker waits until it is let go; everything prepared is a rejected line. */
function start() {
  const held = Promise.withResolvers<null>();
  const rejected: (number | string)[] = [];
  const recordsOf = async ({ lines }: LineBatch): Promise<RecordBatch> => {
    await held.promise;
    return {
      items: lines.map(() => 'none of ours'),
      unusedDates: [],
      fullTexts: [],
      texts: { words: [], restarts: false },
    };
  };
  const batches = new Batches({
    writer: { write: () => undefined },
    recordsOf,
    now: () => new Date(0),
    rejects: { add: ({ place }: { place: number | string }) => rejected.push(place) } as never,
  });
  return { batches, rejected, letGo: () => held.resolve(null) };
}

/** @param kept characters that are kept next to the line. */
function entryOf(place: number, characters: number, kept: number): SourceRecord {
  const linha = ' '.repeat(characters);
  const item = {
    kind: 'linha',
    linha,
    isTextoCut: false,
    extras: null,
    raw: { text: () => linha, size: kept },
  };
  return { file: 'x', place, format: {}, item } as unknown as SourceRecord;
}

describe('records on their way into a base', () => {
  test.each([
    ['long', 100_000, 0, 94],
    ['short', 2, 0, 16_768],
    ['short, of which much is kept,', 2, 100_000, 94],
    ['longer than all that may be on its way', 10_000_000, 0, 1],
  ])('are read ahead of the writer up to a bound, %s ones too', async (_, characters, kept, most) => {
    const { batches, rejected, letGo } = start();
    let added = 0;
    let isHeld = false;
    for (let place = 1; !isHeld; place += 1) {
      const adding = batches.add(entryOf(place, characters, kept)).then(() => (added += 1));
      isHeld = await Promise.race([adding.then(() => false), settled().then(() => true)]);
    }
    expect(added).toBeLessThanOrEqual(most);
    expect(added).toBeGreaterThanOrEqual(Math.floor(most * 0.85));
    letGo();
    await batches.end();
    expect(rejected).toEqual(Array.from({ length: rejected.length }, (__, at) => at + 1));
    expect(rejected.length).toBe(added);
  });
});

describe('a load that writes without a pause', () => {
  const STEP_MS = 40;
  /** Batches whose records are ready at once; each decision takes some time to write. */
  function slow(signal?: AbortSignal) {
    // Not before the last turn, which the module remembers.
    let ms = performance.now();
    let written = 0;
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => ms);
    const write = () => {
      ms += STEP_MS;
      written += 1;
    };
    const texts = { words: [], restarts: false };
    const batches = new Batches({
      writer: { write },
      recordsOf: ({ lines }) =>
        Promise.resolve({ items: lines.map(() => ({}) as never), unusedDates: [], fullTexts: [], texts }),
      now: () => new Date(0),
      rejects: {} as never,
      ...(signal && { signal }),
    });
    return { batches, written: () => written, end: () => clock.mockRestore() };
  }
  const format = { changedAt: () => null };
  const addAll = async (batches: Batches, count: number) => {
    for (let place = 1; place <= count; place += 1)
      await batches.add({ ...entryOf(place, 2, 0), format: format as never });
  };

  test('lets signals and timers run between batches', async () => {
    const { batches, written, end } = slow();
    let seen = 0;
    const turns = setInterval(() => (seen ||= written()));
    await addAll(batches, 6_400);
    await batches.end();
    clearInterval(turns);
    end();
    expect(written()).toBe(6_400);
    expect(seen).toBeGreaterThan(0);
    expect(seen).toBeLessThan(6_400);
  });

  test('writes for two seconds at most after it was stopped', async () => {
    const stop = new AbortController();
    const { batches, written, end } = slow(stop.signal);
    await addAll(batches, 640);
    const before = written();
    stop.abort();
    await batches.end();
    end();
    expect(written() - before).toBeLessThanOrEqual(2_000 / STEP_MS + 1);
    expect(written()).toBeLessThan(640);
  });
});

/** Once what is ready has run. */
function settled(): Promise<unknown> {
  return new Promise((resolve) => setImmediate(resolve));
}
