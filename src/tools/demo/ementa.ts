import { at } from './bounds.ts';
import type { Outcome } from './outcomes.ts';
import { phrasesFor, SECTIONS, THESES, type Phrases } from './phrases.ts';
import type { Rng } from './rng.ts';
import type { Voice } from './voice.ts';

/** The plan of an ementa. */
export interface EmentaPlan {
  /** The target length, in characters. */
  readonly length: number;
  /** The class of the case as the headline names it, in capitals. */
  readonly className: string;
  readonly outcome: Outcome;
  /** Whether the layout in four parts, in use since 2024, may be chosen. */
  readonly isRecent: boolean;
  /** The separator of headline fragments. */
  readonly separator: '. ' | ' - ';
}

/** Share of ementas whose letters are mostly capitals, as in published decisions. */
const MOSTLY_CAPITALS = 0.65;
/** Share of the shorter ones that are entirely in capitals, and not only in a long headline. */
const ALL_CAPITALS = 0.6;
/** From this length on an ementa in capitals is entirely so, because no headline fills half of it. */
const LONG = 1000;
/** Share of sentences about the subject; the others are general. */
const SUBJECT_SENTENCE = 0.42;
/** Share of general sentences that fit any case; the others fit this kind of case in this court. */
const GENERAL_SENTENCE = 0.4;
/** Number of each that one decision uses; a long one repeats them. */
const GENERAL_MAX = 3;
const SPECIAL_MAX = 5;
/** Share of headline fragments of the subject itself. */
const SUBJECT_FRAGMENT = 0.5;
/** Shorter than 60 characters, an ementa is suspect (`ementa_status`); whole ones keep clear of that. */
const EMENTA_MIN = 62;
/** If fewer characters remain after the headline, the ementa has only the headline. */
const BODY_MIN = 60;
/** Minimum characters for the layout in four parts, and its share. */
const SECTIONS_MIN = 450;
const SECTIONS_SHARE = 0.75;
const SECTION_SLACK = 90;

/** The ementa of one decision: a headline in capitals, then the reasons. */
export function composeEmenta(voice: Voice, plan: EmentaPlan): string {
  const { rng, out } = voice;
  const phrases = phrasesFor(voice.tribunal, voice.subject, plan.className);
  out.length = 0;
  const isCapital = rng.chance(MOSTLY_CAPITALS);
  const isAllCapital = isCapital && (plan.length > LONG || rng.chance(ALL_CAPITALS));
  const share = isCapital && !isAllCapital ? 0.62 + rng.unit() * 0.4 : 0.1 + rng.unit() * 0.14;
  sayHeadline(voice, plan, phrases, Math.min(plan.length, Math.max(70, share * plan.length)));
  const headlineEnd = out.length;
  if (headlineEnd <= plan.length - BODY_MIN) {
    if (plan.isRecent && plan.length > SECTIONS_MIN && rng.chance(SECTIONS_SHARE))
      saySections(voice, plan, phrases);
    else sayParagraphs(voice, plan, phrases);
  }
  out.capitalize(0, isAllCapital ? out.length : headlineEnd);
  return out.read();
}

/** Running sentences of about `length` characters, for a full text. */
export function composeSentences(voice: Voice, length: number): string {
  const { out, rng } = voice;
  const phrases = phrasesFor(voice.tribunal, voice.subject, '');
  const sayNext = sentences(voice, phrases);
  out.length = 0;
  voice.say(rng.pick(phrases.openings));
  while (out.length < length) {
    out.write(' ');
    sayNext();
  }
  return out.read();
}

/** A statement of settled law of at least `length` characters. */
export function composeStatement(voice: Voice, length: number): string {
  const { out, rng } = voice;
  let place = rng.below(THESES.length);
  out.length = 0;
  voice.say(at(THESES, place));
  while (out.length < length) {
    place = (place + 1) % THESES.length;
    out.write(' ');
    voice.say(at(THESES, place));
  }
  return out.read();
}

/** One thesis of judgment. */
export function composeThesis(voice: Voice): string {
  voice.out.length = 0;
  voice.say(voice.rng.pick(THESES));
  return voice.out.read();
}

/** A citation of a precedent, in brackets. */
export function composeCitation(voice: Voice): string {
  voice.out.length = 0;
  voice.cite();
  return `(${voice.out.read()})`;
}

