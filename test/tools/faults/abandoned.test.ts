import { rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metricsOf } from '../../admin/support-metrics.ts';
import { BASES, type Base } from '../../../src/contract/vocabulary.ts';
import { writeAtomically } from '../../../src/process/files.ts';
import { BUSCA, decisaoPath } from '../../http/checks.ts';
import { fetchAs } from '../../support/documented.ts';
import { COMUM } from './support-corpus.ts';
import { expectNoUnhandledRejection, until } from './support-poll.ts';
import { faultFolder, startFaultService, type FaultService, type Folder } from './support-service.ts';

const ENTRY = new URL('./support-entry.ts', import.meta.url).href;
const SEARCHES = 50;

expectNoUnhandledRejection();

let folder: Folder;
let service: FaultService;
beforeAll(() => {
  folder = faultFolder();
  service = startFaultService(folder, {
    // Every request is slow that takes a millisecond.
    environment: { SLOW_MS: '1', RESULT_CACHE_MB: '0' },
    workerEntry: Object.fromEntries(BASES.map((base) => [base, ENTRY])),
  });
});
afterAll(() => service.stop());

/** Every base is stuck until it is released. */
function hold(): () => void {
  const flags = BASES.map((base) => join(folder.dataDir, `thread-fault-${base}`));
  for (const flag of flags) writeAtomically(flag, 'hold');
  return () => {
    for (const flag of flags) rmSync(flag, { force: true });
  };
}

/** A client that asks, and does not wait. */
function ask(path: string): Promise<Socket> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const socket = connect({ host: hostname, port: Number(port) }, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: teste\r\nAuthorization: Bearer ${folder.key}\r\n\r\n`);
      resolve(socket);
    });
    socket.on('error', reject);
  });
}

const search = (place: number) =>
  `${BUSCA}?${new URLSearchParams({ q: COMUM, limite: String(1 + (place % 50)) }).toString()}`;

describe('requests whose clients leave', () => {
  test('end at once, and are in no figure of latency, time-outs or fall-backs, nor in the slow log', async () => {
    const untilAll = (
      what: string,
      isSo: (state: ReturnType<typeof service.system.states>[Base]) => boolean,
    ) => until(what, () => BASES.every((base) => isSo(service.system.states()[base])));
    await untilAll('the bases were open', ({ state }) => state === 'up');
    const letGo = hold();
    // One takes every thread, so that all the others wait and can be counted: each base has a record to read, too.
    const [first = '', ...others] = Array.from({ length: SEARCHES }, (_, at) => search(at));
    const clients = [await ask(first)];
    await untilAll('the threads stood still', ({ under_way }) => under_way === 1);
    clients.push(
      ...(await Promise.all([...others, ...BASES.map((base) => decisaoPath(`${base}:1`))].map(ask))),
    );
    await untilAll('all bases were asked', ({ waiting }) => waiting >= SEARCHES);
    for (const [at, client] of clients.entries()) {
      if (at % 2 === 0) client.resetAndDestroy();
      else client.destroy();
    }
    // Every base is still stuck: only the clients' leaving can have ended them.
    const of = 'jurisprudencia_http_requests_abandoned_total';
    const abandoned = async () => {
      const now = await metricsOf(service.system.adminUrl);
      return [now.value(of, { route: 'busca' }), now.value(of, { route: 'decisao' })].join();
    };
    await until('all were counted', async () => (await abandoned()) === `${SEARCHES},${BASES.length}`);
    letGo();

    const { samples } = await metricsOf(service.system.adminUrl);
    const counted = samples.filter(({ value }) => value > 0).map(({ name }) => name);
    for (const name of [
      'jurisprudencia_http_requests_total',
      'jurisprudencia_http_request_duration_seconds_count',
      'jurisprudencia_base_searches_total',
      'jurisprudencia_base_fallbacks_total',
      'jurisprudencia_base_failures_total',
      'jurisprudencia_base_queue_seconds_count',
    ]) {
      expect(counted).not.toContain(name);
    }
    const asks = samples.filter(({ name }) => name === 'jurisprudencia_base_abandoned_total');
    expect(asks.reduce((sum, { value }) => sum + value, 0)).toBe((SEARCHES + 1) * BASES.length);
    expect(service.log.filter(({ msg }) => msg !== 'request abandoned' && msg !== 'request')).toEqual([]);

    const response = await fetchAs(`${service.url}${search(6)}`, folder.key);
    expect(await response.json()).toMatchObject({ bases_sem_resposta: [] });
  });
});
