import { describe, expect, test } from 'vitest';
import { workedMs } from '../../src/index/read/budget.ts';
import { BeyondBounds, checkJson } from '../../src/ingest/bounds.ts';
import { readLine } from '../../src/ingest/canonical.ts';
import { describeContent, describePage } from '../../src/ingest/describe.ts';
import { eprocHtml } from '../../src/ingest/formats/eproc-html.ts';
import { FORMATOS } from '../../src/ingest/formats/table.ts';
import { tjmgHtml } from '../../src/ingest/formats/tjmg-html.ts';
import { htmlText } from '../../src/ingest/html-text.ts';
import { memberNames } from '../../src/ingest/member-names.ts';
import { repairMojibake } from '../../src/ingest/mojibake.ts';
import { oneLine, plainText, textList, unwrapped, withoutHeading } from '../../src/ingest/normalise.ts';
import { withoutPersonal } from '../../src/ingest/personal.ts';
import { pythonList } from '../../src/ingest/python-list.ts';
import { withoutStrayMarks } from '../../src/ingest/stray-marks.ts';
import { ementaStatus, excerpt } from '../../src/ingest/text.ts';
import { LAST } from './formats/support.ts';

/** What takes the square of this many characters takes minutes, and what reads them once some milliseconds. */
const CHARACTERS = 200_000;
/** CPU time for all the pieces together, on a slow machine. */
const MS_MAX = 20_000;

const PIECES = [
  ...'<& "\'0\u0301\n\r\t\\[{->.,–\u00a0\u00ad\u200b\u2028\ufffd\ud83daáÃ',
  ...'( |😀\u200d| \n|\n |\n1. |a-\n|a.\n|Ã\u0083|Ã§|â€|123.|123.456.789-09|12/34/|ler mais '.split('|'),
  ...'<b|<b |<a |<a A|<iii>|<a href=|<em a=|<td>|<td> |</i>|<p>|</p>|<i>a</i> |<br />|<title|<title>|<script'.split(
    '|',
  ),
  ...'<script>|<style>|<!--|<![|<?xml|<form>|class="|&amp;|&amp;amp;|&#x26;|&lt;|<EMENTA: <'.split('|'),
  ...'EMENTA|EMENTA:|\', |\',|\\x|1.|"id" : |"numeroRegistro"|{"tipo"|id="hdnTotalResultado"|Processo:'.split(
    '|',
  ),
  `${'a'.repeat(44)} `,
];

const READERS: readonly (readonly [string, (text: string) => unknown])[] = [
  ['plainText', plainText],
  ['oneLine', oneLine],
  ['unwrapped', unwrapped],
  ['textList', textList],
  ['withoutHeading', withoutHeading],
  ['htmlText', htmlText],
  ['withoutStrayMarks', withoutStrayMarks],
  ['repairMojibake', repairMojibake],
  ['pythonList', (text) => pythonList(`['${text}']`)],
  ['withoutPersonal', withoutPersonal],
  ['ementaStatus', ementaStatus],
  ['excerpt', excerpt],
  ['describeContent', describeContent],
  ['describePage', describePage],
  ['checkJson', checkJson],
  [
    'readLine',
    (text) => readLine(JSON.stringify({ tipo: 'acordao', extras: { [text]: text } }), 'stj', LAST),
  ],
  ['an unknown field', (text) => readLine(JSON.stringify({ [text]: 1 }), 'stj', LAST)],
  [
    'recognition',
    (text) => {
      const start = text.slice(0, 64 * 1024).trimStart();
      return FORMATOS.map(({ recognises }) => recognises(start, memberNames(start).names));
    },
  ],
];

describe('reading takes time linear in the text', () => {
  test.each(READERS)('in %s, for any repeated text', (_, read) => {
    const before = workedMs();
    for (const piece of PIECES) {
      const text = piece.repeat(CHARACTERS / piece.length);
      for (const one of [text, `a\t${text}b`]) orBeyondBounds(() => read(one));
    }
    expect(workedMs() - before).toBeLessThan(MS_MAX);
  });

  const label = '<b class="resLabel">k</b>';
  test.each([
    [
      'labels next to one value',
      eprocHtml,
      `${label.repeat(30_000)}<p class="resValue">${'v'.repeat(40_000)}`,
    ],
    ['values next to one label', eprocHtml, `${label}${'<p class="resValue">v</p>'.repeat(30_000)}`],
    ['words for a class', tjmgHtml, `1.0000.20.123456-7/001 ${'Processo: '.repeat(200_000)}`],
    ['bold words', tjmgHtml, `1.0000.20.123456-7/001 ${'<strong>x</strong>'.repeat(40_000)}`],
  ])('of a page with many %s', async (_, format, content) => {
    const type = '<b class="resLabel">T</b><p class="resValue resValueTipoJurisprudencia">Acórdão</p>';
    const process = '<b class="resLabel">PROCESSO</b><p class="resValue">1/TNU</p>';
    const page =
      `<html><div class="resultadoItem"><div id="resultado1"></div><div>${type}</div><div>${process}</div>` +
      `<div class="caixa_processo">${content}</div></div></html>`;
    const open = async function* () {
      yield Buffer.from(page);
    };
    const before = workedMs();
    const records = format.read({ name: 'x', fileNames: [], encoding: 'utf-8', open });
    const found = await Array.fromAsync(records, ({ item }) => item(LAST));
    expect(found).toMatchObject([{ kind: 'linha' }]);
    expect(workedMs() - before).toBeLessThan(MS_MAX);
  });
});

/** What is beyond a bound was read once, too. */
function orBeyondBounds(read: () => unknown): void {
  try {
    read();
  } catch (error) {
    expect(error).toBeInstanceOf(BeyondBounds);
  }
}
