import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { Interrupted, interruptible } from '../../src/ingest/interruption.ts';
import { WAIT, bePatient } from '../support/patience.ts';
import { spawn } from '../support/run.ts';
import { temporaryFolder } from '../support/service.ts';

bePatient();

describe('chunks that can be interrupted', () => {
  test('come as they are, and each listener goes', async () => {
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

  test('end where the signal comes while nothing does, and where it has come before', async () => {
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

  test('fail as their source does, and let go of it where they are left early', async () => {
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

describe('SIGINT and SIGTERM', () => {
  let dataDir: string;
  beforeEach(() => {
    dataDir = temporaryFolder();
  });
  afterEach(() => {
    rmSync(dataDir, { recursive: true, force: true });
  });

  const line = (chave: string) => `${JSON.stringify({ tipo: 'acordao', chave, ementa: 'x' })}\n`;
  function held(): number {
    try {
      const db = new Database(baseFile(dataDir, 'stj'), { readonly: true });
      const count = db.prepare<[], number>('SELECT count(*) FROM documento').pluck().get() ?? 0;
      db.close();
      return count;
    } catch {
      return 0;
    }
  }
  async function end(child: ReturnType<typeof spawn>, signal: 'SIGINT' | 'SIGTERM') {
    child.kill(signal);
    try {
      await expect.poll(() => child.exitCode, WAIT).toBe(130);
    } finally {
      child.kill('SIGKILL');
    }
  }
  /** What a load of a file prints, stopped once it has decisions in the base. */
  async function stopped(child: ReturnType<typeof spawn>, signal: 'SIGINT' | 'SIGTERM') {
    await expect.poll(held, WAIT).toBeGreaterThan(0);
    await end(child, signal);
    const out = await new Response(child.stdout).text();
    expect(out).toContain('stopped before the end');
    return out;
  }

  test.each(['SIGINT', 'SIGTERM'] as const)('%s is heard while a pipe brings nothing', async (signal) => {
    const pipe = join(dataDir, 'pipe');
    Bun.spawnSync(['mkfifo', pipe]);
    const child = spawn('ingest/command.ts', ['stj', pipe], { DATA_DIR: dataDir });
    const writer = Bun.spawn(['sh', '-c', `exec > "${pipe}"; cat; exec sleep 600`], {
      stdin: Buffer.from(line('a')),
    });
    try {
      expect(await stopped(child, signal)).toContain('1 added');
    } finally {
      writer.kill();
    }
    expect(held()).toBe(1);
  });

  test.each([[], ['--dry-run']])('are heard before anybody writes to a pipe (%j)', async (...options) => {
    const pipe = join(dataDir, 'pipe');
    Bun.spawnSync(['mkfifo', pipe]);
    const file = join(dataDir, 'x.jsonl');
    writeFileSync(file, 'x\n');
    const rejects = join(dataDir, 'rejects.jsonl');
    const args = ['stj', ...options, '--rejects', rejects, '--from', 'jsonl', file, pipe];
    const child = spawn('ingest/command.ts', args, { DATA_DIR: dataDir });
    // Its rejected line shows that the first file has been read.
    await expect.poll(() => Bun.file(rejects).size, WAIT).toBeGreaterThan(0);
    await end(child, 'SIGTERM');
  });

  test('are heard in the midst of blank lines', async () => {
    const blank = gzipSync('\n'.repeat(100_000_000));
    const file = join(dataDir, 'x.jsonl.gz');
    writeFileSync(file, Buffer.concat([gzipSync(line('a')), ...Array.from({ length: 100 }, () => blank)]));
    const child = spawn('ingest/command.ts', ['stj', file], { DATA_DIR: dataDir });
    await stopped(child, 'SIGINT');
    expect(held()).toBe(1);
  });
});
