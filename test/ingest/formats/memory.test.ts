import { describe, expect, test } from 'vitest';
import { eprocHtml } from '../../../src/ingest/formats/eproc-html.ts';
import type { Formato, Source } from '../../../src/ingest/formats/format.ts';
import { readCards } from '../../../src/ingest/formats/html-cards.ts';
import { readRecords } from '../../../src/ingest/formats/json-records.ts';
import { stjEspelhos } from '../../../src/ingest/formats/stj-espelhos.ts';
import { tstPesquisa } from '../../../src/ingest/formats/tst-pesquisa.ts';

/**
 * A text of many records, of which a format may hold no more than a few: it is handed the next one only when what
 * it has found in those before has been taken, so that a reader that gathers would have to ask for everything first.
 */
const RECORDS = 2_000;
const TEXT = 'palavra '.repeat(250);

const CASES: readonly (readonly [Formato, string, (at: number) => string, string])[] = [
  [
    stjEspelhos,
    '[',
    (at) => `${at === 0 ? '' : ','}{"id":"${at}","siglaClasse":"REsp","ementa":"${TEXT}"}`,
    ']',
  ],
  [
    tstPesquisa,
    '{"totalRegistros":1,"registros":[',
    (at) => `${at === 0 ? '' : ','}{"registro":{"id":"${at}","ementa":"${TEXT}"}}`,
    ']}',
  ],
  [
    eprocHtml,
    '<html><body>',
    (at) => `<div class="resultadoItem" id="resultado${at}"><p>${TEXT}</p></div>`,
    '</body></html>',
  ],
];

describe('a big file', () => {
  test.each(CASES)(
    'is read record by record, a few ahead at most (%#)',
    async (format, start, record, end) => {
      let given = 0;
      const open = async function* () {
        yield Buffer.from(start);
        for (let at = 0; at < RECORDS; at += 1) {
          given = at + 1;
          yield Buffer.from(record(at));
        }
        yield Buffer.from(end);
      };
      const source: Source = { name: 'text', fileNames: ['x'], encoding: 'utf-8', open };
      let found = 0;
      let aheadMax = 0;
      for await (const { place } of format.read(source)) {
        expect(place).toContain(String(found + 1));
        found += 1;
        aheadMax = Math.max(aheadMax, given - found);
      }
      expect(found).toBe(RECORDS);
      expect(aheadMax).toBeLessThan(50);
    },
  );
});

describe('what was read', () => {
  const sourceOf = (start: string, record: string, end: string): Source => ({
    name: 'text',
    fileNames: [],
    encoding: 'utf-8',
    open: async function* () {
      yield Buffer.from(start);
      for (let at = 0; at < RECORDS; at += 1) yield Buffer.from(record);
      yield Buffer.from(end);
    },
  });
  const json = sourceOf('{"list":[{}', `,{"text":{"a":1},"b":"${'x'.repeat(200)}"}`, ']}');
  const html = sourceOf('<html><body>', '<div class="card"><p>x</p></div>', '</body></html>');
  const shape = { beginsCard: (name: string) => name === 'div', isOneElement: true, saysNothingFound: /x/ };

  test.each([
    [
      'records',
      readRecords(json, { list: '$.list', score: () => 0 }),
      ({ value }: { value: unknown }) => value,
    ],
    ['results', readCards(html, shape), ({ nodes }: { nodes: unknown }) => nodes],
  ])('is freed, and the list of %s does not grow with it', async (_, found, held) => {
    const refs: WeakRef<object>[] = [];
    for await (const one of found) {
      refs.push(new WeakRef(held(one as never) as object));
      if (refs.length < RECORDS - 1) continue;
      // A reference that was read in this turn stays until the next one.
      await new Promise((resolve) => setImmediate(resolve));
      Bun.gc(true);
      expect(refs.slice(0, RECORDS / 2).filter((ref) => ref.deref() !== undefined).length).toBeLessThan(50);
      return;
    }
    expect.unreachable();
  });
});
