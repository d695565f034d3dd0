import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import type { Busca } from '../../../src/contract/busca.ts';
import { BASES, ORDENS, type Base, type Ordem } from '../../../src/contract/vocabulary.ts';
import { BUSCA } from '../../http/checks.ts';
import { startScript } from '../../support/run.ts';
import { soundCount } from './support-content.ts';
import { COMUM, decisions, linesOf, newestWith, SETIMO, TERCO } from './support-corpus.ts';
import { expectNoUnhandledRejection } from './support-poll.ts';
import { EACH, faultFolder, startFaultService, type FaultService } from './support-service.ts';
import { Traffic } from './support-traffic.ts';
import { fetchAs } from '../../support/documented.ts';

const BASE: Base = 'stj';
const ALL = 5_000;
const ANSWERS = 60;

expectNoUnhandledRejection();

let service: FaultService;
beforeEach(() => {
  service = startFaultService(faultFolder());
});
afterEach(() => service.stop());

/** New decisions, with those that searches find replaced in between: at the beginning, the middle and the end. */
function writeLoad(): string {
  const file = join(service.dataDir, 'load.jsonl');
  const middle = Math.floor(ALL / 2);
  const lines = [
    ...decisions(BASE, EACH, 1, 2),
    ...decisions(BASE, middle, EACH + 1),
    ...decisions(BASE, EACH, 1, 3).toReversed(),
    ...decisions(BASE, ALL, middle + 1),
    ...decisions(BASE, EACH, 1, 4),
  ];
  writeFileSync(file, linesOf(lines));
  service.loaded.allow(BASE, EACH + 1, ALL, 1);
  for (const version of [2, 3, 4]) service.loaded.allow(BASE, 1, EACH, version);
  return file;
}

async function page(query: Record<string, string>): Promise<Busca> {
  const response = await fetchAs(
    `${service.url}${BUSCA}?${new URLSearchParams(query).toString()}`,
    service.key,
  );
  expect(response.status).toBe(200);
  return (await response.json()) as Busca;
}

/** A reader who has had the first page, and continues when a test asks it to. */
interface Reader {
  readonly word: string;
  readonly ordem: Ordem;
  readonly ids: string[];
  cursor: string | null;
}

async function begin(word: string, ordem: Ordem): Promise<Reader> {
  const first = await page({ q: word, ordem, limite: '9' });
  for (const { ordem_aplicada } of first.por_base) expect(ordem_aplicada).toBe(ordem);
  return { word, ordem, ids: first.itens.map(({ id }) => id), cursor: first.proximo_cursor };
}

async function readOn(reader: Reader, pages: number): Promise<void> {
  for (let read = 0; read < pages && reader.cursor !== null; read += 1) {
    const { word, ordem, cursor } = reader;
    const next = await page({ q: word, ordem, limite: '9', cursor });
    expect(next.bases_sem_resposta).toEqual([]);
    for (const item of next.itens) expect(service.loaded.faultOfItem({ ...item })).toBeNull();
    reader.ids.push(...next.itens.map(({ id }) => id));
    reader.cursor = next.proximo_cursor;
  }
}

/** Joined, the pages are the lists as they stood at the first page. */
function expectAsBefore({ word, ordem, ids }: Reader): void {
  for (const base of BASES) {
    const places = ids
      .filter((id) => id.startsWith(`${base}:`))
      .map((id) => Number(id.slice(base.length + 1)));
    const list = ordem === 'recentes' ? newestWith(word, EACH) : service.ranking.of(base, word);
    expect([base, places]).toEqual([base, [...list]]);
  }
}

describe('an ingest of 5,000 decisions at full speed during searches', () => {
  test('fails no request, shows no partial record, and keeps earlier cursors right', async () => {
    const file = writeLoad();
    const before: Reader[] = [];
    for (const word of [COMUM, TERCO, SETIMO]) {
      for (const ordem of ORDENS) before.push(await begin(word, ordem), await begin(word, ordem));
    }
    const traffic = new Traffic({ ...service, isGrowing: true });
    traffic.start();
    await traffic.more(ANSWERS);
    const answersBefore = traffic.answers;
    const ingest = startScript('ingest/command.ts', [BASE, file], { DATA_DIR: service.dataDir });
    // Half of the readers go on while it loads, the others only when all is loaded.
    const during = before.filter((_, at) => at % 2 === 0);
    while (!ingest.hasEnded()) {
      for (const reader of during) await readOn(reader, 1);
      await traffic.more(5);
    }
    expect([await ingest.ended, ingest.err()]).toEqual([0, '']);
    expect(ingest.out()).toContain(`${ALL - EACH} added, ${3 * EACH} replaced`);
    expect(traffic.answers).toBeGreaterThan(answersBefore);
    for (const reader of before) await readOn(reader, Number.POSITIVE_INFINITY);
    for (const reader of before) expectAsBefore(reader);

    await traffic.more(ANSWERS);
    service.loaded.replace(BASE, 1, EACH, 4);
    await traffic.readEach(BASE, [...newestWith(COMUM, ALL), EACH + 1, ALL - 1]);
    expect(await traffic.stop()).toEqual([]);
    expect(soundCount(service.dataDir, BASE)).toBe(ALL);
    const last = await page({ q: COMUM, ordem: 'recentes', tribunal: BASE, limite: '50' });
    expect(last.itens.map(({ id }) => id)).toEqual(
      newestWith(COMUM, ALL)
        .slice(0, 50)
        .map((place) => `${BASE}:${place}`),
    );
  });

  test('into all six bases at once fails no request and shows no partial record', async () => {
    const count = 400;
    const traffic = new Traffic({ ...service, isGrowing: true });
    traffic.start();
    const loads = BASES.map((base) => {
      const file = join(service.dataDir, `${base}.jsonl`);
      writeFileSync(file, linesOf([...decisions(base, count, EACH + 1), ...decisions(base, EACH, 1, 2)]));
      service.loaded.allow(base, EACH + 1, count, 1);
      service.loaded.allow(base, 1, EACH, 2);
      return startScript('ingest/command.ts', [base, file], { DATA_DIR: service.dataDir });
    });
    for (const load of loads) expect([await load.ended, load.err()]).toEqual([0, '']);
    await traffic.more(ANSWERS);
    expect(await traffic.stop()).toEqual([]);
    for (const base of BASES) {
      expect(soundCount(service.dataDir, base)).toBe(count);
      rmSync(join(service.dataDir, `${base}.jsonl`));
    }
  });
});
