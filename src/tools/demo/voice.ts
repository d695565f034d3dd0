import type { CodigoTribunal } from '../../contract/vocabulary.ts';
import { yearOf, writtenDate } from './calendar.ts';
import { DEMO } from './courts.ts';
import { WORD_CLASSES } from './lexicon.ts';
import { at } from './lists.ts';
import { NOUN_FORMS, VERB_FORMS, type Words } from './morphology.ts';
import { amount, caseNumber, pay } from './numbers.ts';
import type { Rng } from './rng.ts';
import type { Subject } from './subject.ts';
import { cut, drawOf, WORD_LISTS, type Source, type Template } from './words.ts';

/** How often a decision repeats an earlier word of a kind. */
const REPEAT = 0.5;
/** Draws before a repetition within a sentence is accepted. */
const TRIES = 12;
const DIRECT = NOUN_FORMS.indexOf('');

type Slot = (voice: Voice) => void;

/** Slots in the courts' texts, filled by values of the case. */
const CASE_SLOTS = ['numero', 'classe', 'orgao', 'veredito', 'resultado'] as const;
type CaseValues = Readonly<Partial<Record<(typeof CASE_SLOTS)[number], string>>>;

export type Sentence = Template<Slot>;

const compiled = new Map<string, Sentence>();

/** Splits a text at the `{slots}`, once for all uses. @throws for an unknown slot, which is a bug of the word lists. */
export function compile(text: string): Sentence {
  const sentence = compiled.get(text) ?? cut(text, slotOf);
  compiled.set(text, sentence);
  return sentence;
}

