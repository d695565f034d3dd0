import { Parser } from 'htmlparser2';
import { Bounds } from './bounds.ts';
import { prose } from './normalise.ts';
import { withoutStrayMarks } from './stray-marks.ts';

/**
 * An HTML fragment's text as a browser shows it: each block on separate lines, no styles or scripts. Text without markup stays
 * unchanged.
 * @throws BeyondBounds if elements are nested too deep.
 */
export function htmlText(value: unknown): string | null {
  if (typeof value !== 'string') return prose(value);
  // A text that grows by millions of pieces, each entity one, takes many times its size.
  const pieces: string[] = [];
  let hidden = 0;
  const bounds = new Bounds();
  const parser = new Parser({
    onopentagname: (name) => {
      bounds.enter();
      if (HIDDEN.has(name)) hidden += 1;
      if (BLOCKS.has(name)) pieces.push('\n');
      else if (CELLS.has(name)) pieces.push(' ');
    },
    ontext: (piece) => {
      // HTML treats line breaks of the source as spaces. JavaScript's \s has an invisible character.
      if (hidden === 0) pieces.push(piece.replaceAll(/[^\S\ufeff]+/gu, ' '));
    },
    onclosetag: (name) => {
      bounds.leave();
      if (HIDDEN.has(name)) hidden -= 1;
      if (BLOCKS.has(name)) pieces.push('\n');
    },
  });
  parser.write(withoutStrayMarks(value));
  parser.end();
  return prose(pieces.join('').replaceAll(/[ \n]+/gu, (run) => (run.includes('\n') ? '\n' : run)));
}

const HIDDEN = new Set(['head', 'script', 'style', 'template', 'title']);
const CELLS = new Set(['td', 'th']);
const BLOCKS = new Set(
  (
    'address article blockquote br caption center dd div dl dt fieldset figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hr li main ol p pre section table tr ul'
  ).split(' '),
);
