import { demoLines } from '../../../src/tools/demo/generate.ts';
import { issueKey, revokeKey } from '../../../src/keys/store.ts';
import { recordAsk, searchAsk } from '../measure/load.ts';
import { run } from '../../support/run.ts';
import { need, search, type World } from './soak-mix.ts';

/** How long a change may take to be seen by a running service; it promises a second for keys. */
const SEEN_MS_MAX = 10_000;
const POLL_MS = 100;
const KEY_NAME = 'soak-passing';
const DEMO_LINES = 3;
/** Every so many loads replace the marked decision of an earlier one. */
const MARKS = 3;

/** Issues a key, sees it work, revokes it, sees it refused. @throws with the promise that was broken. */
export async function changeKeys(world: World, dataDir: string): Promise<void> {
  const key = issueKey(dataDir, KEY_NAME, 1_000, new Date());
  const worked = await becomes(() => statusWith(world, key), 200);
  revokeKey(dataDir, KEY_NAME, new Date());
  need(worked, 'a key that was issued does not work');
  need(await becomes(() => statusWith(world, key), 401), 'a key that was revoked still works');
}

async function statusWith({ url }: World, key: string): Promise<number> {
  const headers = { authorization: `Bearer ${key}` };
  const response = await fetch(url + recordAsk(key, 'stj', 1).path, { headers });
  await response.text();
  return response.status;
}

/** Loads a few decisions, one of them with a unique word, which a search must then find once; an earlier one's it must not. */
export async function loadSome(world: World, dataDir: string, load: number): Promise<void> {
  const wordOf = (number: number) => `marcadeensaio${number}x`;
  const marked = {
    tipo: 'acordao',
    chave: `soak-${load % MARKS}`,
    ementa: `Decisão com ${wordOf(load)} dentro.`,
    extras: { demonstracao: true },
  };
  const lines = [...demoLines('stj', DEMO_LINES, 10_000 + load), JSON.stringify(marked)];
  const input = `${lines.join('\n')}\n`;
  const { exitCode, err } = await run('ingest/command.ts', ['stj', '-'], { DATA_DIR: dataDir }, input);
  need(exitCode === 0, `ingest: ${err.trim()}`);
  need(await becomes(() => found(world, wordOf(load)), 1), 'a decision that was loaded is not found');
  const replaced = load - MARKS;
  need(
    replaced < 0 || (await becomes(() => found(world, wordOf(replaced)), 0)),
    'a decision that was replaced is still found by its old text',
  );
}

async function found(world: World, word: string): Promise<number> {
  const page = await search(world, searchAsk(world.key, word, 'recentes', 'stj'));
  return page.bases_sem_resposta.length > 0 ? Number.NaN : page.itens.length;
}

async function becomes(look: () => Promise<number>, wanted: number): Promise<boolean> {
  const until = performance.now() + SEEN_MS_MAX;
  while ((await look()) !== wanted) {
    if (performance.now() > until) return false;
    await Bun.sleep(POLL_MS);
  }
  return true;
}
