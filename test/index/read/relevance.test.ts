import { rmSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { AfterRelevancia, SearchRequest } from '../../../src/engine/messages.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import { Handler } from '../../../workers/handler.ts';
import { rankByOracle, type Columns } from '../../support/relevance-oracle.ts';
import { afterPage, searchFor, searched } from '../../support/requests.ts';
import { loadLines, temporaryFolder, type Line } from '../../support/service.ts';

const WORDS = ['dano', 'danos', 'moral', 'material', 'ação', 'recurso', 'lei', 'prova', 'x1', 'réu'];
/** Texts of few words, so that ties, common words and words in no text all occur. */
const text = fc.array(fc.constantFrom(...WORDS), { maxLength: 25 }).map((words) => words.join(' '));
const temas = text.map((tema) => [tema]);
const decision = fc.record({ ementa: text, tese: text, dispositivo: text, temas });
const query = fc.constantFrom(
  'dano',
  'dano moral',
  'dan*',
  'dan* OR lei',
  'recurso OR x1 OR prova',
  '"dano moral"',
  'dano NOT moral',
  'ementa : dano AND lei',
  'reu ação',
  '(dano OR danos) AND moral',
);

const columnsOf = ({ temas: list, ...texts }: { temas: string[]; ementa: string }): Columns => ({
  ...texts,
  temas: list.join('\n'),
});
/** Every match by relevance, page by page. */
function pages(handler: Handler, request: SearchRequest, size: number, between?: () => void): number[] {
  const all: number[] = [];
  let after: AfterRelevancia | null = null;
  for (;;) {
    const reply = searched(handler, { ...request, ordem: 'relevancia', after, doc_ids_max: size });
    all.push(...reply.doc_ids);
    if (reply.doc_ids.length < size) return all;
    after = afterPage(reply);
    between?.();
  }
}

describe('relevance', () => {
  const dataDir = temporaryFolder();

  test('is the order of scoring every match with the documented formula, ties by number, also page by page', () => {
    fc.assert(
      fc.property(
        fc.array(decision, { minLength: 1, maxLength: 40 }),
        query,
        fc.integer({ min: 1, max: 9 }),
        (decisions, q, size) => {
          const folder = temporaryFolder();
          // A key for each, for two alike are two decisions here.
          const lines = decisions.map((one, at) => ({ ...one, tipo: 'acordao', chave: String(at) }));
          loadLines(folder, 'stj', lines);
          const handler = new Handler(baseFile(folder, 'stj'), 'stj');
          const request = searchFor(q, { ordem: 'relevancia' });
          const matching = new Set(searched(handler, searchFor(q)).doc_ids);
          const expected = rankByOracle(decisions.map(columnsOf), matching, request.terms);
          expect(searched(handler, request).doc_ids).toEqual(expected);
          expect(pages(handler, request, size)).toEqual(expected);
          handler.close();
          rmSync(folder, { recursive: true });
        },
      ),
      { numRuns: 60 },
    );
  });

  test('keeps its order while decisions of read and later pages are replaced', () => {
    const line = (at: number, repeats: number): Line => ({
      tipo: 'acordao',
      chave: `r${at}`,
      ementa: `${'dano '.repeat(repeats)}${'x '.repeat(at % 13)}`,
    });
    const all = Array.from({ length: 50 }, (_, at) => at);
    const load = (lines: readonly Line[]) => {
      loadLines(dataDir, 'stf', lines);
    };
    load(all.map((at) => line(at, 1 + (at % 9))));
    const handler = new Handler(baseFile(dataDir, 'stf'), 'stf');
    const request = searchFor('dano', { ordem: 'relevancia' });
    const before = searched(handler, request).doc_ids;
    let round = 0;
    // Each time others change positions, some of them twice: those that led fall behind, and the other way round.
    const joined = pages(handler, request, 6, () => {
      round += 1;
      const changed = all.filter((at) => at % 3 !== round % 3);
      load(changed.map((at) => line(at, 1 + ((at + 4 * round) % 9))));
    });
    expect(joined).toEqual(before);
    expect(searched(handler, request).doc_ids).not.toEqual(before);
    handler.close();
  });

  test('follows a decision whose text is replaced, and forgets its old words', () => {
    const chave = 'mudada';
    loadLines(dataDir, 'tst', [
      { tipo: 'acordao', chave, ementa: 'antiga palavra comum' },
      { tipo: 'acordao', chave: 'outra', ementa: 'comum' },
      { tipo: 'acordao', chave: 'integra', texto: 'palavra antiga no inteiro teor comum' },
    ]);
    loadLines(dataDir, 'tst', [
      { tipo: 'acordao', chave, ementa: 'nova comum comum comum' },
      { tipo: 'acordao', chave: 'integra', texto: 'só comum' },
    ]);
    const handler = new Handler(baseFile(dataDir, 'tst'), 'tst');
    const columns = ['nova comum comum comum', 'comum', 'só comum'].map((ementa) => ({ ementa }));
    for (const q of ['comum', 'nova OR comum', 'antiga OR comum', 'palavra* OR comum']) {
      const request = searchFor(q, { ordem: 'relevancia' });
      const reply = searched(handler, request);
      expect(reply.doc_ids).toEqual(rankByOracle(columns, new Set([1, 2, 3]), request.terms));
    }
    expect(searched(handler, searchFor('antiga')).doc_ids).toEqual([]);
    expect(searched(handler, searchFor('antiga OR comum', { ordem: 'relevancia' })).start).toMatchObject({
      df: [0, 3],
    });
    handler.close();
  });

  test('ranks decisions on both sides of a block of numbers', () => {
    const lines = Array.from({ length: 66_000 }, (_, at) => ({
      tipo: 'acordao',
      chave: String(at),
      ementa: at % 1000 === 0 ? 'raro '.repeat(1 + ((at / 1000) % 9)) : 'resto',
    }));
    loadLines(dataDir, 'tjmg', lines);
    const handler = new Handler(baseFile(dataDir, 'tjmg'), 'tjmg');
    const request = searchFor('raro', { ordem: 'relevancia' });
    const matching = new Set(searched(handler, searchFor('raro')).doc_ids);
    expect(matching.size).toBe(66);
    const expected = rankByOracle(
      lines.map(({ ementa }) => ({ ementa })),
      matching,
      request.terms,
    );
    expect(searched(handler, request).doc_ids).toEqual(expected);
    handler.close();
  });
});
