import { readFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { REASON_LENGTH_MAX } from '../../src/ingest/reasons.ts';
import { REJECTS_BYTES_MAX, REJECTS_MAX, REJECT_TEXT_MAX } from '../../src/ingest/rejects.ts';
import { bePatient } from '../support/patience.ts';
import { startScript, type Finished } from '../support/run.ts';
import { ingesting } from './support-ingest.ts';

bePatient();

/** Small files that took gigabytes: a load that refuses them stays far below. */
const PEAK_BYTES_MAX = 600 * 1024 * 1024;
const MB = 1024 * 1024;

const { dataDir, file: write, load } = ingesting();
// The inputs are large.
afterEach(() => {
  rmSync(dataDir(), { recursive: true, force: true });
});

interface Ended extends Finished {
  /** The most memory that it had, in bytes. */
  readonly peak: number;
}

async function ingest(args: readonly string[]): Promise<Ended> {
  const child = startScript('ingest/command.ts', args, { DATA_DIR: dataDir() });
  // The system's figures of an ended child include the memory of this process, of which it was a copy at first.
  let peak = 0;
  const timer = setInterval(() => {
    peak = Math.max(peak, peakOf(child.pid));
  }, 20);
  const exitCode = (await child.ended) ?? -1;
  clearInterval(timer);
  expect(peak).toBeGreaterThan(0);
  return { exitCode, out: child.out(), err: child.err(), peak };
}

function peakOf(pid: number): number {
  try {
    const [, kilobytes] = /^VmHWM:\s+(\d+) kB$/mu.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
    return Number(kilobytes ?? 0) * 1024;
  } catch {
    return 0;
  }
}

const ESPELHO = '{"id":"1","numeroRegistro":"1","ementa":"Recurso provido."}';
const line = (fields: object) => JSON.stringify({ tipo: 'acordao', ...fields });
const page = (content: string) =>
  `<html><title>eproc - Jurisprudencia</title><div class="resultadoItem" id="resultado1">${content}</div></html>`;

const ATTACKS: readonly (readonly [
  name: string,
  base: string,
  good: string,
  bad: () => string,
  reason: string,
])[] = [
  [
    '[ after a record',
    'stj',
    `[${ESPELHO}]`,
    () => `[${ESPELHO},${'['.repeat(100 * MB)}`,
    'nested deeper than 512',
  ],
  [
    '{} in a record',
    'stj',
    `[${ESPELHO}]`,
    () => `[{"numeroRegistro":[${'{},'.repeat(20 * MB)}`,
    'values in a record',
  ],
  [
    '<i>',
    'eproc',
    '{"tipo":"acordao","tribunal":"tnu","ementa":"Recurso provido."}',
    () => page('<i>'.repeat(30 * MB)),
    'nested deeper than 512',
  ],
];

describe('a small file that expands', () => {
  test.each(ATTACKS)('%s is damage, within bounded memory, and the next file is loaded', async (...row) => {
    const [, base, good, bad, reason] = row;
    const attack = write('attack.gz', gzipSync(bad()));
    const next = write('next', good);
    for (const options of [[], ['--dry-run']]) {
      const done = await ingest([base, ...options, attack, next]);
      expect(done).toMatchObject({ exitCode: 1, err: expect.stringContaining(reason) });
      expect(done.err).toContain('nothing of the file was loaded');
      expect(done.out).toMatch(/1 added|1 to load/u);
      expect(done.peak).toBeLessThan(PEAK_BYTES_MAX);
    }
  });

  test('of {} in canonical lines is rejected within bounded memory', async () => {
    const bad = `{"tipo":"acordao","extras":{"x":[${'{},'.repeat(5 * MB)}{}]}}\n`;
    const attack = write(
      'x.jsonl.gz',
      gzipSync(`${line({ chave: 'a' })}\n${bad.repeat(20)}${line({ chave: 'b' })}`),
    );
    const done = await ingest(['stj', attack]);
    expect(done).toMatchObject({ exitCode: 0, out: expect.stringContaining('2 added') });
    expect(done.out).toContain('20 rejected');
    expect(done.peak).toBeLessThan(PEAK_BYTES_MAX);
  });

  test('of millions of different words is rejected within bounded memory', async () => {
    const words = Array.from({ length: 2_000_000 }, (_, at) => (at + 100_000_000).toString(36)).join(' ');
    const lines = [line({ chave: 'a', texto: words }), line({ chave: 'b' })].join('\n');
    const done = await ingest(['stj', write('x.jsonl', lines)]);
    expect(done).toMatchObject({ exitCode: 0, out: expect.stringContaining('1 added') });
    expect(done.peak).toBeLessThan(PEAK_BYTES_MAX);
  });
});

describe('the rejects file', () => {
  test('holds a bounded number of rejects; the others are only counted', async () => {
    const file = write(
      'x.jsonl.gz',
      gzipSync(`${line({ chave: 'a' })}\n${'x\n'.repeat(REJECTS_MAX + 5_000)}`),
    );
    const rejects = join(dataDir(), 'rejects.jsonl');
    const full = `it has the first ${REJECTS_MAX}; 5000 more were only counted`;
    for (const options of [{ dryRun: true }, {}] as const) {
      const done = await load('stj', [file], { ...options, rejects });
      expect(done.out).toContain(full);
      expect(done.out).toContain(`${REJECTS_MAX + 5_000} rejected`);
      expect(readFileSync(rejects, 'utf8').trimEnd().split('\n')).toHaveLength(REJECTS_MAX);
      rmSync(rejects);
    }
  });

  test('takes no more bytes than its bound, however long each reject is', async () => {
    const long = 'x'.repeat(2 * REJECT_TEXT_MAX);
    const count = Math.ceil(REJECTS_BYTES_MAX / REJECT_TEXT_MAX) + 10;
    const rejects = join(dataDir(), 'rejects.jsonl');
    const file = write('x.jsonl.gz', gzipSync(`${line({ chave: 'a' })}\n${`${long}\n`.repeat(count)}`));
    const done = await load('stj', [file], { rejects });
    expect(done.out).toContain(`${count} rejected`);
    expect(done.out).toContain('more were only counted');
    expect(statSync(rejects).size).toBeLessThanOrEqual(REJECTS_BYTES_MAX);
    const [first = ''] = readFileSync(rejects, 'utf8').split('\n', 1);
    const stored = JSON.parse(first) as { text: string; textLength: number };
    expect(stored.text).toHaveLength(REJECT_TEXT_MAX);
    expect(stored.textLength).toBe(long.length);
  });

  test('is summarised in a few lines, however many reasons there are', async () => {
    const reasons = Array.from({ length: 3_000 }, (_, at) => `{"tipo":"acordao","campo${at}":1}`);
    const records = Array.from(
      { length: 3_000 },
      (_, at) => `{"id":"${at}","ementa":"x","tipoDeDecisao":"${`tipo ${at} `.repeat(100)}"}`,
    );
    const lines = write('x.jsonl', `${line({ chave: 'a' })}\n${reasons.join('\n')}`);
    const json = write('x.json', `[${ESPELHO},${records.join()}]`);
    for (const options of [{}, { dryRun: true }] as const) {
      const { out } = await load('stj', [lines, json], options);
      expect(out).toContain('3000 rejected');
      expect(out).toContain('3000 left out');
      expect(out).toMatch(/left out: \d+ for other reasons/u);
      expect(out.split('\n').length).toBeLessThan(120);
      expect(Math.max(...out.split('\n').map(({ length }) => length))).toBeLessThan(REASON_LENGTH_MAX + 100);
    }
  });
});
