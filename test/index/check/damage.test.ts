import { closeSync, copyFileSync, openSync, readSync, truncateSync, writeSync } from 'node:fs';
import Database from 'better-sqlite3';
import { beforeAll, describe, expect, test } from 'vitest';
import type { BaseRequest } from '../../../src/engine/messages.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import { Rng } from '../../../src/tools/demo/rng.ts';
import { Handler } from '../../../workers/handler.ts';
import { damagesOf } from '../../support/index-content.ts';
import { NO_FILTER, afterPage, coverFrom, readOf, searchFor, searched } from '../../support/requests.ts';
import { loadLines, temporaryFolder, type Line } from '../../support/service.ts';

/** Enough that the commonest words have lists in every form. */
const DECISIONS = 5_000;
/** `FLIPS` makes it more. */
const RANDOM_FLIPS = Number(process.env['FLIPS'] ?? 150);
const AIMED_FLIPS = Math.ceil(RANDOM_FLIPS / 5);
/** What a search or the reading of a record looks at. */
const AIMS = [
  ...'postings positions terms sqlite_autoindex_terms_1 doc_values state replaced'.split(' '),
  ...'item frame record dictionary'.split(' '),
];

const COMMON = ['dano', 'moral', 'material', 'lei', 'recurso'];

function lineOf(at: number, text = ''): Line {
  const rng = new Rng(at);
  const words = Array.from({ length: 12 }, () =>
    rng.chance(0.8) ? rng.pick(COMMON) : `w${rng.below(3_000)}`,
  );
  return {
    tipo: at % 3 === 0 ? 'sumula' : 'acordao',
    chave: String(at),
    [at % 50 === 7 ? 'texto' : 'ementa']: `dano ${words.join(' ')} ${text}`,
    tese: at % 4 === 0 ? 'dano moral' : '',
    data_julgamento: `20${10 + (at % 15)}-0${1 + (at % 9)}-11`,
  };
}

