import { oneLine } from './normalise.ts';

/** A short description of unexpected content, from its start. */
export function describeContent(start: string): string {
  const text = start.trimStart();
  if (text === '') return 'empty';
  if (text.startsWith('<')) return describePage(text);
  if (/^\[?\s*\{\s*'/u.test(text)) return 'a printed Python object, not JSON (write it with json.dumps)';
  if (/^[[{]/u.test(text)) return `JSON that begins with ${excerpt(text)}`;
  return isText(text) ? `text that begins with ${excerpt(text)}` : 'binary data';
}

/** The same for an HTML page: the title, and whether it asks for a CAPTCHA. */
export function describePage(html: string): string {
  const title = oneLine(TITLE.exec(html)?.[1]);
  const named = title === null ? 'an HTML page without a title' : `an HTML page titled ${excerpt(title)}`;
  return CAPTCHA.test(WITHOUT_CODE.transform(html)) ? `${named}, which asks for a CAPTCHA` : named;
}

const TITLE = /<title[^<>]{0,200}>([^<]{0,1000})/iu;
const CAPTCHA =
  /captcha|não sou um robô|n&atilde;o sou um rob|digite (?:os|as) (?:n[úu]meros|letras|caracteres)|verify you are human|just a moment/iu;
const EXCERPT_LENGTH = 50;

/** Scripts and styles name a CAPTCHA that the page does not show. */
const WITHOUT_CODE = new HTMLRewriter().on('script, style', { element: (element) => void element.remove() });

function excerpt(text: string): string {
  const line = text
    .slice(0, 4 * EXCERPT_LENGTH)
    .replaceAll(/\s+/gu, ' ')
    .trim();
  return JSON.stringify(line.length > EXCERPT_LENGTH ? `${line.slice(0, EXCERPT_LENGTH)}…` : line);
}

function isText(text: string): boolean {
  const head = text.slice(0, 1_000);
  return (head.match(/[\u0000-\u0008\u000e-\u001f\ufffd]/gu)?.length ?? 0) < head.length / 20;
}
