import type { StatusEmenta } from '../../contract/vocabulary.ts';
import type { CaseClass } from './courts.ts';
import { at } from './lists.ts';
import { openingsOf, type Phrases } from './phrases.ts';
import type { Rng } from './rng.ts';
import type { Voice } from './voice.ts';

/** The plan of an ementa. */
export interface EmentaPlan {
  /** The target length, in characters. */
  readonly length: number;
  readonly caseClass: CaseClass;
  readonly outcome: Phrases['outcomes'][number];
  readonly phrases: Phrases;
  /** Whether the four-part layout, in use since 2024, may be chosen. */
  readonly isRecent: boolean;
  /** The separator of headline fragments. */
  readonly separator: string;
}

/** From this length on an ementa in capitals is entirely so: no headline fills half. */
const LONG = 1000;
/** How many different general and special sentences a decision uses; a long one repeats them. */
const GENERAL_MAX = 3;
const SPECIAL_MAX = 5;
/** A shorter ementa is suspect (`ementa_status`); whole ones keep clear of that. */
const SUSPECT_MAX = 60;
const EMENTA_MIN = 62;
/** If fewer characters remain after the headline, the ementa has only the headline. */
const BODY_MIN = 60;
/** Of an ementa in four parts, and of a thesis. */
const PARTS_MIN = 450;
const THESIS_LENGTH = 90;
const QUESTIONS = openingsOf('discussao');
const REASONS = openingsOf('razoes');
const THESES = openingsOf('tese');

/** The source truncates tjmg ementas of at least this length, in characters. */
export const CAP_MIN = 3800;
const CAP_ENDING = ' Ler mais...';
const ELLIPSES = ['...', '…', CAP_ENDING, '...'];
/** Extra characters, so that the cut falls inside the text. */
const CUT_MARGIN = 260;
const windows1252 = new TextDecoder('windows-1252');

/** How to write the ementa of a decision as delivered by its source, by its condition. */
export const EMENTAS: Readonly<Record<StatusEmenta, (voice: Voice, plan: EmentaPlan) => string | null>> = {
  ausente: () => null,
  suspeita: suspect,
  truncada: truncated,
  completa: composeEmenta,
};

/** Running sentences of at least `length` characters, for a full text. */
export function composeSentences(voice: Voice, phrases: Phrases, length: number): string {
  const { rng } = voice;
  const next = sentences(voice, phrases);
  voice.say(rng.pick(phrases.cases));
  while (voice.text.length < length) next(' ');
  return voice.take();
}

/** A thesis of judgment, or a statement of settled law of about `length` characters. */
export function composeThesis(voice: Voice, length = 0): string {
  const next = theses(voice);
  next('');
  if (length > 0) grow(voice, length, EMENTA_MIN, () => next(' '));
  return voice.take();
}

/** A headline in capitals, then the reasons. */
function composeEmenta(voice: Voice, plan: EmentaPlan): string {
  const { rng } = voice;
  // Most letters of most published ementas are capitals: all of them, or those of a long headline.
  const isCapital = rng.chance(0.65);
  const isAllCapital = isCapital && (plan.length > LONG || rng.chance(0.6));
  const share = isCapital && !isAllCapital ? 0.62 + rng.unit() * 0.4 : 0.1 + rng.unit() * 0.14;
  sayHeadline(voice, plan, Math.min(plan.length, Math.max(70, share * plan.length)));
  const headlineEnd = voice.text.length;
  if (headlineEnd <= plan.length - BODY_MIN) {
    const isInParts = plan.isRecent && plan.length > PARTS_MIN && rng.chance(0.75);
    (isInParts ? sayParts : sayParagraphs)(voice, plan);
  }
  const text = voice.take();
  return isAllCapital
    ? text.toUpperCase()
    : text.slice(0, headlineEnd).toUpperCase() + text.slice(headlineEnd);
}

function sayHeadline(voice: Voice, plan: EmentaPlan, length: number): void {
  const { rng, subject } = voice;
  const { caseClass, separator, phrases } = plan;
  const own = turns(rng, phrases.ownFragments);
  const ending = `${separator}${plan.outcome.headline}.`;
  let isFirst = true;
  let place = rng.below(phrases.fragments.length);
  voice.text += (rng.chance(0.6) ? subject.heading + separator : '') + caseClass.headline;
  voice.startHeadline();
  grow(voice, length - ending.length, EMENTA_MIN - ending.length, () => {
    voice.text += separator;
    const fragment = isFirst || rng.chance(0.5) ? own() : undefined;
    isFirst = false;
    if (fragment !== undefined) return void (voice.text += fragment);
    place = (place + 1 + rng.below(2)) % phrases.fragments.length;
    voice.fill(at(phrases.fragments, place));
  });
  voice.text += ending;
}

