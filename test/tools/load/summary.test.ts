import { describe, expect, test } from 'vitest';
import type { Run } from '../../../src/tools/load/result.ts';
import { summary, SUMMARY_WIDTH } from '../../../src/tools/load/summary.ts';
import { madeRun } from './made-run.ts';

const wide = (run: Run) =>
  summary(run)
    .split('\n')
    .filter((line) => line.length > SUMMARY_WIDTH);

describe('the summary of a load', () => {
  const run = madeRun([50, 100]);

  test('keeps to 80 columns, whatever the processor, the system and the rates are called', () => {
    const processor = 'Some(R) Processor of a Very Long Name(TM) Platinum 9999XYZ CPU @ 2.70GHz';
    const machine = { ...run.machine, cores: 1_024, processor, system: `linux ${'6.18-'.repeat(12)}` };
    const plan = { ...run.plan, duration_s: 86_400, seed: 1_234_567_890_123 };
    expect(wide({ ...run, machine, plan })).toEqual([]);
    expect(summary({ ...run, machine, plan }).replaceAll(/\n +/gu, ' ')).toContain(`(${processor})`);
  });

  test('keeps to 80 columns, however slow the bases and however many the searches', () => {
    const steps = run.steps.map((step) => ({
      ...step,
      bases: step.bases.map((base) => ({
        ...base,
        latency_ms: base.latency_ms && { ...base.latency_ms, p50: 12_345, p99: 23_456, max: 34_567 },
        fallbacks: 7_654_321,
        no_count: 7_654_321,
      })),
    }));
    expect(wide({ ...run, steps })).toEqual([]);
  });

  test('gives the reason why the service did not keep up, and the number of answers', () => {
    const text = summary(madeRun([200, 400, 800])).replaceAll(/\n +/gu, ' ');
    expect(text).toMatch(
      /kept up with 400\/s, and no more: at 800\/s \d+ of 8000 requests had no complete answer, and the 99th percentile of \d+ answers was \d+ ms, above [\d.]+ ms/u,
    );
  });

  test('leaves an address whole', () => {
    const url = `http://127.0.0.1:3000/${'caminho-'.repeat(12)}`;
    expect(
      summary({ ...run, url })
        .split('\n')
        .slice(0, 2),
    ).toEqual(['service', `  ${url}`]);
  });
});