/** Chooses a decision's words: for the subject, and for the slots in sentences. */
export class Voice {
  readonly rng: Rng;
  /** The text so far. */
  text = '';
  subject: Subject;
  tribunal: CodigoTribunal = 'stj';
  /** The day of the decision (calendar.ts). */
  day = 0;
  values: CaseValues = {};
  readonly dates: Source<string> = { draw: (rng) => writtenDate(rng, this.day), isKept: true };
  /** Topics of the decision, such as `dano moral`. */
  readonly topics: Source<Words> = {
    draw: (rng) => rng.pick(this.#isHeadline ? this.subject.headlineTopics : this.#topics),
  };
  /** The subject's statutes: if possible, those in force on the day of the decision. */
  readonly laws: Source<Words> = { draw: (rng) => rng.pick(this.#laws) };
  #topics: readonly Words[] = [];
  #laws: readonly Words[] = [];
  /** The decision's words by kind, for repetition. */
  readonly #ownWords = new Map<Source<Words>, Words>();
  readonly #ownNames = new Map<Source<string>, string>();
  /** Keys of words that must not repeat: in the sentence, or in the whole headline. */
  #said: string[] = [];
  #isHeadline = false;
  /** The index of the subject's next clause. */
  #clause = 0;
  /** Whether the grammatical subject so far is plural; and whether the last word is a verb. */
  #isPlural = false;
  #isAfterVerb = false;

  constructor(rng: Rng, subject: Subject) {
    this.rng = rng;
    this.subject = subject;
  }

  /** Starts another decision. */
  begin(subject: Subject, tribunal: CodigoTribunal, day: number, values: CaseValues = {}): void {
    const year = yearOf(day);
    const inForce = subject.laws.filter((law) => law.year <= year);
    this.subject = subject;
    this.tribunal = tribunal;
    this.day = day;
    this.values = values;
    this.#topics = this.rng.pick(subject.topicSets);
    // A sentence may need two clauses.
    this.#laws = inForce.length < 2 ? subject.laws : inForce;
    this.#clause = this.rng.below(subject.clauses.length);
    this.#ownWords.clear();
    this.#ownNames.clear();
    this.#said = [];
  }

  /** Writes what goes before a sentence, and the sentence with a capital first. */
  say(sentence: Sentence, before = ''): void {
    const written = this.text + before;
    this.text = '';
    this.#said = [];
    this.#isHeadline = false;
    this.fill(sentence);
    this.text = written + this.text.slice(0, 1).toUpperCase() + this.text.slice(1);
  }

  take(): string {
    const { text } = this;
    this.text = '';
    return text;
  }

  /** Returns a text as a sentence, with slots filled. */
  saying(text: string): string {
    this.say(compile(text));
    return this.take();
  }

  /** Returns a text with slots filled. */
  filled(text: string): string {
    this.fill(compile(text));
    return this.take();
  }

  /** Starts a headline, whose fragments repeat no word. */
  startHeadline(): void {
    this.#said = [];
    this.#isHeadline = true;
  }

  /** Writes a text and fills the slots. */
  fill({ parts, slots }: Sentence): void {
    this.#isPlural = false;
    this.#isAfterVerb = false;
    for (const [index, part] of parts.entries()) {
      // A full stop is not doubled: "Tervani Ltda." ends a sentence.
      this.text += part.startsWith('.') && this.text.endsWith('.') ? part.slice(1) : part;
      slots[index]?.(this);
    }
  }

  /** Writes a name or other text without forms. */
  name(source: Source<string>): void {
    this.text += this.#choose(source, this.#ownNames);
    this.#isAfterVerb = false;
  }

  /** Writes a noun in a form (morphology.ts). In the direct form, unless an object, it decides the number of verbs. */
  noun(source: Source<Words>, form: number): void {
    const { forms, isPlural, tail } = this.#choose(source, this.#ownWords);
    if (form !== DIRECT || !this.#isAfterVerb) this.#isPlural = form === DIRECT && isPlural;
    this.#isAfterVerb = false;
    this.text += at(forms, form) + tail;
  }

  /** Writes a verb that agrees with the sentence's subject. */
  verb(source: Source<Words>, form: number): void {
    const { forms } = this.#choose(source, this.#ownWords);
    const spoken = VERB_FORMS[form] === 'V' && this.rng.chance(0.45) ? VERB_FORMS.indexOf('P') : form;
    this.text += at(forms, this.#isPlural ? spoken + VERB_FORMS.length : spoken);
    this.#isAfterVerb = true;
  }

  /** Writes a clause about the subject, after "se" or "que". */
  clause(): void {
    const { clauses } = this.subject;
    this.#clause = (this.#clause + 1) % clauses.length;
    this.text += at(clauses, this.#clause);
  }

  /** Words that are new in the sentence; for a kept kind, often words that the decision has already. */
  #choose<T extends string | Words>(source: Source<T>, own: Map<Source<T>, T>): T {
    const known = own.get(source);
    const draw = () => source.draw(this.rng, this.subject.index);
    let chosen = known !== undefined && this.rng.chance(REPEAT) ? known : draw();
    for (let turn = 0; turn < TRIES && this.#said.includes(keyOf(chosen)); turn += 1) chosen = draw();
    this.#said.push(keyOf(chosen));
    if (source.isKept === true && known === undefined) own.set(source, chosen);
    return chosen;
  }
}

function keyOf(chosen: string | Words): string {
  return typeof chosen === 'string' ? chosen : chosen.key;
}

const SUMS: Source<string> = { draw: amount, isKept: true };

/** Slots other than word classes and lists. */
const OWN_SLOTS: Readonly<Record<string, Slot>> = {
  q: (voice) => voice.clause(),
  // A made-up precedent, in the court's form of citation, mostly by number alone.
  Q: (voice) => {
    const { precedent, source } = DEMO.courts[voice.tribunal];
    voice.fill(compile(precedent));
    if (!voice.rng.chance(0.7)) voice.fill(compile(source));
  },
  D: (voice) => voice.name(voice.dates),
  R: (voice) => voice.name(SUMS),
  S: (voice) => (voice.text += pay(voice.rng)),
  n: (voice) => (voice.text += 2 + voice.rng.zipf(60, 4)),
  // Another case of the court.
  proc: (voice) =>
    (voice.text += caseNumber(voice.rng, DEMO.courts[voice.tribunal].segment, yearOf(voice.day))),
};

function slotOf(mark: string): Slot | undefined {
  const list = WORD_LISTS.get(mark);
  if (list !== undefined) return (voice) => voice.name(list);
  const draw = drawOf(mark);
  if (draw !== undefined) return (voice) => (voice.text += draw(voice.rng));
  const slot = CASE_SLOTS.find((name) => name === mark);
  if (slot !== undefined) return (voice) => (voice.text += voice.values[slot] ?? '');
  return OWN_SLOTS[mark] ?? formSlot(mark);
}

/** A topic (`{dT}`), a statute (`{L}`), a noun or a verb of a class (`{d prova}`, `{I decide}`), after the form's letter. */
function formSlot(mark: string): Slot | undefined {
  const [, letter = '', name = ''] = /^(?:(\w)(?: |(?=[TL]$)))?(.+)$/u.exec(mark) ?? [];
  const [verbForm, form] = [VERB_FORMS.indexOf(letter), NOUN_FORMS.indexOf(letter)];
  const words = WORD_CLASSES.get(name);
  if (words !== undefined && verbForm !== -1) return (voice) => voice.verb(words.verbs, verbForm);
  if (form === -1) return undefined;
  if (name === 'T') return (voice) => voice.noun(voice.topics, form);
  if (name === 'L') return (voice) => voice.noun(voice.laws, form);
  return words && ((voice) => voice.noun(words.nouns, form));
}