function sayHeadline(voice: Voice, plan: EmentaPlan, phrases: Phrases, length: number): void {
  const { rng, subject, out } = voice;
  const { className, separator } = plan;
  const outcome = plan.outcome.headline;
  const ending = separator.length + outcome.length + 1;
  const budget = length - ending;
  const isShort = (): boolean => out.length + ending < EMENTA_MIN;
  out.write(rng.chance(0.6) ? `${subject.heading}${separator}${className}` : className);
  const from = rng.below(subject.fragments.length);
  let general = rng.below(phrases.fragments.length);
  let isFirst = true;
  for (let used = 0; out.length < budget || isShort();) {
    const start = out.length;
    const mustStay = isShort();
    out.write(separator);
    const own = at(subject.fragments, (from + used) % subject.fragments.length);
    if (
      used < subject.fragments.length &&
      (own === className || used === 0 || rng.chance(SUBJECT_FRAGMENT))
    ) {
      used += 1;
      if (own === className) {
        out.length = start;
        continue;
      }
      out.write(own);
    } else {
      general = (general + 1 + rng.below(2)) % phrases.fragments.length;
      voice.sayFragment(at(phrases.fragments, general), isFirst);
      isFirst = false;
    }
    if (!mustStay && isTooFar(start, out.length, budget)) {
      out.length = start;
      break;
    }
  }
  out.write(`${separator}${outcome}.`);
}

/** Paragraphs up to the length nearest to the plan's, closed by the outcome if it fits. */
function sayParagraphs(voice: Voice, plan: EmentaPlan, phrases: Phrases): void {
  const { rng, out } = voice;
  const isNumbered = rng.chance(0.5);
  const gap = rng.chance(0.35) ? '\n' : ' ';
  const closing = `${plan.outcome.sentence}.`;
  const goal = plan.length - (rng.chance(0.6) ? closing.length + 1 : 0);
  const sayNext = sentences(voice, phrases);
  let paragraph = 0;
  for (let isFirst = true; out.length < goal; isFirst = false) {
    const start = out.length;
    if (isNumbered && (isFirst || rng.chance(0.6))) {
      paragraph += 1;
      out.write(`${gap}${paragraph}. `);
    } else out.write(isFirst ? gap : ' ');
    if (isFirst && rng.chance(0.7)) voice.say(rng.pick(phrases.openings));
    else sayNext();
    if (isTooFar(start, out.length, goal)) {
      out.length = start;
      break;
    }
  }
  if (goal < plan.length) out.write(`${gap}${closing}`);
}

function saySections(voice: Voice, plan: EmentaPlan, phrases: Phrases): void {
  const { rng, out } = voice;
  const sayNext = sentences(voice, phrases);
  const headlineEnd = out.length;
  let paragraph = 0;
  for (const section of SECTIONS) {
    paragraph += 1;
    out.write(`\n${section.title}\n${paragraph}. `);
    const upTo = headlineEnd + (plan.length - headlineEnd) * section.upTo;
    if (section.upTo === 1) {
      out.write(`${plan.outcome.sentence}.`);
      sayTheses(voice, upTo);
      return;
    }
    voice.say(rng.pick(section.openings.length === 0 ? phrases.cases : section.openings));
    while (out.length + SECTION_SLACK < upTo) {
      paragraph += 1;
      out.write(`\n${paragraph}. `);
      sayNext();
    }
  }
}

/** The numbered theses of judgment and their statutes, as far as they fit. */
function sayTheses(voice: Voice, upTo: number): void {
  const { rng, out } = voice;
  let place = rng.below(THESES.length);
  for (let thesis = 1; out.length + SECTION_SLACK < upTo && thesis <= THESES.length; thesis += 1) {
    out.write(thesis === 1 ? '\nTese de julgamento: "1. ' : ` ${thesis}. `);
    voice.say(at(THESES, place));
    place = (place + 1) % THESES.length;
    if (out.length + SECTION_SLACK >= upTo || thesis === THESES.length) out.write('"');
  }
}

/** Whether `start` is nearer to the target than `end`, so that lengths keep their distribution. */
function isTooFar(start: number, end: number, goal: number): boolean {
  return (start + end) / 2 > goal;
}

/** Writes sentences, some about the subject and some general, without repetition before a list is exhausted. */
function sentences(voice: Voice, phrases: Phrases): () => void {
  const { rng, subject } = voice;
  let own = rng.below(subject.sentences.length);
  const ownEnd = own + subject.sentences.length;
  const general = cycle(rng, phrases.general, GENERAL_MAX);
  const special = cycle(rng, phrases.special, SPECIAL_MAX);
  return () => {
    if (
      own < ownEnd &&
      (phrases.isOwnSubject || subject.name === 'constitucional') &&
      rng.chance(SUBJECT_SENTENCE)
    ) {
      own += 1;
      voice.say(at(subject.sentences, own % subject.sentences.length));
      return;
    }
    voice.say(rng.chance(GENERAL_SENTENCE) ? general() : special());
  };
}

/** Cycles through `count` members of a list, from a random one on. */
function cycle<T>(rng: Rng, list: readonly T[], count: number): () => T {
  const from = rng.below(list.length);
  let step = 0;
  return () => {
    step = (step + 1) % count;
    return at(list, (from + step) % list.length);
  };
}