describe('a flipped bit anywhere in a base file', () => {
  const folder = temporaryFolder();
  const file = baseFile(folder, 'stf');
  const copy = `${file}.copy`;
  let requests: BaseRequest[];
  let expected: string[];

  beforeAll(() => {
    const lines = Array.from({ length: DECISIONS }, (_, at) => lineOf(at));
    loadLines(folder, 'stf', lines);
    const first = new Handler(file, 'stf');
    const after = afterPage(searched(first, searchFor('dano', { ordem: 'relevancia', doc_ids_max: 20 })));
    first.close();
    const replaced = [3, 57, 900, 4_000].map((at) => lineOf(at, 'novo texto'));
    loadLines(folder, 'stf', replaced);
    const filter = { ...NO_FILTER, tipo: 'sumula', judged_from: 20_120_000 } as const;
    const few = { doc_ids_max: 30, rows_max: 5, count_ms: 60_000 };
    requests = [
      searchFor('dano moral', few),
      searchFor('dano moral', { ...few, ordem: 'relevancia' }),
      searchFor('"dano moral lei"', { ...few, ordem: 'relevancia' }),
      searchFor('NEAR(w1* lei, 2) OR w77 OR tese : moral', few),
      searchFor('novo OR w12', { ...few, ordem: 'relevancia' }),
      searchFor('w2999 OR nada', few),
      searchFor('w29* w1*', { ...few, filter }),
      searchFor('dano', { ordem: 'relevancia', doc_ids_max: 20, after }),
      readOf([1, 2_500, DECISIONS]),
      coverFrom(0, 10_000),
    ];
    copyFileSync(file, copy);
    // Answers name the very file that they come from.
    expected = answers(copy);
  });

  /** What each request is answered, without what is different each time; the failure where it is not. */
  function answers(from: string): string[] {
    const handler = new Handler(from, 'stf');
    const outcomes = requests.map((request) => handler.run([request])[0]);
    handler.close();
    return outcomes.map((outcome) =>
      outcome?.ok === true
        ? JSON.stringify({ ...outcome.value, data_version: '', count_ms: 0, rows_ms: 0 })
        : `failed: ${outcome?.failure ?? 'given back'}`,
    );
  }

  /** @returns the answers that are neither what they were nor the base's fault. */
  function wrongOf(from: string): string[] {
    return answers(from).filter((answer, at) => answer !== expected[at] && answer !== 'failed: unavailable');
  }

  function wrongAfter(place: number, bit: number): string[] {
    flip(copy, place, bit);
    try {
      return wrongOf(copy);
    } finally {
      flip(copy, place, bit);
    }
  }

  test('gives the undamaged answer or makes the base fail', () => {
    const rng = new Rng(3);
    const bytes = Bun.file(copy).size;
    for (let flips = 0; flips < RANDOM_FLIPS; flips += 1) {
      const [place, bit] = [rng.below(bytes), rng.below(8)];
      expect({ place, bit, wrong: wrongAfter(place, bit) }).toEqual({ place, bit, wrong: [] });
    }
  }, 200_000);

  test.each([...AIMS, 'the head of the file'])(
    'does so in %s',
    (aim) => {
      const rng = new Rng(4);
      const db = new Database(file, { readonly: true });
      const pages = db
        .prepare<[string], { offset: number; size: number }>(
          'SELECT pgoffset AS offset, pgsize AS size FROM dbstat WHERE name = ?',
        )
        .all(aim);
      db.close();
      if (pages.length === 0) pages.push({ offset: 0, size: 100 });
      for (let flips = 0; flips < AIMED_FLIPS; flips += 1) {
        const { offset, size } = rng.pick(pages);
        const [place, bit] = [offset + rng.below(size), rng.below(8)];
        expect({ aim, place, bit, wrong: wrongAfter(place, bit) }).toEqual({ aim, place, bit, wrong: [] });
      }
    },
    100_000,
  );

  test('gives the undamaged answer or makes the base fail if the file’s end is cut off', () => {
    const rng = new Rng(6);
    const whole = Bun.file(file).size;
    const cut = `${file}.cut`;
    for (let cuts = 0; cuts < AIMED_FLIPS; cuts += 1) {
      // Every other one at the end of a page, where SQLite sees nothing odd in the length.
      const length = cuts % 2 === 0 ? rng.below(whole) : rng.below(Math.floor(whole / 4_096)) * 4_096;
      copyFileSync(file, cut);
      truncateSync(cut, length);
      expect({ length, wrong: canOpen(cut) ? wrongOf(cut) : [] }).toEqual({ length, wrong: [] });
    }
  }, 200_000);

  function canOpen(from: string): boolean {
    try {
      new Handler(from, 'stf').close();
      return true;
    } catch {
      return false;
    }
  }

  test('is found by check-base, which finds nothing in a sound file', () => {
    const damages = () => damagesOf(copy, 'stf');
    expect(damages()).toEqual([]);
    const db = new Database(file, { readonly: true });
    const cells = db
      .prepare<[], { name: string; offset: number; size: number; unused: number }>(
        `SELECT name, pgoffset AS offset, pgsize AS size, unused FROM dbstat WHERE pagetype = 'leaf' AND ncell > 0`,
      )
      .all();
    db.close();
    const rng = new Rng(5);
    // Not pages with many bytes that nothing reads.
    const known = cells.filter(({ name, unused }) => unused < 200 && !name.startsWith('sqlite'));
    for (let flips = 0; flips < 12; flips += 1) {
      const { name, offset, size } = rng.pick(known);
      // The end of a page is where its first row lies.
      const [place, bit] = [offset + size - 1 - rng.below(40), rng.below(8)];
      flip(copy, place, bit);
      expect({ name, place, isFound: damages().length > 0 }).toEqual({ name, place, isFound: true });
      flip(copy, place, bit);
    }
    expect(damages()).toEqual([]);
  }, 200_000);
});

function flip(file: string, place: number, bit: number): void {
  const descriptor = openSync(file, 'r+');
  const byte = Buffer.alloc(1);
  readSync(descriptor, byte, 0, 1, place);
  byte[0] = (byte[0] ?? 0) ^ (1 << bit);
  writeSync(descriptor, byte, 0, 1, place);
  closeSync(descriptor);
}
