import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { LIMITE_MAX, Q_MAX } from '../../contract/vocabulary.ts';
import { nullable } from '../../contract/nullable.ts';
import { PlainError } from '../../process/fail.ts';
import { HttpClient } from './http-client.ts';
import type { GeneratorPlan } from './plan.ts';
import { pick, randomNumbers } from './random.ts';

/** Enough excerpts: an excerpt has about a hundred words, with thousands of combinations. */
const EXCERPTS_ENOUGH = 5_000;
/** Pages of a search to read for words. */
const PAGES_MAX = 4;
/** Most shorter words occur in every decision. */
const WORD = /\p{L}{4,}/gu;
/** Matches each pair of adjacent words. */
const PAIR = /(?<!\p{L})(\p{L}{4,}) (?=(\p{L}{4,}))/gu;
/** Numbers of words in a query, equally probable. */
const LENGTHS = [2, 2, 3, 3, 4];
/** One in this many queries is a phrase. */
const PHRASE_EVERY = 8;
/** Tries for each query; small bases run out of new queries. */
const TRIES = 20;
/** Limits the memory. */
const QUERIES_MAX = 200_000;
/** Random arrivals may exceed the plan. */
const SPARE = 1.1;

const AnswerSchema = Type.Object({
  itens: Type.Array(Type.Object({ trecho_da_ementa: nullable(Type.String()) })),
  proximo_cursor: nullable(Type.String()),
});
const answerCheck = Compile(AnswerSchema);

export interface Gathered {
  /** Distinct searches as query strings, in sending order. */
  readonly searches: readonly string[];
  /** Requests needed to make the searches. */
  readonly asked: number;
}

/**
 * Makes enough distinct searches for the load from words in the bases' current answers. A search's words come from the
 * same decision, so that it finds something, and common words are as frequent as in the decisions.
 * @param wanted the number of requests in the load.
 * @throws PlainError if the bases have too few words.
 */
export async function gatherSearches(plan: GeneratorPlan, wanted: number): Promise<Gathered> {
  using client = new HttpClient(plan.url, 1, plan.timeoutMs);
  let asked = 0;
  const excerpts = new Set<string>();
  for (const search of plan.mix.searches) {
    let more = '';
    for (let page = 0; page < PAGES_MAX && excerpts.size < EXCERPTS_ENOUGH; page += 1) {
      const path = `/v1/jurisprudencia/busca?${search}&limite=${LIMITE_MAX}${more}`;
      const { result } = await client.send({ path, key: plan.key });
      asked += 1;
      const cursor = typeof result === 'string' ? null : take(result.body, excerpts);
      if (cursor === null) break;
      more = `&cursor=${encodeURIComponent(cursor)}`;
    }
  }
  const searches = uniqueSearches([...excerpts], Math.ceil(wanted * SPARE), plan.seed);
  if (searches.length === 0)
    throw new PlainError('the bases have no words for queries; load decisions, or omit --unique');
  return { searches, asked };
}

/** Distinct searches from texts, the same for the same seed. */
export function uniqueSearches(texts: readonly string[], wanted: number, seed: number): string[] {
  const random = randomNumbers(seed);
  const worded = texts.map(wordsOf).filter(({ words }) => words.length >= Math.max(...LENGTHS));
  const made = new Map<string, string>();
  const most = Math.min(wanted, QUERIES_MAX);
  for (let tries = 0; worded.length > 0 && made.size < most && tries < most * TRIES; tries += 1) {
    const { words, pairs } = pick(worded, random);
    const isPhrase = random() < 1 / PHRASE_EVERY && pairs.length > 0;
    const chosen = isPhrase ? [] : some(words, pick(LENGTHS, random), random);
    const q = isPhrase ? `"${pick(pairs, random)}"` : chosen.join(' ');
    // The order of words does not change the result.
    const key = isPhrase ? q : chosen.toSorted().join(' ');
    if (q.length <= Q_MAX) made.set(key, new URLSearchParams({ q }).toString());
  }
  return [...made.values()];
}

/** @returns the cursor of the next page; null if there is none or it is not a search's answer. */
function take(body: Buffer, excerpts: Set<string>): string | null {
  let answer: unknown;
  try {
    answer = JSON.parse(body.toString('utf8'));
  } catch {
    return null;
  }
  if (!answerCheck.Check(answer)) return null;
  for (const { trecho_da_ementa: excerpt } of answer.itens) if (excerpt !== null) excerpts.add(excerpt);
  return answer.proximo_cursor;
}

function wordsOf(text: string): { readonly words: string[]; readonly pairs: string[] } {
  const lower = text.toLowerCase();
  return {
    words: [...lower.matchAll(WORD)].map(([word]) => word),
    pairs: [...lower.matchAll(PAIR)].map(([, first, second]) => `${first} ${second}`),
  };
}

function some(words: readonly string[], count: number, random: () => number): string[] {
  const chosen = new Set<string>();
  // A text may consist of a single repeated word.
  for (let tries = 0; chosen.size < count && tries < count * TRIES; tries += 1)
    chosen.add(pick(words, random));
  return [...chosen];
}
