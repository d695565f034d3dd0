import type { CodigoTribunal } from '../../contract/enums.ts';
import { at } from './bounds.ts';
import { writtenDate, yearOf } from './calendar.ts';
import { STATE_CODES } from './coinage.ts';
import { citePrecedent } from './citation.ts';
import { barred, readSections, section, spaced } from './lists.ts';
import { BARE, DIRECT, IN, OF, PRESENT, PRETERITE, TO, type NounForms } from './morphology.ts';
import { NameBook } from './name-book.ts';
import { amount, caseNumber, hexadecimal, pay } from './numbers.ts';
import { keep, NOTHING, TextBuffer, type Piece } from './pieces.ts';
import type { Rng } from './rng.ts';
import type { Subject } from './subject.ts';
import {
  CHOICE_SLOTS,
  CHOICES,
  THING_SLOTS,
  SAID_MARKS,
  TOPIC_SLOTS,
  VERB_SLOTS,
  type Slot,
  type Template,
} from './template.ts';
import {
  adjectivePiece,
  drawNoun,
  drawVerb,
  isPlural,
  lemma,
  nounPiece,
  verbPiece,
  type Noun,
} from './vocabulary.ts';

/** Share of nouns without an adjective, of those that may have one. */
const PLAIN_NOUN = 0.22;
/** How often a noun of a class repeats the last one, if the sentence does not have it yet. */
const REPEAT_PHRASE = 0.5;
/** How often a date or a sum of money repeats the last one. */
const REPEAT_FACT = 0.5;
/** Share of the past tense where the present is possible. */
const PAST = 0.45;
/** Topics of one decision. */
const TOPICS_MAX = 4;
const NONE: readonly number[] = [];
/** Draws before a repetition within a sentence is accepted. */
const TRIES = 6;

const PERCENTAGES = [1, 2, 5, 10, 10, 12, 15, 15, 20, 30, 50, 70];
const manner = readSections('manner');
const adverbs = spaced(section(manner, 'adverbs')).map(keep);
const openers = barred(section(manner, 'openers')).map(keep);

/** A noun and the adjective after it, if any, with its space before. */
type Phrase = readonly [noun: Noun, adjective: Piece];

/** The words of one decision: its subject and topics, and the words in the slots of its sentences. */
export class Voice {
  readonly rng: Rng;
  /** The text so far; the caller clears it for a new text. */
  readonly out = new TextBuffer();
  readonly #names: NameBook;
  #subject: Subject;
  #tribunal: CodigoTribunal = 'stj';
  #day = 0;
  #year = 0;
  #topics: readonly NounForms[] = [];
  /** The last phrase of each class, for reuse. */
  #memory: (Phrase | undefined)[] = [];
  /** Words of the sentence as numbers: noun lemmas, verbs, pieces. None is repeated. */
  #said: number[] = [];
  /** Words already used before the sentence: in a headline, those of its other fragments. */
  #saidBefore: readonly number[] = NONE;
  #isHeadline = false;
  #date: Piece = NOTHING;
  #sum = '';
  /** The index of the next clause of the subject. */
  #clause = 0;
  /** Whether the grammatical subject so far is plural; and whether the last word is a verb. */
  #isPlural = false;
  #isAfterVerb = false;

  constructor(rng: Rng, subject: Subject) {
    this.rng = rng;
    this.#subject = subject;
    this.#names = new NameBook(rng);
  }

  get subject(): Subject {
    return this.#subject;
  }

  get tribunal(): CodigoTribunal {
    return this.#tribunal;
  }

  /** Starts another decision, about `subject`, judged by `tribunal` on day `day` (calendar.ts). */
  begin(subject: Subject, tribunal: CodigoTribunal, day: number): void {
    this.#subject = subject;
    this.#tribunal = tribunal;
    this.#day = day;
    this.#year = yearOf(day);
    const from = this.rng.below(subject.topics.length - TOPICS_MAX + 1);
    this.#topics = subject.topics.slice(from, from + TOPICS_MAX);
    this.#memory.length = 0;
    this.#date = NOTHING;
    this.#sum = '';
    this.#clause = this.rng.below(subject.clauses.length);
    this.#names.begin();
  }

