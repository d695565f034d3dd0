import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { FORMATOS } from '../../../src/ingest/formats/table.ts';
import { memberNames } from '../../../src/ingest/member-names.ts';
import { REAL_BASES, corpusFile } from '../../support/corpora.ts';
import { rowsIn } from '../../support/index-content.ts';
import { ingesting } from '../support-ingest.ts';
import { hasOrigens, origemFile } from './support.ts';

/** Every raw page of decisions there is, with the format and the number of results a person counts in it. */
const PAGES: readonly (readonly [Base, string, string, number])[] = [
  ['tst', 'tst-pesquisa', 'tst/pesquisa-pagina.json', 50],
  ['tst', 'tst-pesquisa', 'tst/tst_jurisprudencia_responsabilidade.json', 1],
  ['stf', 'stf-pesquisa', 'stf/stf_juris_infanticidio.json', 2],
  ['stf', 'stf-pesquisa', 'stf/stf_juris_empty.json', 0],
  ['eproc', 'eproc-html', 'eproc/tnu_eproc_aposentadoria.html', 10],
  ['eproc', 'eproc-html', 'eproc/trf6_eproc_aposentadoria.html', 10],
  ['tjmg', 'tjmg-html', 'tjmg/results_normal_page_01.html', 10],
  ['tjmg', 'tjmg-html', 'tjmg/results_normal_page_02.html', 10],
  ['tjmg', 'tjmg-html', 'tjmg/single_page.html', 10],
  ['tjmg', 'tjmg-html', 'tjmg-2020/2020-05-01-pagina-6.html', 100],
  ['tjmg', 'tjmg-html', 'tjmg-2020/2020-05-01-pagina-7.html', 73],
];
/** The bases, with the number of results that their pages show twice. */
const LOADED = [
  ['tst', 0],
  ['stf', 0],
  ['eproc', 0],
  ['tjmg', 1],
] as const;

const { dataDir, load } = ingesting();
const ingest = (base: Base, files: readonly string[]) => load(base, files, { strict: true });

/** The format of which a text has more than twice the signs of any other. */
function recognised(start: string): string | undefined {
  const { names } = memberNames(start);
  const scores = FORMATOS.map(({ name, recognises }) => ({ name, score: recognises(start, names) }));
  const [first, second] = scores.toSorted((a, b) => b.score - a.score);
  return first!.score > 2 * second!.score ? first!.name : undefined;
}

describe.skipIf(!hasOrigens())('real data', () => {
  test.each(PAGES)('of %s is recognised clearly as %s: %s', (_, name, page) => {
    const start = readFileSync(origemFile(page))
      .subarray(0, 64 * 1024)
      .toString('latin1');
    expect(recognised(start)).toBe(name);
  });

  test.each(REAL_BASES)('in canonical form of %s is recognised as canonical', (base) => {
    const start = readFileSync(corpusFile(base))
      .subarray(0, 64 * 1024)
      .toString();
    expect(recognised(start)).toBe('jsonl');
  });

  test.each(LOADED)('of %s loads without rejects, and unchanged when loaded twice', async (base, twice) => {
    const pages = PAGES.filter((page) => page[0] === base);
    const files = pages.map(([, , page]) => origemFile(page));
    const count = pages.reduce((sum, page) => sum + page[3], 0);
    const first = await ingest(base, files);
    expect(first).toMatchObject({
      exitCode: 0,
      err: '',
      out: expect.stringContaining(
        `${base}: ${count - twice} added, 0 replaced, ${twice} unchanged, 0 rejected (`,
      ),
    });
    expect(first.out).not.toContain('left out');
    const before = rowsIn(baseFile(dataDir(), base));
    expect(await ingest(base, files)).toMatchObject({
      exitCode: 0,
      out: expect.stringContaining(`0 added, 0 replaced, ${count} unchanged, 0 rejected (`),
    });
    expect(rowsIn(baseFile(dataDir(), base))).toEqual(before);
  });

  test.each(['package_search', 'package_show'])(
    'of the STJ is its catalog (%s), which holds no decision and is refused',
    async (name) => {
      const done = await ingest('stj', [join(origemFile('stj'), `stj_ckan_${name}.json`)]);
      expect(done).toMatchObject({
        exitCode: 1,
        out: '',
        err: expect.stringContaining('--from: jsonl, stj-espelhos'),
      });
    },
  );
});
