import { NEAR_WORDS_MAX } from '../config/limits.ts';
import type { NearReply, NearWord, Termo, Tree } from '../engine/messages.ts';
import { isWrittenNumber, otherForms } from '../query/word-forms.ts';

/** What the bases hold near a word of the query that none of them has, best first, and in how many decisions at least. */
export interface NearTerm {
  readonly absent: string;
  readonly near: readonly { readonly text: string; readonly docs: number }[];
}

export interface NearTerms {
  readonly terms: readonly NearTerm[];
  /** True if the search finds a decision with the first near word of each in its place. */
  readonly isFound: boolean;
}

const NEAR_SHOWN_MAX = 3;
const EDITED_LENGTH_MIN = 3;

/**
 * The words to look for near ones: those that are absent, and of a search that found nothing the numbers written with
 * points, whose parts are nearly always there.
 */
export function wordsToLookFor(tree: Tree, absent: readonly Termo[], isEmpty: boolean): NearWord[] {
  const numbers = isEmpty ? writtenNumbers(tree) : [];
  const isPart = (texto: string) => numbers.some((number) => number.includes(texto));
  const single = absent
    .filter(({ texto, prefixo }) => !prefixo && !isPart(texto))
    .map(({ texto }) => [texto]);
  const words = [...new Map([...single, ...numbers].map((tokens) => [tokens.join(' '), tokens])).values()];
  return words
    .map((tokens) => ({
      tokens,
      forms: otherForms(tokens).map((form) => form.tokens),
      edits:
        tokens.length === 1 &&
        [...(tokens[0] ?? '')].length >= EDITED_LENGTH_MIN &&
        !/\d/.test(tokens.join()),
    }))
    .filter(({ forms, edits }) => edits || forms.length > 0)
    .slice(0, NEAR_WORDS_MAX);
}

function writtenNumbers(tree: Tree): string[][] {
  switch (tree.kind) {
    case 'nothing':
    case 'term':
      return [];
    case 'positional':
      return tree.phrases
        .filter((phrase) => !phrase.some(({ prefixo }) => prefixo))
        .map((phrase) => phrase.map(({ texto }) => texto))
        .filter(isWrittenNumber);
    case 'not':
      return writtenNumbers(tree.of);
    case 'and':
    case 'or':
      return tree.parts.flatMap(writtenNumbers);
  }
}

/** Joins what the bases found. A word that any of them holds has no near ones. */
export function mergedNear(words: readonly NearWord[], replies: readonly NearReply[]): NearTerms {
  const found = replies.find((reply) => reply.found !== null)?.found ?? null;
  const terms = words.map((word, at) =>
    nearTo(
      word,
      replies.map(({ near }) => near[at] ?? null),
      found?.[at]?.join(' '),
    ),
  );
  // A word that another base turns out to hold keeps its place, and the search was not tried so.
  const isTried = (at: number) => found?.[at] === null || terms[at]?.near.length !== 0;
  return {
    terms: terms.filter(({ near }) => near.length > 0),
    isFound: found !== null && words.every((_, at) => isTried(at)),
  };
}

function nearTo(
  { tokens, forms }: NearWord,
  found: readonly NearReply['near'][number][],
  first: string | undefined,
): NearTerm {
  const docs = new Map<string, number>();
  for (const one of found.flatMap((near) => near ?? [])) {
    const name = one.tokens.join(' ');
    docs.set(name, (docs.get(name) ?? 0) + one.docs);
  }
  const places = new Map(forms.map((form, at) => [form.join(' '), at]));
  // The one that the search was tried with, then other ways to write the word, then those one edit away.
  const rank = (name: string) => (name === first ? -1 : (places.get(name) ?? forms.length));
  const best = [...docs].toSorted(([a, m], [b, n]) => rank(a) - rank(b) || n - m).slice(0, NEAR_SHOWN_MAX);
  const texts = new Map(otherForms(tokens).map((form) => [form.tokens.join(' '), form.text]));
  return {
    absent: tokens.join(' '),
    near: found.includes(null)
      ? []
      : best.map(([name, count]) => ({ text: texts.get(name) ?? name, docs: count })),
  };
}