  /** Says a sentence from a template, with a capital first. */
  say({ parts, slots }: Template): void {
    const { out } = this;
    const start = out.length;
    this.#isPlural = false;
    this.#isAfterVerb = false;
    this.#said = [...this.#saidBefore];
    out.put(at(parts, 0));
    for (let index = 0; index < slots.length; index += 1) {
      this.#fill(at(slots, index));
      out.putAfter(at(parts, index + 1));
    }
    out.capitalize(start, start + 1);
  }

  /** Says a headline fragment. @param isFirst true if words of earlier fragments may repeat. */
  sayFragment(template: Template, isFirst: boolean): void {
    this.#saidBefore = isFirst ? [] : this.#said;
    this.#isHeadline = true;
    this.say(template);
    this.#isHeadline = false;
    this.#saidBefore = NONE;
  }

  /** A topic of the decision, such as `dano moral`. */
  topic(): NounForms {
    return this.rng.pick(this.#isHeadline ? this.#subject.headlineTopics : this.#topics);
  }

  /** Up to `count` of the subject's statutes, none twice. */
  laws(count: number): string[] {
    return [...new Set(Array.from({ length: count }, () => this.#law().texts[BARE] ?? ''))];
  }

  /** Says the citation of a made-up precedent. */
  cite(): void {
    citePrecedent(this.out, this.rng, this.#tribunal, this.#day);
  }

  #fill(slot: Slot): void {
    if (slot < VERB_SLOTS) this.#sayNoun(slot >>> 3, slot & 7);
    else if (slot < TOPIC_SLOTS) this.#sayVerb((slot - VERB_SLOTS) >>> 3, slot & 7);
    else if (slot < THING_SLOTS) this.#sayTopic(slot - TOPIC_SLOTS);
    else if (slot < CHOICE_SLOTS) this.#sayThing(slot - THING_SLOTS);
    else this.out.put(this.rng.pick(at(CHOICES, slot - CHOICE_SLOTS)));
  }

  #sayNoun(place: number, form: number): void {
    const { rng, out } = this;
    const known = this.#memory[place];
    const mayRepeat = known !== undefined && !this.#said.includes(lemma(known[0]));
    const phrase = mayRepeat && rng.chance(REPEAT_PHRASE) ? known : this.#phrase(place);
    const [noun, adjective] = phrase;
    this.#memory[place] = phrase;
    this.#said.push(lemma(noun));
    this.#remember(form, isPlural(noun));
    out.put(nounPiece(noun, form));
    out.put(adjective);
  }

  #phrase(place: number): Phrase {
    const { rng } = this;
    const { index } = this.#subject;
    const noun = drawNoun(rng, place, index, this.#said);
    return [noun, rng.chance(PLAIN_NOUN) ? NOTHING : adjectivePiece(rng, noun, index)];
  }

  #sayVerb(place: number, form: number): void {
    const verb = drawVerb(this.rng, place, this.#subject.index, this.#said);
    this.#said.push(verb);
    this.#isAfterVerb = true;
    const tense = form === PRESENT && this.rng.chance(PAST) ? PRETERITE : form;
    this.out.put(verbPiece(verb, tense, this.#isPlural));
  }

  #sayTopic(form: number): void {
    let topic = this.topic();
    for (let turn = 0; turn < TRIES && this.#isSaid(topic); turn += 1) topic = this.topic();
    this.#said.push(at(topic.pieces, DIRECT));
    this.#remember(form, topic.isPlural);
    this.out.put(at(topic.pieces, form));
  }

  /** Whether the sentence has this topic, or one that contains it or is part of it. */
  #isSaid(topic: NounForms): boolean {
    const name = topic.texts[BARE] ?? '';
    return this.#subject.topics.some((other) => {
      if (!this.#said.includes(at(other.pieces, DIRECT))) return false;
      const otherName = other.texts[BARE] ?? '';
      return otherName.includes(name) || name.includes(otherName);
    });
  }

  /** Records whether a direct phrase is the subject of the sentence, with which the verb agrees. */
  #remember(form: number, isPluralPhrase: boolean): void {
    const isObject = form === DIRECT && this.#isAfterVerb;
    this.#isAfterVerb = false;
    if (!isObject) this.#isPlural = form === DIRECT && isPluralPhrase;
  }

  #sayThing(place: number): void {
    const { rng, out } = this;
    const thing = SAID_MARKS[place];
    this.#isAfterVerb = false;
    switch (thing) {
      case undefined:
        return this.#names.say(out, place - SAID_MARKS.length, this.#said);
      case 'q':
        return this.#sayClause();
      case 'L':
        return this.#sayLaw(BARE);
      case 'oL':
        return this.#sayLaw(DIRECT);
      case 'dL':
        return this.#sayLaw(OF);
      case 'aL':
        return this.#sayLaw(TO);
      case 'nL':
        return this.#sayLaw(IN);
      case 'Q':
        return this.cite();
      case 'A':
        return out.put(rng.pick(adverbs));
      case 'O':
        return out.put(rng.pick(openers));
      case 'R':
        return this.#saySum();
      case 'S':
        return out.write(pay(rng));
      case 'D':
        return this.#sayDate();
      case 'n':
        return out.write(String(2 + rng.zipf(60, 4)));
      case '%':
        return out.write(`${rng.pick(PERCENTAGES)}%`);
      case 'fls': {
        const leaf = 2 + rng.zipf(900, 90);
        return out.write(`fls. ${leaf}/${leaf + rng.between(1, 9)}`);
      }
      case 'id':
        return out.write(`ID. ${hexadecimal(rng, 7)}`);
      case 'proc':
        return out.write(caseNumber(rng, this.#tribunal, this.#year));
      case 'uf':
        return out.write(rng.pick(STATE_CODES));
    }
  }

  /** A date, often a repeated one, but not twice in a sentence. */
  #sayDate(): void {
    const { rng } = this;
    let date = this.#date !== NOTHING && rng.chance(REPEAT_FACT) ? this.#date : NOTHING;
    for (let turn = 0; turn < TRIES && (date === NOTHING || this.#said.includes(date)); turn += 1) {
      date = writtenDate(rng, this.#day);
    }
    this.#date = date;
    this.#said.push(date);
    this.out.put(date);
  }

  #saySum(): void {
    if (this.#sum === '' || !this.rng.chance(REPEAT_FACT)) this.#sum = amount(this.rng);
    this.out.write(this.#sum);
  }

  #sayClause(): void {
    const { clauses } = this.#subject;
    this.#clause = (this.#clause + 1) % clauses.length;
    this.out.put(at(clauses, this.#clause));
  }

  #sayLaw(form: number): void {
    let law = this.#law();
    const { laws } = this.#subject;
    // If few are in force by then, prefer one that is too recent to a repetition.
    for (let turn = 0; turn < laws.length && this.#said.includes(at(law.pieces, BARE)); turn += 1) {
      law = turn < 2 ? this.#law() : at(laws, turn);
    }
    this.#said.push(at(law.pieces, BARE));
    this.out.put(at(law.pieces, form));
  }

  /** A statute of the subject, in force by the day of the decision if the subject has one. */
  #law(): NounForms {
    const { laws, lawYears } = this.#subject;
    let place = this.rng.below(laws.length);
    for (let turn = 1; turn < laws.length && (lawYears[place] ?? 0) > this.#year; turn += 1) {
      place = (place + 1) % laws.length;
    }
    return at(laws, place);
  }
}
