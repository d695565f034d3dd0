import type { CodigoTribunal } from '../../contract/enums.ts';
import type { Field } from './courts.ts';
import { readSections, section } from './lists.ts';
import { fieldOf } from './metadata.ts';
import { Rng } from './rng.ts';
import type { Subject } from './subject.ts';
import { compile, type Template } from './template.ts';

/** The texts that fit one kind of case in one court, beside those of its subject. */
export interface Phrases {
  /** The openings of a decision in paragraphs. */
  readonly openings: readonly Template[];
  /** Openings that describe the case and not its legal question. */
  readonly cases: readonly Template[];
  /** Sentences of any case, and of this kind in this court. */
  readonly general: readonly Template[];
  readonly special: readonly Template[];
  readonly fragments: readonly Template[];
  /** Whether sentences of the subject, which mention people and facts, are allowed. */
  readonly isOwnSubject: boolean;
}

type CaseKind = Field | 'pessoas' | 'trabalho' | 'previdencia' | 'uniao';
/** Sections of the word lists: of sentences, of headline fragments and of openings. */
interface Lists {
  readonly sentences: readonly string[];
  readonly fragments: readonly string[];
}

const KINDS: Record<CaseKind, Lists & { readonly openings: string }> = {
  penal: { openings: 'penal', sentences: ['penal'], fragments: ['penal'] },
  civil: { openings: 'civil', sentences: ['civil', 'private'], fragments: ['civil', 'private'] },
  publico: { openings: 'public', sentences: ['civil', 'public'], fragments: ['civil', 'public'] },
  trabalho: { openings: 'labour', sentences: ['labour'], fragments: ['labour'] },
  pessoas: { openings: 'people', sentences: ['civil', 'people'], fragments: ['civil'] },
  uniao: { openings: 'federal', sentences: ['civil', 'union'], fragments: ['civil'] },
  previdencia: { openings: 'federal', sentences: ['civil', 'federal'], fragments: ['civil', 'federal'] },
};
const COURTS: Record<CodigoTribunal, Lists> = {
  tst: { sentences: ['tst'], fragments: [] },
  trt3: { sentences: ['trt'], fragments: [] },
  stj: { sentences: ['stj'], fragments: ['stj'] },
  stf: { sentences: ['stf'], fragments: ['stf'] },
  tjmg: { sentences: ['state'], fragments: ['state'] },
  tnu: { sentences: [], fragments: [] },
  trf6: { sentences: [], fragments: [] },
};
const sentences = readSections('sentences');
const headlines = readSections('headlines');
const openings = readSections('openings');
/** Fixed seed of the shuffles, so that every run has the same order. */
const SHUFFLE_SEED = 19_881_005;

/** The start of an opening that states the legal question. */
const QUESTION = /^(?:\{Cinge|\{Discute|O \{ponto|A controvérsia)/u;
const CONTROL = /^(?:AÇÃO DIRETA|ARGUIÇÃO)/u;
/** Openings by class, for classes of any kind of case. */
const CLASS_OPENINGS: readonly (readonly [className: RegExp, section: string])[] = [
  [/^EMBARGOS DE DECLARAÇÃO/u, 'clarification'],
  [/^AGRAVO/u, 'appeal'],
  [/HABEAS/u, 'habeas'],
  [/^MANDADO/u, 'writ'],
  [CONTROL, 'control'],
  [/^RECLAMAÇÃO/u, 'complaint'],
  [/UNIFORMIZAÇÃO/u, 'uniformity'],
];

const compiled = new Map<string, Template>();
const ready = new Map<string, Phrases>();

/** The texts for a case of this class (as a headline names it) and subject in this court. */
export function phrasesFor(tribunal: CodigoTribunal, subject: Subject, className: string): Phrases {
  const key = `${tribunal} ${subject.index} ${className}`;
  let phrases = ready.get(key);
  if (phrases === undefined) {
    phrases = gather(tribunal, kindOf(tribunal, subject), className);
    ready.set(key, phrases);
  }
  return phrases;
}

function gather(tribunal: CodigoTribunal, caseKind: CaseKind, className: string): Phrases {
  const kind = KINDS[caseKind];
  const court = COURTS[tribunal];
  // The abstract control of norms has no parties, witnesses or first-instance judges.
  const isControl = CONTROL.test(className);
  const ofClass = CLASS_OPENINGS.find(([name]) => name.test(className))?.[1];
  const opening = section(openings, ofClass ?? kind.openings);
  const cases = opening
    .split('\n')
    .filter((line) => !QUESTION.test(line))
    .join('\n');
  return {
    openings: templates(opening),
    cases: templates(cases === '' ? opening : cases),
    general: shuffled(templates(joined(sentences, isControl ? ['control'] : ['anywhere']))),
    special: shuffled(
      templates(joined(sentences, isControl ? ['control'] : [...kind.sentences, ...court.sentences])),
    ),
    fragments: shuffled(
      templates(joined(headlines, isControl ? ['control'] : ['any', ...kind.fragments, ...court.fragments])),
    ),
    isOwnSubject: !isControl,
  };
}

function joined(lists: ReadonlyMap<string, string>, names: readonly string[]): string {
  return names.map((name) => section(lists, name)).join('');
}

function kindOf(tribunal: CodigoTribunal, subject: Subject): CaseKind {
  const field = fieldOf(subject);
  const { branches, name } = subject;
  if (tribunal === 'tst' || tribunal === 'trt3') return 'trabalho';
  if (tribunal === 'tnu' || tribunal === 'trf6') {
    return branches[0] === 'previdencia' && name !== 'sfh' ? 'previdencia' : 'uniao';
  }
  return field === 'civil' && (branches.includes('familia') || name === 'usucapiao') ? 'pessoas' : field;
}

/** The templates of a list. Equal texts share one template. */
function templates(text: string): readonly Template[] {
  return [
    ...new Set(
      text
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => {
          const template = compiled.get(line) ?? compile(line);
          compiled.set(line, template);
          return template;
        }),
    ),
  ];
}

/** Interleaves general and special texts in the order of their use. */
function shuffled<T>(list: readonly T[]): readonly T[] {
  const rng = new Rng(SHUFFLE_SEED);
  return list
    .map((item) => [rng.unit(), item] as const)
    .toSorted(([a], [b]) => a - b)
    .map(([, item]) => item);
}

/** A part of the layout that the courts adopted in 2024: its title and the sentences that may open it. */
export interface Section {
  readonly title: string;
  /** The share of the text, headline apart, at which the part ends; one of 0 holds a single sentence. */
  readonly upTo: number;
  readonly openings: readonly Template[];
}

export const SECTIONS: readonly Section[] = [
  { title: 'I. CASO EM EXAME', upTo: 0, openings: [] },
  { title: 'II. QUESTÃO EM DISCUSSÃO', upTo: 0, openings: templates(section(openings, 'question')) },
  { title: 'III. RAZÕES DE DECIDIR', upTo: 0.85, openings: templates(section(openings, 'reasons')) },
  { title: 'IV. DISPOSITIVO E TESE', upTo: 1, openings: [] },
];

/** Theses of judgment. */
export const THESES = templates(section(openings, 'theses'));
