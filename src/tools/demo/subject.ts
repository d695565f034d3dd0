import type { Base } from '../../contract/vocabulary.ts';
import { DEMO, type Field, type Shares } from './courts.ts';
import { at, lettered, readSections, type Section } from './lists.ts';
import { NOUN_FORMS, nounForms, type Words } from './morphology.ts';

/** Of a decision. */
const TOPICS_MAX = 4;

/** A statute or precedent, with the article. */
export interface Law extends Words {
  /** 0 if the name does not show it. */
  readonly year: number;
}

/** A decision's subject, which determines words, phrases, statutes, class and themes. */
export interface Subject {
  readonly index: number;
  readonly name: string;
  /** Branches of law, the main one first. They determine the subject's bases. */
  readonly branches: readonly string[];
  readonly field: Field;
  /** "DIREITO DO CONSUMIDOR". */
  readonly heading: string;
  readonly topics: readonly Words[];
  /** Topics that fit together in a decision, because none contains another. */
  readonly topicSets: readonly (readonly Words[])[];
  /** Topics that no headline fragment names. */
  readonly headlineTopics: readonly Words[];
  /** Headline fragments, in capitals. */
  readonly fragments: readonly string[];
  /** With slots (voice.ts). */
  readonly sentences: readonly string[];
  /** Legal questions and holdings, as clauses after "se" or "que". */
  readonly clauses: readonly string[];
  readonly laws: readonly Law[];
}

/** The subjects, read from the compact notation that `data/demo/subjects.txt` explains. */
export const SUBJECTS: readonly Subject[] = readSections('subjects').map(readSubject);

/** The subjects of a base; the last share is 1. */
export function subjectMix(base: Base): Shares<Subject> {
  const weights = DEMO.branches[base];
  const weighed = SUBJECTS.map((subject): [Subject, number] => [
    subject,
    Math.max(0, ...subject.branches.map((branch, rank) => (weights[branch] ?? 0) / (rank + 1))),
  ]).filter(([, weight]) => weight > 0);
  const total = weighed.reduce((sum, [, weight]) => sum + weight, 0);
  let reached = 0;
  return weighed.map(([subject, weight]) => [subject, (reached += weight / total)] as const);
}

function readSubject(section: Section, index: number): Subject {
  const [name = '', allBranches = '', heading = ''] = section.heading.split(' | ');
  const list = (letter: string) => lettered(section, letter, letter === 's' ? '\n' : '|');
  const branches = allBranches.split(' ');
  const [main] = branches;
  const topics = list('t').map((topic) => nounForms(topic));
  const fragments = list('h').filter((fragment) => fragment !== heading);
  const named = [heading, ...fragments].map((fragment) => fragment.toLowerCase());
  const unnamed = topics.filter((topic) => !named.some((fragment) => overlap(fragment, nameOf(topic))));
  const sets = topics.slice(TOPICS_MAX - 1).map((_, from) => topics.slice(from, from + TOPICS_MAX));
  return {
    index,
    name,
    branches,
    field: main === 'penal' || main === 'civil' ? main : 'publico',
    heading,
    topics,
    topicSets: sets.map(withoutOverlaps),
    headlineTopics: unnamed.length === 0 ? topics : unnamed,
    fragments,
    sentences: list('s'),
    clauses: list('q'),
    laws: list('l').map(readLaw),
  };
}

function withoutOverlaps(topics: readonly Words[]): readonly Words[] {
  return topics.filter(
    (topic, place) => !topics.slice(0, place).some((other) => overlap(nameOf(other), nameOf(topic))),
  );
}

/** Without article. */
function nameOf({ forms }: Words): string {
  return at(forms, NOUN_FORMS.indexOf('x'));
}

function overlap(a: string, b: string): boolean {
  return a.includes(b) || b.includes(a);
}

function readLaw(name: string): Law {
  const article = /^(art|Tema|Decreto)/u.test(name) ? 'o' : 'a';
  return { ...nounForms(`${article} ${name}`), year: lawYear(name) };
}

/** The year of a statute from its name, with four or two digits; 0 if it is old or unknown. */
function lawYear(law: string): number {
  if (law.endsWith(' do CPC')) return 2015;
  if (law.startsWith('Tema 1.')) return 2019;
  const year = Number(/\/(\d{4}|\d{2})(?!\d)/u.exec(law)?.[1] ?? 0);
  if (year >= 100 || year === 0) return year;
  return year + (year < 50 ? 2000 : 1900);
}
