import { bug } from '../../bug.ts';
import { tribunaisDaBase } from '../../contract/catalog.ts';
import type { Documento } from '../../contract/documento.ts';
import { BASES, CODIGOS_TRIBUNAL, type Base, type CodigoTribunal } from '../../contract/vocabulary.ts';
import { isoDate, judgmentDay, publicationDay, yearOf } from './calendar.ts';
import { DEMO, ementaLength, ofField, valueAt, type CaseClass, type Court, type Shares } from './courts.ts';
import { CAP_MIN, composeSentences, composeThesis, EMENTAS } from './ementa.ts';
import { at } from './lists.ts';
import { caseNumber } from './numbers.ts';
import { phrasesFor } from './phrases.ts';
import { Rng } from './rng.ts';
import { subjectMix, type Subject } from './subject.ts';
import { Voice } from './voice.ts';

/** A made-up decision in the canonical ingest format (docs/ingest.md); keys in the order written. */
export type DemoDecision = Omit<Documento, 'id' | 'base' | 'ementa_status' | 'extras'> & {
  readonly chave: string;
  readonly tribunal: CodigoTribunal;
  readonly ementa_status: Documento['ementa_status'] | undefined;
  readonly texto?: string | undefined;
  readonly extras: Readonly<Record<string, unknown>>;
};

export const DEMO_SEED_DEFAULT = 1988;
/** The first year with the four-part layout. */
const SECTIONS_YEAR = 2024;
/** Steps of low-discrepancy sequences: any 300 consecutive lines have every type and every status. */
const TYPE_STEP = (Math.sqrt(5) - 1) / 2;
const STATUS_STEP = Math.SQRT2 - 1;
/** Seed of the judges' names, the same in every run. */
const NAMES_SEED = 20_041_230;
/** The class of statements in every court; only the outcomes of the class are used. */
const NO_CLASS: CaseClass = { sigla: null, descricao: null, headline: 'ENUNCIADO' };

/**
 * Made-up decisions of a base in the canonical ingest format, one JSON object a line, without the line's end. The same base,
 * count and seed give the same lines; a larger count extends a smaller one.
 */
export function* demoLines(base: Base, count: number, seed: number): Generator<string> {
  const maker = new DecisionMaker(base, seed);
  for (let index = 0; index < count; index += 1) yield JSON.stringify(maker.make(index));
}

/** Makes a base's decisions. A decision depends only on the line number. */
export class DecisionMaker {
  readonly #base: Base;
  readonly #seed: number;
  readonly #stream: number;
  readonly #mix: Shares<Subject>;
  readonly #courts: readonly CodigoTribunal[];
  readonly #rng: Rng;
  readonly #voice: Voice;
  readonly #judges: ReadonlyMap<CodigoTribunal, readonly string[]>;
  readonly #phase: number;

