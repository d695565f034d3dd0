import { Q_MAX, Q_MIN } from '../contract/vocabulary.ts';
import type { Pagina } from './page.ts';
import { foldedText } from './reading.ts';
import type { Documento } from './types.ts';

/** One word, the beginning of one, or a phrase. */
const PART = /^(?:[^\s"():{}^+]+|"[^"]+"\*?)$/u;

/** Words, prefixes, phrases that a search without results requires. Empty for other searches, and if near words find some. */
export function partsOf({ itens, completa, leitura, sugestao }: Pagina): string[] {
  if (itens.length > 0 || !completa || leitura === null || sugestao !== null) return [];
  const parts = [...new Set(leitura.split(' AND '))];
  return parts.length > 1 && parts.every((part) => PART.test(part)) ? parts : [];
}

/** A search for any of the parts, up to the length limit. */
export function anyOf(parts: readonly string[]): string {
  return parts.reduce((q, part) => (`${q} OR ${part}`.length > Q_MAX ? q : `${q} OR ${part}`));
}

/** The parts found together in a decision, from the decision where they have the most letters. */
export function together(parts: readonly string[], records: readonly Documento[]): string[] {
  const held = records.map(({ ementa, tese, dispositivo, temas, processo }) => {
    const texts = [ementa, tese, dispositivo, temas?.join(' '), processo].map((text) => spaced(text ?? ''));
    return parts.filter((part) => {
      const words = spaced(part);
      const wanted = part.endsWith('*') ? words.trimEnd() : words;
      return texts.some((text) => text.includes(wanted));
    });
  });
  return held.reduce((most, some) => (some.join('').length > most.join('').length ? some : most), []);
}

/** A single letter is too short to send. */
export function allOf(parts: readonly string[]): string {
  const q = parts.join(' ');
  return q.length < Q_MIN ? `"${q}"` : q;
}

/** The text's words, with one space before, between and after. */
function spaced(text: string): string {
  return ` ${foldedText(text)
    .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
    .trim()} `;
}
