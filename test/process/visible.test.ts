import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { strToU8, zipSync } from 'fflate';
import { beforeEach, expect, test } from 'vitest';
import { visible, visibleLines } from '../../src/process/visible.ts';
import { run } from '../support/run.ts';
import { temporaryFolder } from '../support/service.ts';

/** A name that would colour, ring, clear, turn round and fake a line. */
const HOSTILE = 'a\u001b[31mb\u0007\u009b2J\u202egpj\r\nstj: 9 added\u2028.json';
const SHOWN = String.raw`a\u001b[31mb\u0007\u009b2J\u202egpj\u000d\u000astj: 9 added\u2028.json`;
const LINE = '{"tipo":"acordao","ementa":"dano moral"}';

let folder: string;
beforeEach(() => {
  folder = temporaryFolder();
});

function written(name: string, content: string | Uint8Array): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, content);
  return path;
}
const zipOf = (entries: Record<string, string>) =>
  zipSync(Object.fromEntries(Object.entries(entries).map(([name, text]) => [name, strToU8(text)])));

type Case = readonly [about: string, script: string, args: () => string[]];
const ofZip = (about: string, options: string, entries: Record<string, string>): Case => [
  about,
  'ingest',
  () => [...options.split(' '), written('x.zip', zipOf(entries))],
];
const CASES: readonly Case[] = [
  ofZip('an empty file in a zip', 'stj', { [HOSTILE]: '', 'b.jsonl': LINE }),
  ofZip('a file of no known format in a zip, and what it begins with', 'stj', { [HOSTILE]: HOSTILE }),
  ofZip('a damaged file in a zip', 'stj --from stj-espelhos', { [HOSTILE]: '[{"id":' }),
  ofZip('a name in a zip that leads out of it', 'stj', { [`../${HOSTILE}`]: LINE }),
  ofZip('an empty file in a zip of a dry run', 'stj --dry-run', { [HOSTILE]: '', 'b.jsonl': LINE }),
  ['a file that is not there', 'ingest', () => ['stj', join(folder, HOSTILE)]],
  ['a file that is taken for an option', 'ingest', () => ['stj', `--${HOSTILE}`]],
  ['a damaged key', 'keys', () => (written(join('keys', HOSTILE), HOSTILE), ['list'])],
  ['a run that is none', 'tools/load', () => ['--from', join(folder, HOSTILE)]],
];

test.each(CASES)('a command shows %s on one line, with codes for controls', async (_, script, args) => {
  const { out, err } = await run(`${script}/command.ts`, args(), { DATA_DIR: folder });
  const lines = `${out}${err}`.trimEnd().split('\n');
  // A dry run cuts its lines to the width of a terminal, which a folder's name may fill.
  if (!out.includes('dry run')) expect(lines.join('\n')).toContain(SHOWN);
  for (const line of lines) expect(line).toMatch(/^[^\p{Cc}\p{Bidi_Control}\p{Zl}\p{Zp}]*$/u);
  expect(lines.some((line) => line.startsWith('stj: 9 added'))).toBe(false);
});

test('a text of several lines keeps its lines and ordinary characters', () => {
  expect(visibleLines(`x\ny\u0085z`)).toBe('x\ny\\u0085z');
  const plain = 'Decisão nº 1 – “ação” 👩‍⚖️ \u00ad';
  expect(visible(plain)).toBe(plain);
});

test('a command shows each mistake of its configuration on a separate line, and a value cannot fake a line', async () => {
  const environment = { DATA_DIR: folder, NATS_URL: HOSTILE, PORT: 'x' };
  const { err, exitCode } = await run('keys/command.ts', ['list'], environment);
  expect(exitCode).toBe(1);
  const lines = err.trim().split('\n');
  expect(lines[0]).toBe('keys: the configuration is not valid:');
  expect(lines.slice(1).every((line) => line.startsWith('  - '))).toBe(true);
  expect(lines.length).toBeGreaterThan(1);
});
