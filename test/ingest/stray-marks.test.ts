import fc from 'fast-check';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { htmlText } from '../../src/ingest/html-text.ts';
import { StrayMarks, withoutStrayMarks } from '../../src/ingest/stray-marks.ts';
import { hasOrigens, origemFile } from './formats/support.ts';

/** Marks, tags, and what is nearly one, with text between them. */
const PIECES = [
  ...'<|<<|< |>|</|<!|<!--|-->|<?|<b>|</b>|<br />|<br|/>|<p class="x">|RECURSO|em|EM| |\n'.split('|'),
  ...'=|"|a|A|ç|&lt;|<td nowrap>|<o:p>|<div|1'.split('|'),
];
const html = fc.array(fc.constantFrom(...PIECES), { maxLength: 30 }).map((pieces) => pieces.join(''));

describe('a < that begins no tag', () => {
  test.each([
    ['<<RECURSO PROVIDO.<br />Texto', '&lt;&lt;RECURSO PROVIDO.<br />Texto'],
    ['< EMENTA: x', '&lt; EMENTA: x'],
    ['<RECURSO NÃO PROVIDO>', '&lt;RECURSO NÃO PROVIDO>'],
    ['<EM RECURSO PROVIDO>', '&lt;EM RECURSO PROVIDO>'],
    ['<A APELAÇÃO foi provida. <b>x</b>', '&lt;A APELAÇÃO foi provida. <b>x</b>'],
    ['<a parte que recorreu>', '&lt;a parte que recorreu>'],
    ['</RECURSO PROVIDO.<br>', '&lt;/RECURSO PROVIDO.<br>'],
    ['<!RECURSO> <?RECURSO>', '&lt;!RECURSO> &lt;?RECURSO>'],
    ['1<2 e R$<3, art. <b', '1&lt;2 e R$&lt;3, art. &lt;b'],
  ])('is escaped: %s', (text, escaped) => {
    expect(withoutStrayMarks(text)).toBe(escaped);
  });

  test.each([
    '<b>x</b><BR><br/><hr />',
    '<FONT STYLE="background-color:#FFFF00">x</FONT>',
    '<td nowrap class="corpo"><input disabled><option selected>x',
    "<a href='x'\n      title = y>x</a >",
    '<div vw-plugin-wrapper><div vw>x</div></div>',
    '<o:p></o:p><st1:PersonName ProductID="x">x</st1:PersonName><app-root></app-root><svg viewBox="0 0 1 1">',
    '<!DOCTYPE html><!doctype html><!-- < --><![CDATA[x]]><?xml version="1.0"?>'.replace(' < ', ' '),
    `<div${' '.repeat(900)}class="x">`,
  ])('is not found in a tag: %s', (text) => {
    expect(withoutStrayMarks(text)).toBe(text);
  });

  test('is found however the text is cut into chunks', () => {
    fc.assert(
      fc.property(html, fc.array(fc.nat(40)), (text, cuts) => {
        const marks = new StrayMarks();
        const places = [
          0,
          ...cuts.map((cut) => cut % (text.length + 1)).toSorted((a, b) => a - b),
          text.length,
        ];
        const pieces = places.slice(1).map((place, at) => marks.write(text.slice(places[at], place)));
        expect(pieces.join('') + marks.end()).toBe(withoutStrayMarks(text));
      }),
      { numRuns: 2_000 },
    );
  });

  test('removes no word of a text', () => {
    const word = fc.constantFrom(...'RECURSO EM A B provido < << <EM <A <b </b <! x.'.split(' '));
    fc.assert(
      fc.property(fc.array(word), (words) => {
        const text = htmlText(`<p>${words.join(' ')}</p>`)?.replaceAll(/\W/gu, '') ?? '';
        expect(text).toBe(words.join('').replaceAll(/\W/gu, ''));
      }),
    );
  });
});

test.skipIf(!hasOrigens())('no tag of a real page is taken for one', () => {
  for (const page of ['eproc/tnu_eproc_aposentadoria.html', 'eproc/trf6_eproc_aposentadoria.html']) {
    const text = readFileSync(origemFile(page), 'latin1');
    expect(withoutStrayMarks(text)).toBe(text);
  }
});
