import type { CodigoTribunal } from '../../contract/vocabulary.ts';
import type { CaseClass } from './courts.ts';
import { readSections, type Section } from './lists.ts';
import { Rng } from './rng.ts';
import type { Subject } from './subject.ts';
import { compile, type Sentence } from './voice.ts';

/** An outcome: how it closes the headline, how it closes the reasons, and how the court's order states it. */
export interface Outcome {
  readonly headline: string;
  readonly sentence: string;
  readonly verdict: string;
}

/** The texts that fit a class of case about a subject in a court. */
export interface Phrases {
  /** Openings that describe the case; and all openings, some of which state the legal question. */
  readonly cases: readonly Sentence[];
  readonly openings: readonly Sentence[];
  /** Sentences for any case, for this kind in this court, and for the subject. */
  readonly general: readonly Sentence[];
  readonly special: readonly Sentence[];
  readonly own: readonly Sentence[];
  /** General and subject headline fragments, in capitals. */
  readonly fragments: readonly Sentence[];
  readonly ownFragments: readonly string[];
  readonly outcomes: readonly Outcome[];
}

const sentences = readSections('sentences');
const headlines = readSections('headlines');
const openings = readSections('openings');
const outcomes = readSections('outcomes');
const SHUFFLE_SEED = 19_881_005;
/** The abstract control of norms has no parties, witnesses or first-instance judges. */
const CONTROL = /^(?:AÇÃO DIRETA|ARGUIÇÃO)/u;

const ready = new Map<CaseClass, Phrases[]>();

/** The texts for a case of this class (one of the court's) and subject. */
export function phrasesFor(tribunal: CodigoTribunal, subject: Subject, caseClass: CaseClass): Phrases {
  const ofClass = ready.get(caseClass) ?? [];
  ready.set(caseClass, ofClass);
  return (ofClass[subject.index] ??= gather(tribunal, subject, caseClass.headline));
}

export function openingsOf(heading: string): readonly Sentence[] {
  return tagged(openings, [heading]).map(compile);
}

/** The lines of every section whose heading has one of `tags` among its words. */
function tagged(sections: readonly Section[], tags: readonly string[]): readonly string[] {
  const own = sections.filter(({ heading }) => heading.split(' ').some((tag) => tags.includes(tag)));
  return own.flatMap(({ lines }) => lines);
}

/** The first section whose heading, a regular expression, matches the class of a case. */
function matching(sections: readonly Section[], className: string): Section | undefined {
  return sections.find(({ heading }) => new RegExp(heading, 'u').test(className));
}

function gather(tribunal: CodigoTribunal, subject: Subject, className: string): Phrases {
  const kind = kindOf(tribunal, subject);
  const isControl = CONTROL.test(className);
  const tags = isControl ? ['controle'] : [kind, tribunal];
  const cases = matching(openings, className)?.lines.map(compile) ?? openingsOf(kind);
  const anyTags = isControl ? tags : ['geral'];
  return {
    cases,
    openings: [...cases, ...openingsOf('questao')],
    general: shuffled(tagged(sentences, anyTags)),
    special: shuffled(tagged(sentences, tags)),
    fragments: shuffled(tagged(headlines, [...anyTags, ...tags])),
    // Sentences of other subjects mention people and facts.
    own: isControl && subject.name !== 'constitucional' ? [] : subject.sentences.map(compile),
    ownFragments: subject.fragments.filter((fragment) => fragment !== className),
    outcomes: (matching(outcomes, className)?.lines ?? []).map((line) => {
      const [headline = '', sentence = '', verdict = ''] = line.split('|');
      return { headline, sentence, verdict };
    }),
  };
}

function kindOf(tribunal: CodigoTribunal, { branches, field, name }: Subject): string {
  if (tribunal === 'tst' || tribunal === 'trt3') return 'trabalho';
  if (tribunal === 'tnu' || tribunal === 'trf6') {
    return branches[0] === 'previdencia' && name !== 'sfh' ? 'previdencia' : 'uniao';
  }
  return field === 'civil' && (branches.includes('familia') || name === 'usucapiao') ? 'pessoas' : field;
}

/** In the same order in every run. */
function shuffled(list: readonly string[]): readonly Sentence[] {
  const rng = new Rng(SHUFFLE_SEED);
  return [...new Set(list)]
    .map((text) => [rng.unit(), compile(text)] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, sentence]) => sentence);
}
