import { cpSync, renameSync, rmSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import { VERSION_MS, WATCH_EVERY_MS } from '../../src/engine/base-watch.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { createLog } from '../../src/observe/log.ts';
import { startSystem } from '../../src/system.ts';
import { fetchChecked } from '../support/documented.ts';
import { WAIT } from '../support/patience.ts';
import { served, servedInTest } from '../support/served.ts';
import { configIn, inEachBase, temporaryFolder, type Service } from '../support/service.ts';
import { BUSCA, acordao, acordaos, decisaoPath } from './checks.ts';

const DECISIONS = inEachBase(acordaos(9, 'dano'));
const service = served(DECISIONS);

function ask(of: Service, query: string, etag?: string) {
  const init = etag === undefined ? {} : { headers: { 'if-none-match': etag } };
  return answered(of.get(`${BUSCA}?${query}`, init));
}

async function answered(response: Promise<Response>) {
  const { status, headers } = await response;
  return {
    status,
    text: await (await response).text(),
    headers: {
      etag: headers.get('etag'),
      versao: headers.get('jurisprudencia-versao'),
      timing: headers.get('server-timing'),
      quota: Number(/r=(\d+)/u.exec(headers.get('ratelimit') ?? '')?.[1]),
      cache: headers.get('cache-control'),
    },
  };
}

/** Asks until the answer is whole: a first one may lack a count. */
async function whole(of: Service, query: string) {
  let answer = await ask(of, query);
  await expect.poll(async () => (answer = await ask(of, query)).headers.etag, WAIT).not.toBeNull();
  return answer;
}

test('an answer names the data versions of its bases, and is a 304 as long as they would give the same one again', async () => {
  const { headers } = await whole(service, 'q=dano');
  expect(headers.versao).toMatch(/^tst=1-[0-9a-f]{8}, stf=1-/u);
  expect(headers.cache).toBe('private, no-cache');
  const again = await ask(service, 'q=dano', headers.etag!);
  expect(again).toMatchObject({
    status: 304,
    text: '',
    headers: { etag: headers.etag, versao: headers.versao },
  });
  const other = await ask(service, 'q=dano', 'W/"other"');
  expect(other.status).toBe(200);
  // Each costs a unit.
  expect(again.headers.quota - other.headers.quota).toBe(1);
});

test('equivalent requests share one answer and one cursor, however they are written', async () => {
  const first = await whole(service, 'q=dano+dano&tribunal=stj,tst&limite=2');
  const forms = ['limite=2&tribunal=TST,stj&q=dano++dano+', 'tribunal=tst,+stj&q=%09dano+dano&limite=2'];
  for (const form of forms) {
    const again = await ask(service, form);
    expect(again.headers).toMatchObject({ etag: first.headers.etag, versao: first.headers.versao });
    expect(again.headers.timing).toMatch(/^tst;dur=0;.*cache=hit, stj;dur=0;.*cache=hit$/u);
    const body = JSON.parse(again.text) as { por_base: { ms: number }[]; proximo_cursor: string };
    expect(body.por_base.map(({ ms }) => ms)).toEqual([0, 0]);
    expect((await ask(service, `${form}&cursor=${body.proximo_cursor}`)).status).toBe(200);
  }
});

test('requests with any other difference have different ETags', async () => {
  const queries = ',&limite=3,&tipo=acordao,&ordem=recentes,&tribunal=tst,&data_de=2000-01-01'.split(',');
  const etags = await Promise.all(
    queries.map(async (more) => (await whole(service, `q=dano${more}`)).headers.etag),
  );
  const { text } = await whole(service, 'q=dano&limite=3');
  const { proximo_cursor } = JSON.parse(text) as { proximo_cursor: string };
  const next = await whole(service, `q=dano&limite=3&cursor=${proximo_cursor}`);
  expect(new Set([...etags, next.headers.etag]).size).toBe(queries.length + 1);
});

test('an answer has the same ETag and data versions after a restart and on a copy of the files', async () => {
  const own = await servedInTest(DECISIONS);
  const before = (await whole(own, 'q=dano')).headers;
  await own.stop();
  const copy = temporaryFolder();
  cpSync(own.dataDir, copy, { recursive: true });
  for (const folder of [own.dataDir, copy]) {
    const system = startSystem(configIn(folder), createLog('silent').log);
    onTestFinished(() => system.stop());
    const headers = { authorization: `Bearer ${own.key}`, 'if-none-match': before.etag! };
    const get = () => answered(fetchChecked(`${system.url}${BUSCA}?q=dano`, { headers }));
    await expect.poll(async () => (await get()).status, WAIT).toBe(304);
    expect((await get()).headers).toMatchObject({ etag: before.etag, versao: before.versao });
  }
});

test('a load changes the ETag and the version of its own base alone', async () => {
  const own = await servedInTest(DECISIONS);
  const before = await whole(own, 'q=dano');
  own.load('stj', [acordao('dano novo')]);
  const loadedAt = performance.now();
  await expect.poll(() => performance.now() - loadedAt, WAIT).toBeGreaterThan(VERSION_MS);
  const after = await ask(own, 'q=dano', before.headers.etag!);
  expect(after.status).toBe(200);
  const changed = (versao: string | null) => versao?.replace(/, stj=[^,]*/u, '');
  expect(after.headers.versao).not.toBe(before.headers.versao);
  expect(changed(after.headers.versao)).toBe(changed(before.headers.versao));
});

test('an answer that lacks a base has no ETag, and no 304 is given while a base’s file is missing', async () => {
  const own = await servedInTest(DECISIONS);
  const { headers } = await whole(own, 'q=dano');
  const file = baseFile(own.dataDir, 'stf');
  for (const suffix of ['-wal', '-shm']) rmSync(file + suffix, { force: true });
  renameSync(file, `${file}.away`);
  const missing = async () => {
    const answer = await ask(own, 'q=dano', headers.etag!);
    return { status: answer.status, etag: answer.headers.etag, versao: answer.headers.versao };
  };
  // Known at the latest with the next look at the file.
  await expect
    .poll(missing, { ...WAIT, interval: WATCH_EVERY_MS / 10 })
    .toMatchObject({ status: 200, etag: null });
  expect((await missing()).versao).not.toContain('stf=');
});

test('a record names the data version of its base, and has the same ETag from the cache', async () => {
  const read = () => answered(service.get(decisaoPath('stj:3')));
  const first = await read();
  await expect.poll(async () => (await read()).headers.timing, WAIT).toBe('stj;dur=0;cache=hit');
  const again = await read();
  expect(again.text).toBe(first.text);
  expect(again.headers).toMatchObject({ etag: first.headers.etag, versao: first.headers.versao });
  expect(first.headers.versao).toMatch(/^stj=1-[0-9a-f]{8}$/u);
});