  constructor(base: Base, seed: number) {
    this.#base = base;
    this.#seed = seed;
    this.#stream = BASES.indexOf(base) + 1;
    this.#mix = subjectMix(base);
    this.#courts = tribunaisDaBase(base);
    this.#rng = new Rng(seed, this.#stream);
    const first = valueAt(this.#mix, 0);
    this.#voice = new Voice(this.#rng, first);
    this.#judges = new Map(this.#courts.map((tribunal) => [tribunal, judgesOf(tribunal, first)]));
    this.#phase = this.#rng.unit();
  }

  /** The decision of line `index`, the first being 0. */
  make(index: number): DemoDecision {
    const rng = this.#rng;
    const voice = this.#voice;
    rng.reseed(this.#seed, this.#stream, index);
    const made = this.#begin(index);
    const { tribunal, court, judged, tipo, statement, caseClass, body, phrases } = made;
    const isCase = statement === undefined;
    const judge = (): string => rng.pick(this.#judges.get(tribunal) ?? bug(`no judges of ${tribunal}`));
    const published = publicationDay(rng, judged);
    const status = isCase ? this.#status(tribunal, made.length, index) : 'completa';
    return {
      chave: `demo-${this.#base}-${this.#seed}-${index}`,
      tribunal,
      fonte: `${tribunal.toUpperCase()} (fictícia)`,
      tipo,
      processo: voice.filled(statement ?? court.processo),
      classe: { sigla: caseClass.sigla, descricao: caseClass.descricao },
      orgao_julgador: body,
      relator: isCase ? this.#maybe(0.99, judge) : null,
      redator: isCase ? this.#maybe(0.03, judge) : null,
      data_julgamento: this.#maybe(0.985, () => isoDate(judged)),
      data_publicacao: this.#maybe(0.98, () => isoDate(published)),
      ementa: isCase ? EMENTAS[status](voice, made) : composeThesis(voice, rng.between(90, 200)),
      ementa_status: rng.chance(0.3) ? undefined : status,
      tese: this.#maybe(court.shares.tese, () => composeThesis(voice)),
      dispositivo: this.#maybe(court.shares.dispositivo, () => voice.saying(court.dispositivo)),
      inteiro_teor: {
        existe_na_origem: this.#maybe(0.6, () => true),
        caracteres: this.#maybe(0.6, () => 3000 + rng.zipf(90_000, 9000)),
      },
      citacao: this.#maybe(court.shares.citacao, () => voice.filled('({Q})')),
      legislacao_citada: this.#maybe(court.shares.legislacao, () => this.#some('{xL}')),
      temas: this.#maybe(court.shares.temas, () => this.#some(court.tema)),
      extras: this.#extras(court),
      texto:
        status === 'ausente' && rng.chance(0.75)
          ? composeSentences(voice, phrases, rng.between(350, 1800))
          : undefined,
    };
  }

  /** Chooses the decision's subject, and begins the decision. */
  #begin(index: number) {
    const rng = this.#rng;
    const tribunal = at(this.#courts, rng.chance(0.7) ? 0 : this.#courts.length - 1);
    const court = DEMO.courts[tribunal];
    const judged = judgmentDay(rng, index, court.firstDay);
    const subject = this.#subject(tribunal);
    const tipo = valueAt(DEMO.types[this.#base], (this.#phase + index * TYPE_STEP) % 1);
    // A statement of settled law has no case, class or judge.
    const statement = DEMO.statements[tipo];
    const caseClass = statement === undefined ? this.#caseClass(court, subject) : NO_CLASS;
    const phrases = phrasesFor(tribunal, subject, caseClass);
    const outcome = rng.pick(phrases.outcomes);
    const hasBody = statement === undefined && rng.chance(court.shares.body);
    const body = hasBody ? rng.pick(ofField(court.bodies, subject.field)) : null;
    const isDashed = (tribunal === 'tjmg' || tribunal === 'trt3') && rng.chance(0.45);
    const separator = isDashed ? ' - ' : '. ';
    this.#voice.begin(subject, tribunal, judged, {
      numero: asWritten(tribunal, caseNumber(rng, court.segment, yearOf(judged))),
      classe: caseClass.sigla ?? '',
      orgao: body ?? 'Turma',
      veredito: outcome.verdict,
      resultado: outcome.headline,
    });
    const length = ementaLength(court, rng.unit());
    const isRecent = yearOf(judged) >= SECTIONS_YEAR;
    const plan = { length, caseClass, outcome, phrases, isRecent, separator };
    return { ...plan, tribunal, court, judged, tipo, statement, body };
  }

  /** Only the national court rules on uniformity between other courts' decisions. */
  #subject(tribunal: CodigoTribunal): Subject {
    const subject = valueAt(this.#mix, this.#rng.unit());
    return tribunal === 'trf6' && subject.name === 'uniformizacao' ? this.#subject(tribunal) : subject;
  }

  /** A class of the court. A subject about appeals always has an appeal class. */
  #caseClass(court: Court, { field, name }: Subject): CaseClass {
    const classes = ofField(court.classes, field);
    return this.#rng.pick(name === 'recurso-extraordinario' ? classes.slice(0, 2) : classes);
  }

  #status(tribunal: CodigoTribunal, length: number, index: number) {
    const status = valueAt(DEMO.statuses, (this.#phase + index * STATUS_STEP) % 1);
    return tribunal === 'tjmg' && length >= CAP_MIN && status === 'completa' ? 'truncada' : status;
  }

  /** One to three different texts. */
  #some(text: string): string[] {
    const count = this.#rng.between(1, 3);
    return [...new Set(Array.from({ length: count }, () => this.#voice.saying(text)))];
  }

  #extras(court: Court): DemoDecision['extras'] {
    const drawn = (value: string | readonly string[] | null) =>
      typeof value === 'string'
        ? this.#voice.filled(value)
        : (value?.slice(0, this.#rng.between(1, value.length)) ?? null);
    const own = Object.entries(court.extras).map(([field, value]) => [field, drawn(value)] as const);
    return { demonstracao: true, assunto: this.#voice.subject.name, ...Object.fromEntries(own) };
  }

  #maybe<T>(share: number, make: () => T): T | null {
    return this.#rng.chance(share) ? make() : null;
  }
}

/** A court's made-up judges, as the source writes them. */
function judgesOf(tribunal: CodigoTribunal, subject: Subject): readonly string[] {
  const { judges, judgeStyle } = DEMO.courts[tribunal];
  const voice = new Voice(new Rng(NAMES_SEED, CODIGOS_TRIBUNAL.indexOf(tribunal)), subject);
  return Array.from({ length: judges }, () => {
    const name = voice.filled('{X}');
    return judgeStyle.replace('NAME', name.toUpperCase()).replace('Name', name);
  });
}

/** The TST leaves out leading zeros: `850-43.2017.5.13.0011`. */
function asWritten(tribunal: CodigoTribunal, numero: string): string {
  return tribunal === 'tst' ? numero.replace(/^0+/u, '') : numero;
}
