import { closeSync, constants, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { createLog, terminalFormat } from '../../src/observe/log.ts';
import { startMain } from '../support/run.ts';
import { until } from '../tools/faults/support-poll.ts';
import { PATIENT } from '../tools/faults/support-service.ts';
import { temporaryFolder } from '../support/service.ts';
import { preparedFolder } from '../http/folder.ts';

let pipe: string;
let fd: number;
beforeEach(() => {
  pipe = join(temporaryFolder(), 'pipe');
  Bun.spawnSync(['mkfifo', pipe]);
  // Open at both ends, so that it neither waits for a reader nor is ever broken.
  fd = openSync(pipe, constants.O_RDWR | constants.O_NONBLOCK);
});
afterEach(() => {
  closeSync(fd);
});

/** What the pipe holds at this moment, up to some kilobytes of it. */
function read(): string {
  const buffer = Buffer.alloc(4_096);
  try {
    return buffer.toString('utf8', 0, readSync(fd, buffer));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EAGAIN') return '';
    throw error;
  }
}

/** A pipe holds 64 KiB: what does not fit waits for its reader. */
const MANY = 3_000;
const BUFFER_BYTES_MAX = 50_000;

describe('the log', () => {
  test('does not block on a stopped reader: it buffers a bounded number of lines and counts the lost ones', async () => {
    const { log, ...service } = createLog('info', {
      fd: openSync(pipe, 'a'),
      bufferBytesMax: BUFFER_BYTES_MAX,
    });
    for (let at = 0; at < MANY; at += 1) log.info({ at }, 'line');
    // Nothing has read so far: with lines that are written at once this would not be reached.
    let text = '';
    await until('it reported the dropped lines', () => {
      text += read();
      return text.includes('dropped') && text.endsWith('\n');
    });
    const lines = text
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { at?: number; lines?: number });
    const written = lines.filter(({ at }) => at !== undefined);
    const dropped = lines.find((line) => line.lines !== undefined)?.lines ?? 0;
    expect(dropped).toBeGreaterThan(0);
    expect(written.length + dropped).toBe(MANY);
    expect(written.map(({ at }) => at)).toEqual(written.map((_, at) => at));
    await service.end(1_000);
  });

  test('ends when all is written, or at its time limit if nobody reads', async () => {
    const written = createLog('info', { fd: openSync(pipe, 'a') });
    written.log.info('first');
    await written.end(20_000);
    expect(read()).toContain('first');
    written.log.info('after the end, this is not written and no fault either');
    const stuck = createLog('info', { fd: openSync(pipe, 'a') });
    for (let at = 0; at < MANY; at += 1) stuck.log.info({ at }, 'line');
    const since = performance.now();
    await stuck.end(100);
    expect(performance.now() - since).toBeLessThan(20_000);
    // Lets the running write end.
    while (read() !== '') await Bun.sleep(5);
  });
});

describe('text from a client or a file', () => {
  const HOSTILE = 'a\u001b[31mb\u0007c\u009b2Jd\u202ee\u2028f\u007fg\\h\r\ni\u{1f600}';

  test('is in the log unchanged, with terminal control characters escaped', async () => {
    const { log, ...service } = createLog('info', { fd: openSync(pipe, 'a') });
    log.info({ q: HOSTILE, err: new Error(HOSTILE) }, HOSTILE);
    await service.end(20_000);
    const line = read();
    expect(line).toMatch(/^[^\p{Cc}\p{Bidi_Control}\p{Zl}]+\n$/u);
    expect(JSON.parse(line)).toMatchObject({ q: HOSTILE, msg: HOSTILE, err: { message: HOSTILE } });
  });

  test('is shown on a terminal with control characters as codes', async () => {
    const format = await terminalFormat(true);
    const { log, ...service } = createLog('info', { fd: openSync(pipe, 'a'), format });
    log.info({ q: HOSTILE, err: new Error(HOSTILE) }, HOSTILE);
    await service.end(20_000);
    // Its own colours, which it has on some terminals, are all that it may send.
    const shown = read().replaceAll(/\u001b\[\d+m/gu, '');
    expect(shown).toMatch(/a\\u001b\[31mb\\u0007c\\u009b2Jd\\u202ee\\u2028f\\u007fg/u);
    expect(shown).toMatch(/^[^\p{Cc}\p{Bidi_Control}\p{Zl}]+(?:\n[^\p{Cc}\p{Bidi_Control}\p{Zl}]*)*$/u);
  });
});

test('a slow request has on a terminal neither its steps nor how it was read, and in the JSON line all', async () => {
  const slow = {
    request_id: 'abc',
    route: 'busca',
    ms: 599.99,
    q: 'dano moral',
    leitura: 'dano AND moral',
    ordem_aplicada: { stj: 'relevancia' },
    steps: [{ base: 'stj', kind: 'relevancia', queue_ms: 1, run_ms: 2 }],
  };
  const shown = async (format: Awaited<ReturnType<typeof terminalFormat>>) => {
    const { log, ...service } = createLog('info', { fd: openSync(pipe, 'a'), format });
    log.warn(slow, 'slow request');
    await service.end(20_000);
    return read().replaceAll(/\u001b\[\d+m/gu, '');
  };
  expect((await shown(await terminalFormat(true))).slice('[00:00:00.000] '.length)).toBe(
    'WARN: slow request {"request_id":"abc","route":"busca","ms":599.99,"q":"dano moral"}\n',
  );
  expect(JSON.parse(await shown(undefined))).toMatchObject(slow);
});

test('a service whose log nobody reads still answers, and ends at SIGTERM', async () => {
  const dataDir = preparedFolder();
  const environment = { ...PATIENT, LOG_LEVEL: 'debug' };
  const service = await startMain(dataDir, environment, `exec 2> '${pipe}'`);
  onTestFinished(() => {
    service.kill('SIGKILL');
  });
  // Lines of twice what a pipe holds.
  for (let asked = 0; asked < 1_000; asked += 50) {
    const answers = Array.from({ length: 50 }, () => fetch(`${service.url}/nenhuma`));
    for (const answer of await Promise.all(answers)) expect(answer.status).toBe(404);
  }
  service.kill('SIGTERM');
  expect(await service.ended).toBe(0);
});
