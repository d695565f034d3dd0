import { mkdirSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { randomNumbers } from '../../src/tools/load/random.ts';
import { bePatient, WAIT } from '../support/patience.ts';
import { ROOT, startProgram, startScript, type Child } from '../support/run.ts';
import { startService, temporaryFolder } from '../support/service.ts';

bePatient();

const DECISIONS = 200;
const LOADS = 4;
/** A killed process gets this many times as long next, so that a busy machine ends too. */
const MORE = 1.5;

/** The program of docs/clients.md that reads what is new. */
function program(): string {
  const page = readFileSync(join(ROOT, 'docs/clients.md'), 'utf8');
  const blocks = [...page.matchAll(/^```ts\n([^]*?)^```$/gmu)].map(([, text = '']) => text);
  const found = blocks.find((text) => text.includes("ordem: 'recentes'"));
  if (found === undefined) throw new Error('docs/clients.md has no program that polls');
  return found;
}

test('the loop over recentes reads every decision once, while loads and the loop itself are killed', async () => {
  const service = await startService({ stj: [] });
  onTestFinished(() => service.stop());
  const folder = temporaryFolder();
  mkdirSync(join(folder, 'node_modules'));
  symlinkSync(ROOT, join(folder, 'node_modules/jurisprudencia'));
  writeFileSync(join(folder, 'novas.ts'), program());
  const environment = { JURISPRUDENCIA_URL: service.url, JURISPRUDENCIA_KEY: service.key };
  const random = randomNumbers(11);
  const poll = () => startProgram([process.execPath, 'novas.ts'], { cwd: folder, environment });
  /** Kills a process at a random moment, and the later the more were killed. @returns whether it ended by itself. */
  const killing = () => {
    let mostMs = 500;
    return async (child: Child): Promise<boolean> => {
      const kill = setTimeout(() => {
        mostMs *= MORE;
        child.kill('SIGKILL');
      }, random() * mostMs);
      const ended = await child.ended;
      clearTimeout(kill);
      return ended === 0;
    };
  };
  const load = async () => {
    const endsItself = killing();
    for (let at = 0; at < LOADS; at += 1) {
      const lines = Array.from({ length: DECISIONS / LOADS }, (_, one) =>
        JSON.stringify({ tipo: 'acordao', chave: `${at}-${one}`, ementa: `Dano moral ${at} ${one}` }),
      );
      const file = join(folder, `carga-${at}.txt`);
      writeFileSync(file, lines.join('\n'));
      const start = () => startScript('ingest/command.ts', ['stj', file], { DATA_DIR: service.dataDir });
      while (!(await endsItself(start())));
    }
  };
  const state = { isLoading: true };
  const loading = load().finally(() => {
    state.isLoading = false;
  });
  const endsItself = killing();
  const outcomes = new Set<boolean>();
  while (state.isLoading) outcomes.add(await endsItself(poll()));
  await loading;
  // A commit is visible within a tenth of a second, and the program may need less.
  const search = `${service.url}/v1/jurisprudencia/busca?q=dano+moral&tribunal=stj`;
  const headers = { authorization: `Bearer ${service.key}` };
  const total = async () =>
    /"encontrados_ate_1000":(\d+)/u.exec(await (await fetch(search, { headers })).text())?.[1];
  await expect.poll(total, WAIT).toBe(String(DECISIONS));
  const last = poll();
  expect(await last.ended, last.err()).toBe(0);
  const read = readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .flatMap((name) => readFileSync(join(folder, name), 'utf8').trim().split('\n'))
    .map((line) => Number((JSON.parse(line) as { id: string }).id.split(':')[1]));
  const all = Array.from({ length: DECISIONS }, (_, at) => at + 1);
  expect(read.toSorted((a, b) => a - b)).toEqual(all);
  expect(outcomes).toContain(false);
});
