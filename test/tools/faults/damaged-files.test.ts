import { mkdirSync, readFileSync, readdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { Cobertura } from '../../../src/contract/cobertura.ts';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { issueKey } from '../../../src/keys/store.ts';
import { BUSCA, COBERTURA, untilStatus } from '../../http/checks.ts';
import { CRASH, startMain, startScript } from '../../support/run.ts';
import { COMUM } from './support-corpus.ts';
import { expectNoUnhandledRejection, seeded, until } from './support-poll.ts';
import { faultFolder, PATIENT, startFaultService, type Folder } from './support-service.ts';
import { Traffic } from './support-traffic.ts';
import { fetchAs, fetchChecked } from '../../support/documented.ts';

const ANSWERS = 30;
const NOISE_BYTES = 700;

expectNoUnhandledRejection();

/** What was moved aside, from where it now is to where it belongs. */
const moved: [string, string][] = [];
function moveAside(path: string): void {
  const aside = join(folder.dataDir, `aside-${moved.length}`);
  renameSync(path, aside);
  moved.push([aside, path]);
}
function moveBack(): void {
  for (const [from, to] of moved.splice(0)) {
    rmSync(to, { recursive: true, force: true });
    renameSync(from, to);
  }
}

let folder: Folder;
beforeAll(() => {
  folder = faultFolder();
});
afterEach(moveBack);

function noise(seed: number): Buffer {
  const random = seeded(seed);
  return Buffer.from(Array.from({ length: NOISE_BYTES }, () => Math.floor(random() * 256)));
}

/** Ways to damage a file, given what is in it when it is good. */
const DAMAGES: readonly (readonly [string, (path: string, good: string | Buffer) => void])[] = [
  ['cut in the middle', (path, good) => writeFileSync(path, good.slice(0, good.length / 2))],
  ['noise', (path) => writeFileSync(path, noise(5))],
  ['of a wrong shape', (path) => writeFileSync(path, '{"versao": 1, "bases": [{"base": "stj"}]}\n')],
  ['a folder', (path) => mkdirSync(path)],
];

test('a coverage file that is wrong for one base is shown for the others', async () => {
  const [wrong] = BASES;
  const stored = { calculado: true, tipos: [], calculado_em: new Date().toISOString() };
  const bases = BASES.map((base) => Object.assign({ base }, stored, base === wrong ? {} : { total: 7 }));
  const file = join(folder.dataDir, 'cobertura.json');
  writeFileSync(file, JSON.stringify({ versao: 1, bases }));
  await using running = startFaultService(folder);
  const shown = (await (await fetchChecked(running.url + COBERTURA)).json()) as Cobertura;
  for (const { base, calculado, total } of shown.bases)
    expect([base, calculado, total]).toEqual(base === wrong ? [base, false, undefined] : [base, true, 7]);
  rmSync(file);
});

describe('key files that are', () => {
  const file = (name: string) => join(folder.dataDir, 'keys', `${name}.json`);
  const ask = (url: string, key: string) => fetchAs(`${url}${BUSCA}?q=${COMUM}`, key);

  test('damaged in any way grant nothing, leave other keys valid, and work once repaired', async () => {
    const damaged = DAMAGES.map(([name, how], at) => {
      const key = issueKey(folder.dataDir, `ferida-${at}`, null, new Date());
      const path = file(`ferida-${at}`);
      return { name, how, key, path, good: readFileSync(path) };
    });
    // One is damaged from the start on.
    writeFileSync(file('ruim'), noise(9));
    await using running = startFaultService(folder);
    await using traffic = new Traffic(running);
    traffic.start();
    for (const { key } of damaged) expect((await ask(running.url, key)).status).toBe(200);
    for (const { path, good, how } of damaged) {
      rmSync(path);
      how(path, good);
    }
    for (const { name, key } of damaged) {
      expect([name, await untilStatus(401, () => ask(running.url, key))]).toEqual([name, 401]);
    }
    await traffic.more(ANSWERS);
    for (const { path, good } of damaged) {
      rmSync(path, { recursive: true });
      writeFileSync(path, good, { mode: 0o600 });
    }
    for (const { name, key } of damaged) {
      expect([name, await untilStatus(200, () => ask(running.url, key))]).toEqual([name, 200]);
    }
    expect(await traffic.stop()).toEqual([]);
    const reported = running.log.filter(({ msg }) => msg === 'keys cannot be read');
    expect(reported.map((line) => String(line['file'])).toSorted()).toEqual(
      [...damaged.map(({ path }) => path), file('ruim')].toSorted(),
    );
    rmSync(file('ruim'));
  });
});

/** A start that is refused: one plain message that names the file, and no stack. */
async function expectRefused(name: string): Promise<void> {
  const refused = startScript('main.ts', [], { DATA_DIR: folder.dataDir, PORT: '0', ADMIN_PORT: '0' });
  await until('the start was refused or the service served', () => {
    if (refused.out().includes('Ctrl-C')) refused.kill('SIGKILL');
    return refused.hasEnded();
  });
  expect([await refused.ended, refused.out()]).toEqual([1, '']);
  expect(refused.err()).toMatch(/^start: /);
  expect(refused.err()).toContain(name);
  expect(refused.err()).not.toMatch(CRASH);
}

describe.each(['config.toml', 'live.toml'])('a %s that is', (name) => {
  const file = () => join(folder.dataDir, name);
  afterEach(() => {
    rmSync(file(), { recursive: true, force: true });
  });

  test('noise makes the start fail with a message that names it', async () => {
    writeFileSync(file(), noise(3));
    await expectRefused(name);
  });

  test('a folder makes the start fail with a message that names it', async () => {
    mkdirSync(file());
    await expectRefused(name);
  });
});

describe('a data folder in which', () => {
  test('the cursor secret is a folder makes the start fail with a message that names it', async () => {
    const file = join(folder.dataDir, 'cursor-secret');
    moveAside(file);
    mkdirSync(file);
    await expectRefused('cursor-secret');
  });

  test('the keys folder is a file makes the start fail with a message that names it', async () => {
    const keys = join(folder.dataDir, 'keys');
    moveAside(keys);
    writeFileSync(keys, 'no folder');
    await expectRefused('keys');
  });

  test('there are foreign files and folders is served like any other', async () => {
    for (const name of ['bases/notes.txt', 'keys/notes.txt', 'x.tmp', 'bases/stj.db.0011.new']) {
      writeFileSync(join(folder.dataDir, name), noise(8));
    }
    mkdirSync(join(folder.dataDir, 'bases', 'a-folder'));
    await using child = await startMain(folder.dataDir, PATIENT);
    const answer = await fetchAs(`${child.url}${BUSCA}?q=${COMUM}`, folder.key);
    expect(await answer.json()).toMatchObject({ bases_sem_resposta: [] });
    expect(readdirSync(join(folder.dataDir, 'bases'))).toContain('notes.txt');
  });
});
