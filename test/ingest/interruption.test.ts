import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { describe, expect, test, vi } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { Interrupted, interruptible } from '../../src/ingest/interruption.ts';
import { bePatient } from '../support/patience.ts';
import { run, startScript, type Child } from '../support/run.ts';
import { temporaryFolder } from '../support/service.ts';
import { until } from '../tools/faults/support-poll.ts';

bePatient();

describe('interruptible chunks', () => {
  test('pass unchanged, and leave no listener', async () => {
    let listeners = 0;
    const { signal } = new AbortController();
    const counting = new Proxy(signal, {
      get: (target, name) => {
        if (name === 'addEventListener') listeners += 1;
        if (name === 'removeEventListener') listeners -= 1;
        const value: unknown = Reflect.get(target, name, target);
        return typeof value === 'function' ? (value.bind(target) as unknown) : value;
      },
    });
    const chunks = interruptible(
      (async function* () {
        yield* [1, 2, 3];
      })(),
      counting,
    );
    expect(await Array.fromAsync(chunks)).toEqual([1, 2, 3]);
    expect(listeners).toBe(0);
  });

  test('end at a signal that comes while they wait, or came before', async () => {
    const controller = new AbortController();
    const never = async function* () {
      yield 1;
      await new Promise(() => undefined);
    };
    const chunks = interruptible(never(), controller.signal);
    expect(await chunks.next()).toEqual({ done: false, value: 1 });
    const waiting = chunks.next();
    controller.abort();
    await expect(waiting).rejects.toThrow(Interrupted);
    await expect(interruptible(never(), controller.signal).next()).rejects.toThrow(Interrupted);
  });

  test('end at a signal even if the next one is always ready', async () => {
    const controller = new AbortController();
    const ready = async function* () {
      yield* Array.from({ length: 1_000 }, (_, at) => at);
    };
    let ms = performance.now();
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => (ms += 10));
    setImmediate(() => {
      controller.abort();
    });
    await expect(Array.fromAsync(interruptible(ready(), controller.signal))).rejects.toThrow(Interrupted);
    clock.mockRestore();
  });

  test('fail as their source does, and close it if left early', async () => {
    const { signal } = new AbortController();
    let isLeft = false;
    const source = async function* () {
      try {
        yield 1;
        throw new Error('the disk is gone');
      } finally {
        isLeft = true;
      }
    };
    await expect(Array.fromAsync(interruptible(source(), signal))).rejects.toThrow('the disk is gone');
    isLeft = false;
    for await (const one of interruptible(source(), signal)) {
      expect(one).toBe(1);
      break;
    }
    expect(isLeft).toBe(true);
  });
});

// They wait for what is committed by time, so they wait at the same time.
describe.concurrent('SIGINT and SIGTERM', () => {
  const line = (chave: string) => `${JSON.stringify({ tipo: 'acordao', chave, ementa: 'x' })}\n`;
  function held(dataDir: string): number {
    try {
      const db = new Database(baseFile(dataDir, 'stj'), { readonly: true });
      const count = db.prepare<[], number>('SELECT count(*) FROM record').pluck().get() ?? 0;
      db.close();
      return count;
    } catch {
      return 0;
    }
  }
  async function end(child: Child, signal: 'SIGINT' | 'SIGTERM') {
    child.kill(signal);
    try {
      await until('it has ended', () => child.hasEnded());
      expect(await child.ended).toBe(130);
    } finally {
      child.kill('SIGKILL');
    }
  }
  /** What a load of a file prints that is stopped. */
  async function stopped(child: Child, signal: 'SIGINT' | 'SIGTERM') {
    await end(child, signal);
    const out = child.out();
    expect(out).toContain('stopped before the end');
    return out;
  }

  test.each(['SIGINT', 'SIGTERM'] as const)('%s ends a load that waits for a pipe', async (signal) => {
    const dataDir = temporaryFolder();
    const pipe = join(dataDir, 'pipe');
    Bun.spawnSync(['mkfifo', pipe]);
    const child = startScript('ingest/command.ts', ['stj', pipe], { DATA_DIR: dataDir });
    const writer = Bun.spawn(['sh', '-c', `exec > "${pipe}"; cat; exec sleep 600`], {
      stdin: Buffer.from(line('a')),
    });
    try {
      await until('it has a decision in the base', () => held(dataDir) > 0);
      expect(await stopped(child, signal)).toContain('1 added');
    } finally {
      writer.kill();
    }
    expect(held(dataDir)).toBe(1);
  });

  test.each([[], ['--dry-run']])('end a load before anybody writes to its pipe (%j)', async (...options) => {
    const dataDir = temporaryFolder();
    const pipe = join(dataDir, 'pipe');
    Bun.spawnSync(['mkfifo', pipe]);
    const file = join(dataDir, 'x.jsonl');
    writeFileSync(file, 'x\n');
    const rejects = join(dataDir, 'rejects.jsonl');
    const args = ['stj', ...options, '--rejects', rejects, '--from', 'jsonl', file, pipe];
    const child = startScript('ingest/command.ts', args, { DATA_DIR: dataDir });
    // Its rejected line shows that the first file has been read.
    await until('a line is rejected', () => Bun.file(rejects).size > 0);
    await end(child, 'SIGTERM');
  });

  test('are not needed to end a load while another process reads: it ends itself, and reports that reader', async () => {
    const dataDir = temporaryFolder();
    const file = join(dataDir, 'x.jsonl');
    writeFileSync(file, line('a'));
    await run('ingest/command.ts', ['stj', file], { DATA_DIR: dataDir });
    const reader = new Database(baseFile(dataDir, 'stj'), { readonly: true });
    reader.exec('BEGIN');
    reader.prepare('SELECT count(*) FROM source_keys').get();
    writeFileSync(file, line('b'));
    const done = await run('ingest/command.ts', ['stj', file], { DATA_DIR: dataDir });
    reader.close();
    expect(done).toMatchObject({ exitCode: 0, out: expect.stringContaining('1 added') });
    expect(done.out).toContain('another process still reads');
  });

  test('end a load that reads nothing but blank lines', async () => {
    const dataDir = temporaryFolder();
    const blank = gzipSync('\n'.repeat(10_000_000));
    const file = join(dataDir, 'x.jsonl.gz');
    const start = gzipSync(`${line('a')}x\n`);
    writeFileSync(file, Buffer.concat([start, ...Array.from({ length: 1_000 }, () => blank)]));
    const rejects = join(dataDir, 'rejects.jsonl');
    const args = ['stj', '--rejects', rejects, file];
    const child = startScript('ingest/command.ts', args, { DATA_DIR: dataDir });
    // It comes once the lines before the blank ones have waited for more.
    await until('a line is rejected', () => Bun.file(rejects).size > 0);
    await stopped(child, 'SIGINT');
    expect(held(dataDir)).toBe(1);
  });
});
