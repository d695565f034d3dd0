import { BRANCHES } from './courts.ts';
import { readList } from './lists.ts';
import type { Base } from '../../contract/enums.ts';
import { BARE, nounForms, type NounForms } from './morphology.ts';
import { keep, type Piece } from './pieces.ts';
import { compile, type Template } from './template.ts';

/** The subject of a decision. It determines words, phrases, statutes, class and themes. */
export interface Subject {
  readonly index: number;
  readonly name: string;
  /** Branches of law, the main one first. They determine the bases of the subject. */
  readonly branches: readonly string[];
  /** "DIREITO DO CONSUMIDOR". */
  readonly heading: string;
  readonly topics: readonly NounForms[];
  /** Topics that no headline fragment names. */
  readonly headlineTopics: readonly NounForms[];
  /** Headline fragments, in capitals. */
  readonly fragments: readonly string[];
  readonly sentences: readonly Template[];
  /** Legal questions and holdings, as clauses after "se" or "que". */
  readonly clauses: readonly Piece[];
  /** Statutes and precedents, each with its article. */
  readonly laws: readonly NounForms[];
  /** The year of each, 0 if its name does not show it. */
  readonly lawYears: readonly number[];
}

/** The subjects, read from the compact notation that `data/demo/subjects.txt` explains. */
export const SUBJECTS: readonly Subject[] = readList('subjects')
  .split(/^@ /mu)
  .slice(1)
  .map((entry, index) => readSubject(entry, index));

/** The subjects of a base, each with its cumulative share (the last is 1). */
export function subjectMix(base: Base): readonly (readonly [subject: Subject, upTo: number])[] {
  const weights = BRANCHES[base];
  const weighed = SUBJECTS.map((subject): [Subject, number] => [
    subject,
    Math.max(0, ...subject.branches.map((branch, at) => (weights[branch] ?? 0) / (at + 1))),
  ]).filter(([, weight]) => weight > 0);
  const total = weighed.reduce((sum, [, weight]) => sum + weight, 0);
  let reached = 0;
  return weighed.map(([subject, weight]) => {
    reached += weight / total;
    return [subject, reached] as const;
  });
}

function readSubject(entry: string, index: number): Subject {
  const [title = '', ...lines] = entry.trim().split('\n');
  const [name = '', branches = '', heading = ''] = title.split(' | ');
  const list = (mark: string): readonly string[] =>
    lines.filter((line) => line.startsWith(`${mark} `)).flatMap((line) => line.slice(2).split('|'));
  const topics = list('t').map(nounForms);
  const fragments = list('h').filter((fragment) => fragment !== heading);
  const unnamed = topics.filter((topic) => !isNamed(topic, [heading, ...fragments]));
  return {
    index,
    name,
    branches: branches.split(' '),
    heading,
    topics,
    headlineTopics: unnamed.length === 0 ? topics : unnamed,
    fragments,
    sentences: list('s').map(compile),
    clauses: list('q').map(keep),
    laws: list('l').map((law) => nounForms(`${/^(art|Tema|Decreto)/u.test(law) ? 'o' : 'a'} ${law}`)),
    lawYears: list('l').map(lawYear),
  };
}

/** Whether a headline fragment and a topic overlap. */
function isNamed(topic: NounForms, fragments: readonly string[]): boolean {
  const name = (topic.texts[BARE] ?? '').toUpperCase();
  return fragments.some((fragment) => fragment.includes(name) || name.includes(fragment));
}

/** The year of a statute from its name, with four or two digits; 0 if it is old or unknown. */
function lawYear(law: string): number {
  if (law.endsWith(' do CPC')) return 2015;
  if (law.startsWith('Tema 1.')) return 2019;
  const year = Number(/\/(\d{4}|\d{2})(?!\d)/u.exec(law)?.[1] ?? 0);
  if (year >= 100 || year === 0) return year;
  return year + (year < 50 ? 2000 : 1900);
}
