import { BARE, BY, DIRECT, IN, INFINITIVE, OF, PRESENT, PRETERITE, TO } from './morphology.ts';
import { COINED_KINDS, WORLD_NAMES } from './name-book.ts';
import { keep, type Piece } from './pieces.ts';
import { CLASS_NAMES } from './vocabulary.ts';

/**
 * What a template leaves open, as one number. A noun of a class is eight times the class's place in
 * CLASS_NAMES and its form; what may be done to that class lies VERB_SLOTS further; then a topic of
 * the subject by its form, and the things below.
 */
export type Slot = number;
export const VERB_SLOTS = 256;
export const TOPIC_SLOTS = 512;
export const THING_SLOTS = 520;

/** The slots that the voice fills, by their mark in braces in the word lists. */
export const SAID_MARKS = [
  'q', // a clause of the subject, after "se" or "que"
  'L', // a statute or precedent of the subject: bare,
  'oL', // with its article,
  'dL', // of it,
  'aL', // to it,
  'nL', // in it
  'Q', // a citation of a made-up precedent
  'A', // an adverb
  'O', // what opens a sentence, such as "Com efeito"
  'R', // an amount in reais
  'S', // a month's pay in reais
  'D', // a date
  'n', // a small number
  '%', // a percentage
  'fls', // leaves of the paper record
  'id', // an entry of the electronic record
  'proc', // a case number
  'uf', // a state, abbreviated
] as const;

/** All marks: slots of the voice, then slots of the name book. */
const THINGS: readonly string[] = [...SAID_MARKS, ...COINED_KINDS, ...WORLD_NAMES];

/** From here on, a choice of wordings: `{alega/sustenta}`. */
export const CHOICE_SLOTS = 640;
export const CHOICES: (readonly Piece[])[] = [];
const choiceSlots = new Map<string, Slot>();

/** The marks of a noun's form: `{prova}`, `{d prova}`; `{T}`, `{dT}`. */
const NOUN_FORMS: Readonly<Record<string, number>> = { '': DIRECT, d: OF, a: TO, n: IN, p: BY, x: BARE };
/** The marks of a verb's form: `{I prova}`. */
const VERB_FORMS: Readonly<Record<string, number>> = { V: PRESENT, I: INFINITIVE, P: PRETERITE };

/** A text split at its slots. There is one more part than slots. */
export interface Template {
  readonly parts: readonly Piece[];
  readonly slots: readonly Slot[];
}

/** Splits a text at its `{slots}`. @throws for an unknown slot, which is a bug of the word lists. */
export function compile(text: string): Template {
  const pieces = text.split(/\{([^}]*)\}/u);
  return {
    parts: pieces.filter((_, index) => index % 2 === 0).map(keep),
    slots: pieces.filter((_, index) => index % 2 === 1).map((mark) => toSlot(mark, text)),
  };
}

function toSlot(mark: string, text: string): Slot {
  if (mark.includes('/')) return choiceSlot(mark);
  const topicForm = mark.endsWith('T') ? NOUN_FORMS[mark.slice(0, -1)] : undefined;
  if (topicForm !== undefined) return TOPIC_SLOTS + topicForm;
  const thing = THINGS.indexOf(mark);
  if (thing !== -1) return THING_SLOTS + thing;
  const [name = '', form = ''] = mark.split(' ').toReversed();
  const place = CLASS_NAMES.indexOf(name);
  const verbForm = VERB_FORMS[form];
  if (place !== -1 && verbForm !== undefined) return VERB_SLOTS + 8 * place + verbForm;
  const nounForm = NOUN_FORMS[form];
  if (place === -1 || nounForm === undefined) throw new Error(`unknown slot {${mark}} in: ${text}`);
  return 8 * place + nounForm;
}

function choiceSlot(mark: string): Slot {
  const known = choiceSlots.get(mark);
  if (known !== undefined) return known;
  const slot = CHOICE_SLOTS + CHOICES.length;
  CHOICES.push(mark.split('/').map(keep));
  choiceSlots.set(mark, slot);
  return slot;
}
