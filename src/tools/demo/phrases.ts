import type { CodigoTribunal } from '../../contract/enums.ts';
import type { CaseClass } from './courts.ts';
import { matching, readSections, tagged } from './lists.ts';
import { Rng } from './rng.ts';
import type { Subject } from './subject.ts';
import { compile, type Sentence } from './voice.ts';

/** How a case may end: as the headline closes, as the reasons close, and as the court's order says it. */
export interface Outcome {
  readonly headline: string;
  readonly sentence: string;
  readonly verdict: string;
}

/** The texts that fit one class of case about one subject in one court. */
export interface Phrases {
  /** Openings that describe the case, and all, some of which state its legal question. */
  readonly cases: readonly Sentence[];
  readonly openings: readonly Sentence[];
  /** Sentences of any case, of this kind in this court, and of the subject. */
  readonly general: readonly Sentence[];
  readonly special: readonly Sentence[];
  readonly own: readonly Sentence[];
  /** Headline fragments, and those of the subject, in capitals. */
  readonly fragments: readonly Sentence[];
  readonly ownFragments: readonly string[];
  readonly outcomes: readonly Outcome[];
}

const sentences = readSections('sentences');
const headlines = readSections('headlines');
const openings = readSections('openings');
const outcomes = readSections('outcomes');
/** Fixed seed of the shuffles, so that every run has the same order. */
const SHUFFLE_SEED = 19_881_005;
/** The abstract control of norms has no parties, witnesses or first-instance judges. */
const CONTROL = /^(?:AÇÃO DIRETA|ARGUIÇÃO)/u;

const ready = new Map<CaseClass, Phrases[]>();

/** The texts for a case of this class, which is one of the court's, and subject. */
export function phrasesFor(tribunal: CodigoTribunal, subject: Subject, caseClass: CaseClass): Phrases {
  const ofClass = ready.get(caseClass) ?? [];
  ready.set(caseClass, ofClass);
  return (ofClass[subject.index] ??= gather(tribunal, subject, caseClass.headline));
}

/** The openings under a heading of data/demo/openings.txt. */
export function openingsOf(heading: string): readonly Sentence[] {
  return tagged(openings, [heading]).map(compile);
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

/** Interleaves general and special texts in the order of their use. */
function shuffled(list: readonly string[]): readonly Sentence[] {
  const rng = new Rng(SHUFFLE_SEED);
  return [...new Set(list)]
    .map((text) => [rng.unit(), compile(text)] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, sentence]) => sentence);
}
