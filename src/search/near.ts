import { bug } from '../bug.ts';
import type { NearReply, NearWord, QueryTerm, Tree } from '../engine/messages.ts';
import { ordinalForms } from '../contract/ordinals.ts';
import { isWrittenNumber, otherForms } from '../contract/word-forms.ts';

/** Most words of a query for which a page gets near words. */
const NEAR_WORDS_MAX = 5;

/** Words of the bases near a query word that no base has, best first, with their minimum number of decisions. */
export interface NearTerm {
  readonly absent: string;
  readonly near: readonly { readonly text: string; readonly docs: number }[];
}

export interface NearTerms {
  readonly terms: readonly NearTerm[];
  /** True if the search finds a decision when each word is replaced by its first near word. */
  readonly isFound: boolean;
}

const NEAR_SHOWN_MAX = 3;
const EDITED_LENGTH_MIN = 3;

/**
 * Words to find near words for: absent words, and after a search without results, numbers written with points, whose parts are
 * nearly always present, and `nº`, `5º` and their like, which every base holds in several spellings.
 */
export function wordsToLookFor(tree: Tree, absent: readonly QueryTerm[], isEmpty: boolean): NearWord[] {
  const phrases = isEmpty ? phrasesOf(tree) : [];
  const numbers = phrases.filter(isWrittenNumber);
  const ordinals = phrases.flatMap(ordinalsIn);
  const several = [...numbers, ...ordinals.filter(({ length }) => length > 1)];
  const isPart = (token: string) => several.some((tokens) => tokens.includes(token));
  const single = absent.filter(({ token, prefix }) => !prefix && !isPart(token)).map(({ token }) => [token]);
  const marked = ordinals.filter((tokens) => !isDigits(tokens));
  // Digits alone, as of `5°`, may be any number: only where nothing else is to be replaced.
  const others = single.length + numbers.length + marked.length > 0 ? marked : ordinals;
  const words = new Map([...single, ...numbers, ...others].map((tokens) => [tokens.join(' '), tokens]));
  const looked = new Set([...single, ...numbers].map((tokens) => tokens.join(' ')));
  return [...words]
    .map(([name, tokens]) => ({
      tokens,
      forms: otherForms(tokens).map((form) => form.tokens),
      edits: tokens.length === 1 && [...name].length >= EDITED_LENGTH_MIN && !/\d/.test(name),
      anyway: !looked.has(name),
    }))
    .filter(({ forms, edits }) => edits || forms.length > 0)
    .slice(0, NEAR_WORDS_MAX);
}

const isDigits = (tokens: readonly string[]) => tokens.every((token) => /^\d+$/.test(token));

function ordinalsIn(phrase: string[]): string[][] {
  if (phrase.length > 1 && isDigits(phrase)) return [];
  const parts = ordinalForms(phrase).length > 0 ? [phrase] : phrase.map((token) => [token]);
  return parts.filter((tokens) => ordinalForms(tokens).length > 0);
}

/** The phrases and single words outside NOT, without those of a prefix. */
function phrasesOf(tree: Tree): string[][] {
  switch (tree.kind) {
    case 'nothing':
      return [];
    case 'term':
      return tree.prefix ? [] : [[tree.token]];
    case 'positional':
      return tree.phrases
        .filter((phrase) => !phrase.some(({ prefix }) => prefix))
        .map((phrase) => phrase.map(({ token }) => token));
    case 'not':
      return phrasesOf(tree.of);
    case 'and':
    case 'or':
      return tree.parts.flatMap(phrasesOf);
  }
}

/** Merges the bases' replies. A word that any base has gets no near words, or only those with which the search finds something. */
export function mergedNear(words: readonly NearWord[], replies: readonly NearReply[]): NearTerms {
  const merged = words.map((word, at) =>
    mergedWord(
      word,
      replies.map(({ near }) => near[at] ?? null),
    ),
  );
  const mergedAt = (at: number) => merged[at] ?? bug('a word without its names');
  const placeOf = (found: NearReply['found']) =>
    found?.reduce((sum, tokens, at) => sum + namesOf(mergedAt(at)).indexOf(tokens?.join(' ') ?? ''), 0) ?? 0;
  // A base may find a decision with a less near word, because it lacks another base's nearer word.
  const [found = null] = replies
    .map((reply) => reply.found)
    .filter((one) => one !== null)
    .toSorted((a, b) => placeOf(a) - placeOf(b));
  const terms = words.map((word, at) => termOf(word, mergedAt(at), found?.[at]?.join(' ')));
  // A word that another base has is not replaced, and the search was not tried in that form.
  const isFound = found !== null && terms.every(({ near }, at) => found[at] === null || near.length > 0);
  return {
    terms: terms.filter(({ near }, at) => near.length > 0 && (isFound || words[at]?.anyway !== true)),
    isFound,
  };
}

type Counted = readonly (readonly [name: string, docs: number])[];

function namesOf(counted: Counted): string[] {
  return counted.map(([name]) => name);
}

/** Alternative spellings come first, then words one edit away. */
function mergedWord({ forms }: NearWord, found: readonly NearReply['near'][number][]): Counted {
  const docs = new Map<string, number>();
  if (found.includes(null)) return [];
  for (const one of found.flatMap((near) => near ?? [])) {
    const name = one.tokens.join(' ');
    docs.set(name, (docs.get(name) ?? 0) + one.docs);
  }
  const places = new Map(forms.map((form, at) => [form.join(' '), at]));
  const rank = (name: string) => places.get(name) ?? forms.length;
  return [...docs].toSorted(([a, m], [b, n]) => rank(a) - rank(b) || n - m);
}

/** @param tried the word that the search was tried with, shown first. */
function termOf({ tokens }: NearWord, merged: Counted, tried: string | undefined): NearTerm {
  const texts = new Map(otherForms(tokens).map((form) => [form.tokens.join(' '), form.text]));
  const first = merged.filter(([name]) => name === tried);
  const others = merged.filter(([name]) => name !== tried);
  const near = [...first, ...others].slice(0, NEAR_SHOWN_MAX);
  return {
    absent: tokens.join(' '),
    near: near.map(([name, docs]) => ({ text: texts.get(name) ?? name, docs })),
  };
}
