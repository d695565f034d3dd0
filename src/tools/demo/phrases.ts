import { bug } from '../../bug.ts';
import type { CodigoTribunal } from '../../contract/vocabulary.ts';
import type { CaseClass } from './courts.ts';
import { readSections, type Section } from './lists.ts';
import { Rng } from './rng.ts';
import type { Subject } from './subject.ts';
import { compile, type Sentence } from './voice.ts';

export type Phrases = Readonly<ReturnType<typeof gather>>;

const sentences = readSections('sentences');
const headlines = readSections('headlines');
const openings = readSections('openings');
const outcomes = readSections('outcomes');
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

function gather(tribunal: CodigoTribunal, subject: Subject, className: string) {
  const kind = kindOf(tribunal, subject);
  const isControl = CONTROL.test(className);
  const tags = isControl ? ['controle'] : [kind, tribunal];
  const cases = matching(openings, className)?.lines.map(compile) ?? openingsOf(kind);
  const anyTags = isControl ? tags : ['geral'];
  return {
    // Openings that describe the case; and all, some of which state the legal question.
    cases,
    openings: [...cases, ...openingsOf('questao')],
    // Sentences for any case, for this kind in this court, and for the subject.
    general: shuffled(tagged(sentences, anyTags)),
    special: shuffled(tagged(sentences, tags)),
    // Those of other subjects mention people and facts.
    own: isControl && subject.name !== 'constitucional' ? [] : subject.sentences.map(compile),
    fragments: shuffled(tagged(headlines, [...anyTags, ...tags])),
    ownFragments: subject.fragments.filter((fragment) => fragment !== className),
    // How an outcome closes the headline and the reasons, and how the court's order states it.
    outcomes: (matching(outcomes, className) ?? bug(`no outcomes of ${className}`)).lines.map((line) => {
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
  const rng = new Rng(19_881_005);
  return [...new Set(list)]
    .map((text) => [rng.unit(), compile(text)] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, sentence]) => sentence);
}
