import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { digestOfKey, newKey } from '../../../src/keys/key.ts';
import { issueKey, revokeKey } from '../../../src/keys/store.ts';
import { temporaryFolder } from '../../support/service.ts';
import { BUSCA, COBERTURA, decisaoPath } from '../../http/checks.ts';
import { exchange } from '../../http/wire.ts';
import { CRASH, startMain, startScript, type ChildService } from '../../support/run.ts';
import { COMUM, decisions, linesOf } from './support-corpus.ts';
import { expectNoUnhandledRejection, until } from './support-poll.ts';
import { faultFolder, PATIENT, type Folder } from './support-service.ts';
import { fetchChecked } from '../../support/documented.ts';

expectNoUnhandledRejection();

/** What has no place in front of others, as it would look. */
const KEY = /jur_[a-z2-7]{8}/i;
const SQL = /\bSELECT \w|\bINSERT INTO|\bPRAGMA\b|\bMATCH \?|SQLITE_|FROM (?:item|record|meta|postings)\b/i;
const STACK = /\bat (?:async )?[\w.<>#]+ \(|\.[jt]s:\d+/;
const PATH = /\/(?:tmp|home|work|root|usr|var|srv|opt)\/|node_modules|\.db\b|\.sqlite/;

/** What others see of a process: its command line and its title. */
function commandLineOf(pid: number): string {
  return ['cmdline', 'comm'].map((name) => readFileSync(`/proc/${pid}/${name}`, 'utf8')).join('\n');
}

interface Said {
  readonly about: string;
  readonly text: string;
}

let folder: Folder;
let child: ChildService;
let commandLine: string;
let revoked: string;
const unknown = newKey();
const said: Said[] = [];

/** Requests that are refused, fail or find nothing, with the status that each must have. */
function provocations(): [number, string, RequestInit][] {
  const auth = (key: string) => ({ headers: { authorization: `Bearer ${key}` } });
  const mine = auth(folder.key);
  const enc = encodeURIComponent;
  /** A client that puts its key wherever it can, and also where it belongs. */
  const everywhere = (key: string): RequestInit => ({
    headers: {
      authorization: `Bearer ${folder.key}`,
      'x-request-id': `x${key}`,
      'user-agent': key,
      referer: `http://x/${key}`,
      cookie: `key=${key}`,
      'x-forwarded-for': key,
      traceparent: `00-${key}-${key}-01`,
    },
  });
  return [
    [200, `${BUSCA}?q=${COMUM}`, mine],
    [200, COBERTURA, {}],
    ...[folder.key, folder.key.toUpperCase()].map((key): [number, string, RequestInit] => [
      200,
      `${BUSCA}?q=${COMUM}+OR+${key}`,
      everywhere(key),
    ]),
    [404, `/${folder.key}?q=${folder.key}`, everywhere(folder.key)],
    ...['', '?q=', `?q=${COMUM}&limite=0`, `?q=${COMUM}&cursor=AAAA`, `?q=${COMUM}&x=1`, '?q=%FF'].map(
      (query): [number, string, RequestInit] => [400, BUSCA + query, mine],
    ),
    ...`"aberta|a AND|(((|fts MATCH ("|NEAR(${COMUM}|nada : "x|"; DROP TABLE documento; --`
      .split('|')
      .map((q): [number, string, RequestInit] => [400, `${BUSCA}?q=${enc(q)}`, mine]),
    [400, `${BUSCA}?q=${COMUM}&access_token=${folder.key}`, mine],
    [401, `${BUSCA}?q=${COMUM}`, {}],
    [401, `${BUSCA}?q=${COMUM}&access_token=${folder.key}`, {}],
    [401, `${BUSCA}?q=${COMUM}`, auth(unknown)],
    [401, `${BUSCA}?q=${COMUM}`, auth(revoked)],
    [401, `${BUSCA}?q=${COMUM}`, auth(`${folder.key}x`)],
    [401, decisaoPath('stj:1'), { headers: { authorization: `Basic ${folder.key}` } }],
    [404, decisaoPath('stj:999999'), mine],
    [404, decisaoPath(enc(`../../keys/${unknown}`)), mine],
    [404, decisaoPath('stj:1%27%20OR%201=1'), mine],
    [404, `/${folder.key}`, mine],
    [405, BUSCA, { ...mine, method: 'POST' }],
    [504, decisaoPath('tst:1'), mine],
    [504, decisaoPath('tjmg:1'), mine],
  ];
}

beforeAll(async () => {
  folder = faultFolder();
  revoked = issueKey(folder.dataDir, 'revogada', null, new Date());
  revokeKey(folder.dataDir, 'revogada', new Date());
  // One base is gone and another is no base at all.
  rmSync(join(folder.dataDir, 'bases', 'tst.db'));
  writeFileSync(join(folder.dataDir, 'bases', 'tjmg.db'), 'SELECT noise FROM nowhere '.repeat(1_000));
  writeFileSync(
    join(folder.dataDir, 'keys', 'ruim.json'),
    `{"name": "ruim", "sha256": "${digestOfKey(unknown)}`,
  );
  child = await startMain(folder.dataDir, { ...PATIENT, LOG_LEVEL: 'debug', SLOW_MS: '1' });
  for (const [status, path, init] of provocations()) {
    const response = await fetchChecked(child.url + path, init);
    const about = `${status} ${path}`;
    said.push({ about, text: `${JSON.stringify([...response.headers])}\n${await response.text()}` });
    expect([about, response.status]).toEqual([about, status]);
  }
  for (const bytes of ['GARBAGE\r\n\r\n', `GET /${'x'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`]) {
    const [answer] = await exchange(child.url, bytes);
    said.push({
      about: bytes.slice(0, 9),
      text: `${JSON.stringify([...(answer?.headers ?? [])])}${answer?.body ?? ''}`,
    });
  }
  commandLine = commandLineOf(child.pid);
});
afterAll(async () => {
  child.kill('SIGTERM');
  expect(await child.ended).toBe(0);
  expect(child.err()).not.toMatch(CRASH);
});

/** Of some texts, those that show what the pattern looks for, or one of the keys or their digests. */
function showing(texts: readonly Said[], pattern: RegExp): string[] {
  return texts.filter(({ text }) => pattern.test(text)).map(({ about, text }) => `${about}: ${text}`);
}
const digests = () => new RegExp([folder.key, unknown, revoked].map(digestOfKey).join('|'));
const logged = () => {
  const lines = child.err().trim().split('\n');
  return lines.map((text): Said => ({ about: 'log', text }));
};

describe('no answer shows', () => {
  test.each([
    ['a key', () => KEY],
    ['a digest of a key', digests],
    ['SQL', () => SQL],
    ['a stack', () => STACK],
    ['a path of the machine', () => PATH],
  ])('%s', (_, pattern) => {
    expect(said.length).toBeGreaterThan(25);
    expect(showing(said, pattern())).toEqual([]);
  });
});

describe('no line of the log shows', () => {
  test.each([
    ['a key', () => KEY],
    ['a digest of a key', digests],
    ['SQL', () => /\bSELECT \w|\bINSERT INTO|\bMATCH \?|FROM (?:item|record|meta|postings)\b/i],
    ['a stack', () => STACK],
  ])('%s', (_, pattern) => {
    expect(logged().length).toBeGreaterThan(1);
    expect(showing(logged(), pattern())).toEqual([]);
  });

  test('the same fault more than once', () => {
    const down = logged().filter(({ text }) => text.includes('base down'));
    expect(down).toHaveLength(2);
    expect(logged().filter(({ text }) => text.includes('keys cannot be read'))).toHaveLength(1);
  });
});

test('neither the title nor the command line of a process shows a key or the data folder', () => {
  expect(commandLine).toContain('main.ts');
  expect(commandLine).not.toMatch(KEY);
  expect(commandLine).not.toContain(folder.dataDir);
});

/** Files and folders below a folder with the rights that others have to them. */
function openToOthers(path: string): string[] {
  const stat = statSync(path, { throwIfNoEntry: false });
  // A file of a running service, such as one that is about to be renamed, may have gone since it was listed.
  if (stat === undefined) return [];
  const mode = stat.mode & 0o777;
  const expected = stat.isDirectory() ? 0o700 : 0o600;
  const below = stat.isDirectory() ? readdirSync(path).flatMap((name) => openToOthers(join(path, name))) : [];
  return mode === expected ? below : [`${path} ${mode.toString(8)}`, ...below];
}

test.concurrent('files in the data folder are readable by their owner alone, with any umask', async () => {
  const above = temporaryFolder();
  const dataDir = join(above, 'data');
  const environment = { DATA_DIR: dataDir };
  const OPEN = 'umask 0';
  const lines = join(above, 'stj.jsonl');
  writeFileSync(lines, `${linesOf(decisions('stj', 30))}not a decision\n`);
  expect(await startScript('ingest/command.ts', ['stj', lines], environment, OPEN).ended).toBe(0);
  expect(await startScript('keys/command.ts', ['issue', 'dona'], environment, OPEN).ended).toBe(0);
  expect(openToOthers(dataDir)).toEqual([]);
  // Coverage of long ago, which others may read, is written anew at once.
  const stored = { calculado: true, total: 1, calculado_em: '2020-01-01T00:00:00.000Z' };
  const bases = BASES.map((base) => Object.assign({ base }, stored));
  const coverage = join(dataDir, 'cobertura.json');
  writeFileSync(coverage, JSON.stringify({ versao: 1, bases }));
  chmodSync(coverage, 0o644);
  const running = await startMain(dataDir, {}, OPEN);
  await until('coverage was written anew', () => (statSync(coverage).mode & 0o777) === 0o600);
  const again = startScript('ingest/command.ts', ['tjmg', lines], environment, OPEN);
  expect(await again.ended).toBe(0);
  const made = openToOthers(dataDir);
  running.kill('SIGTERM');
  expect(await running.ended).toBe(0);
  expect(made).toEqual([]);
  expect(openToOthers(dataDir)).toEqual([]);
});

test.concurrent('the first start of an empty folder makes files readable by their owner alone', async () => {
  const above = temporaryFolder();
  const dataDir = join(above, 'a', 'data');
  mkdirSync(join(above, 'a'), { mode: 0o755 });
  const first = await startMain(dataDir, {}, 'umask 0');
  const made = openToOthers(dataDir);
  first.kill('SIGTERM');
  expect(await first.ended).toBe(0);
  expect(made).toEqual([]);
  expect(commandLineOf(process.pid)).not.toMatch(KEY);
  expect(first.err()).not.toMatch(KEY);
});
