import { Type } from 'typebox';
import { Compile } from 'typebox/compile';
import { LIMITE_MAX, Q_MAX } from '../../contract/vocabulary.ts';
import { nullable } from '../../contract/nullable.ts';
import { PlainError } from '../../process/fail.ts';
import { HttpClient } from './http-client.ts';
import type { GeneratorPlan } from './plan.ts';
import { pick, randomNumbers } from './random.ts';

/** Excerpts that are enough: a hundred words each, and thousands of ways to choose a few of them. */
const EXCERPTS_ENOUGH = 5_000;
/** Pages of a search that are read for words. */
const PAGES_MAX = 4;
/** Shorter words are mostly such as every decision has. */
const WORD = /\p{L}{4,}/gu;
/** Two of them side by side, each pair of a row. */
const PAIR = /(?<!\p{L})(\p{L}{4,}) (?=(\p{L}{4,}))/gu;
/** Words of a query, each as often as another: what most people type. */
const LENGTHS = [2, 2, 3, 3, 4];
/** One query in so many is a phrase of neighbours. */
const PHRASE_EVERY = 8;
/** Tries for each query wanted: small bases run out of new ones. */
const TRIES = 20;
/** More would only take memory. */
const QUERIES_MAX = 200_000;
/** Arrivals at random may be some more than planned. */
const SPARE = 1.1;

const AnswerSchema = Type.Object({
  itens: Type.Array(Type.Object({ trecho_da_ementa: nullable(Type.String()) })),
  proximo_cursor: nullable(Type.String()),
});
const answerCheck = Compile(AnswerSchema);

export interface Gathered {
  /** Different searches as query strings, in the order in which to ask them. */
  readonly searches: readonly string[];
  /** Requests that it took. */
  readonly asked: number;
}

/**
 * Makes as many different searches as the load may need, out of the words of what the bases answer now: each is of words
 * that stand in one decision, so that it finds something, and common words come as often as they do there.
 * @param wanted how many requests the load will make.
 * @throws PlainError when the bases hold no words to speak of.
 */
export async function gatherSearches(plan: GeneratorPlan, wanted: number): Promise<Gathered> {
  const client = new HttpClient(plan.url, 1, plan.timeoutMs);
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
  client.close();
  const searches = uniqueSearches([...excerpts], Math.ceil(wanted * SPARE), plan.seed);
  if (searches.length === 0)
    throw new PlainError('the bases hold no words to make queries of; load decisions, or leave --unique out');
  return { searches, asked };
}

/** Different searches out of texts, the same ones each time. */
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
    // The order of loose words changes nothing of what is found.
    const key = isPhrase ? q : chosen.toSorted().join(' ');
    if (q.length <= Q_MAX) made.set(key, new URLSearchParams({ q }).toString());
  }
  return [...made.values()];
}

/** @returns the cursor of the page after it; null when there is none, or it is no answer of a search. */
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
  // A text may say one word all over.
  for (let tries = 0; chosen.size < count && tries < count * TRIES; tries += 1)
    chosen.add(pick(words, random));
  return [...chosen];
}
