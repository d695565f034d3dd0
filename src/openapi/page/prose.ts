import { joined, markup, type Markup } from '../../html/markup.ts';

/** As much of CommonMark as the document's texts use: paragraphs, lists, code and strong emphasis. */
export function prose(text: string): Markup {
  return joined(text.split(/\n{2,}/u).map(block));
}

/** One line of it, without a block around it. */
export function inline(text: string): Markup[] {
  return text.split(/(`[^`]+`|\*\*[^*]+\*\*)/u).map((part) => {
    if (part.startsWith('`')) return markup`<code>${part.slice(1, -1)}</code>`;
    if (part.startsWith('**')) return markup`<strong>${part.slice(2, -2)}</strong>`;
    return markup`${part}`;
  });
}

function block(text: string): Markup {
  const lines = text.split('\n');
  if (!lines.every((line) => line.startsWith('- '))) return markup`<p>${inline(text)}</p>`;
  return markup`<ul>${lines.map((line) => markup`<li>${inline(line.slice(2))}</li>`)}</ul>`;
}