/** Paragraphs up to the length nearest to the plan's, closed by the outcome if it fits. */
function sayParagraphs(voice: Voice, plan: EmentaPlan): void {
  const { rng } = voice;
  const isNumbered = rng.chance(0.5);
  const gap = rng.chance(0.35) ? '\n' : ' ';
  const { phrases, outcome, length } = plan;
  const closing = rng.chance(0.6) ? `${gap}${outcome.sentence}.` : '';
  const next = sentences(voice, phrases);
  let paragraph = 0;
  let isFirst = true;
  grow(voice, length - closing.length, 0, () => {
    const isNew = isNumbered && (isFirst || rng.chance(0.6));
    const before = isNew ? `${gap}${++paragraph}. ` : isFirst ? gap : ' ';
    if (isFirst && rng.chance(0.7)) voice.say(rng.pick(phrases.openings), before);
    else next(before);
    isFirst = false;
  });
  voice.text += closing;
}

/** The layout that the courts adopted in 2024. */
function sayParts(voice: Voice, plan: EmentaPlan): void {
  const { rng } = voice;
  const { phrases, outcome } = plan;
  const next = sentences(voice, phrases);
  const reasonsEnd = voice.text.length + (plan.length - voice.text.length) * 0.85;
  let paragraph = 0;
  const open = (title: string) => `\n${title}\n${++paragraph}. `;
  voice.say(rng.pick(phrases.cases), open('I. CASO EM EXAME'));
  voice.say(rng.pick(QUESTIONS), open('II. QUESTÃO EM DISCUSSÃO'));
  voice.say(rng.pick(REASONS), open('III. RAZÕES DE DECIDIR'));
  grow(voice, reasonsEnd, 0, () => next(`\n${++paragraph}. `));
  voice.text += `${open('IV. DISPOSITIVO E TESE')}${outcome.sentence}.`;
  if (voice.text.length + THESIS_LENGTH >= plan.length) return;
  const nextThesis = theses(voice);
  let thesis = 1;
  nextThesis('\nTese de julgamento: "1. ');
  grow(voice, plan.length, 0, () => nextThesis(` ${++thesis}. `));
  voice.text += '"';
}

/** Adds to the text until the length is as near to `goal` as possible, so that lengths keep their distribution. */
function grow(voice: Voice, goal: number, least: number, add: () => void): void {
  while (voice.text.length < Math.max(goal, least)) {
    const start = voice.text.length;
    add();
    if (start < least || (start + voice.text.length) / 2 <= goal) continue;
    voice.text = voice.text.slice(0, start);
    return;
  }
}

/** Writes sentences: some about the subject, without repetition, and some for any case or for this kind of case in this court. */
function sentences(voice: Voice, phrases: Phrases): (before: string) => void {
  const { rng } = voice;
  const own = turns(rng, phrases.own);
  const general = cycle(rng, phrases.general, GENERAL_MAX);
  const special = cycle(rng, phrases.special, SPECIAL_MAX);
  return (before) => {
    const sentence = rng.chance(0.42) ? own() : undefined;
    voice.say(sentence ?? (rng.chance(0.4) ? general() : special()), before);
  };
}

function theses(voice: Voice): (before: string) => void {
  const next = cycle(voice.rng, THESES, THESES.length);
  return (before) => voice.say(next(), before);
}

/** Cycles through `count` list members, from a random start. */
function cycle<T>(rng: Rng, list: readonly T[], count: number): () => T {
  const from = rng.below(list.length);
  let step = 0;
  return () => at(list, (from + (++step % count)) % list.length);
}

/** Every list member once, from a random start; then undefined. */
function turns<T>(rng: Rng, list: readonly T[]): () => T | undefined {
  const from = rng.below(list.length);
  let step = 0;
  return () => (++step > list.length ? undefined : list[(from + step) % list.length]);
}

function truncated(voice: Voice, plan: EmentaPlan): string {
  const whole = composeEmenta(voice, { ...plan, length: plan.length + CUT_MARGIN });
  const ending = plan.length >= CAP_MIN ? CAP_ENDING : voice.rng.pick(ELLIPSES);
  const end = Math.min(whole.length - 2, plan.length) - ending.length;
  // A space or full stop before the ellipsis would look like an end.
  return whole.slice(0, end).replace(/[\s.,;:-]+$/u, '') + ending;
}

function suspect(voice: Voice, plan: EmentaPlan): string {
  if (voice.rng.chance(0.45)) {
    const whole = `DECLARAÇÃO DE VOTO. ${composeEmenta(voice, { ...plan, length: 160 })}`;
    // UTF-8 read as Windows-1252, the usual damage of old court systems.
    return windows1252.decode(new TextEncoder().encode(whole));
  }
  const stub = voice.rng.pick(['{xT}', 'Recurso sobre {xT}.', 'EMENTA PENDENTE DE PUBLICAÇÃO.']);
  const text = voice.saying(stub);
  return text.slice(0, SUSPECT_MAX - 1).trimEnd();
}
