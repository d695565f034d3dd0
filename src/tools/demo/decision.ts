import { tribunaisDaBase } from '../../contract/catalog.ts';
import type { Documento } from '../../contract/documento.ts';
import { BASES, type Base, type CodigoTribunal, type StatusEmenta, type Tipo } from '../../contract/enums.ts';
import { at } from './bounds.ts';
import { dayOf, DAYS, isoDate, judgmentDay, nextWorkingDay, publicationDay, yearOf } from './calendar.ts';
import { COURTS, ementaLength, ofField, TJMG_CAP_MIN, TYPES, type CaseClass, type Court } from './courts.ts';
import { composeCitation, composeSentences, composeStatement, composeThesis } from './ementa.ts';
import { dispositivo, extras, fieldOf, processo, statementName } from './metadata.ts';
import { BARE } from './morphology.ts';
import { JUDGES } from './names.ts';
import { caseNumber, grouped } from './numbers.ts';
import { outcomesOf, type Outcome } from './outcomes.ts';
import { Rng } from './rng.ts';
import { deliverEmenta, statusAt } from './status.ts';
import { subjectMix, type Subject } from './subject.ts';
import { Voice } from './voice.ts';

/** A made-up decision in the canonical ingest format (docs/ingest.md); keys in the order written. */
export type DemoDecision = Omit<Documento, 'id' | 'base' | 'ementa_status' | 'extras'> & {
  readonly chave: string;
  readonly tribunal: CodigoTribunal;
  readonly ementa_status: StatusEmenta | undefined;
  readonly extras: Record<string, unknown>;
  readonly texto: string | undefined;
};

/** Types that state settled law in a sentence or two, with no case, class or reporting judge. */
const STATEMENTS: ReadonlySet<Tipo> = new Set([
  'sumula',
  'orientacao_jurisprudencial',
  'precedente_normativo',
  'informativo',
]);
/** The first year with the layout in four parts, which the courts adopted in 2024. */
const SECTIONS_YEAR = 2024;
/** The first day of the federal court of Minas Gerais, the newest court. */
const TRF6_FIRST_DAY = dayOf('2022-08-19');
/** Steps of low-discrepancy sequences: any 300 consecutive lines have every type and every status. */
const TYPE_STEP = (Math.sqrt(5) - 1) / 2;
const STATUS_STEP = Math.SQRT2 - 1;
const NO_CLASS: CaseClass = { sigla: null, descricao: null, headline: 'ENUNCIADO' };

/** Makes the decisions of one base. Each depends only on its line number. */
export class DecisionMaker {
  readonly #base: Base;
  readonly #seed: number;
  readonly #stream: number;
  readonly #mix: ReturnType<typeof subjectMix>;
  readonly #courts: readonly CodigoTribunal[];
  readonly #rng: Rng;
  readonly #voice: Voice;
  readonly #phase: number;

  constructor(base: Base, seed: number) {
    this.#base = base;
    this.#seed = seed;
    this.#stream = BASES.indexOf(base) + 1;
    this.#mix = subjectMix(base);
    this.#courts = tribunaisDaBase(base);
    this.#rng = new Rng(seed, this.#stream);
    this.#voice = new Voice(this.#rng, this.#subject(0));
    this.#phase = this.#rng.unit();
  }

  /** The decision of line `index`, the first being 0. */
  make(index: number): DemoDecision {
    const rng = this.#rng;
    const voice = this.#voice;
    rng.reseed(this.#seed, this.#stream, index);
    const tribunal = this.#courts[rng.chance(0.7) ? 0 : this.#courts.length - 1] ?? 'stj';
    const court = COURTS[tribunal];
    const judged = this.#judged(index, tribunal);
    voice.begin(this.#subjectFor(tribunal), tribunal, judged);
    const tipo = this.#tipo(index);
    const isStatement = STATEMENTS.has(tipo);
    const caseClass = isStatement ? NO_CLASS : this.#caseClass(court);
    const outcome = rng.pick(outcomesOf(caseClass.headline));
    const number = caseNumber(rng, tribunal, yearOf(judged));
    const body = rng.chance(court.bodyShare) ? rng.pick(ofField(court.bodies, fieldOf(voice.subject))) : null;
    const text = isStatement
      ? this.#statement()
      : this.#ementa(index, { tribunal, caseClass, outcome, judged });
    return {
      chave: `demo-${this.#base}-${this.#seed}-${index}`,
      tribunal,
      fonte: `${tribunal.toUpperCase()} (fictícia)`,
      tipo,
      processo: isStatement ? statementName(rng, tipo) : processo(rng, tribunal, caseClass, number),
      classe: { sigla: caseClass.sigla, descricao: caseClass.descricao },
      orgao_julgador: isStatement ? null : body,
      relator: isStatement || rng.chance(0.01) ? null : rng.pick(JUDGES[tribunal]),
      redator: !isStatement && rng.chance(0.03) ? rng.pick(JUDGES[tribunal]) : null,
      ...this.#dates(judged),
      ...text,
      ...this.#rest(court, tribunal, isStatement ? null : body, outcome),
      extras: extras(voice, tribunal, number),
      texto:
        text.ementa === null && rng.chance(0.75)
          ? composeSentences(voice, rng.between(350, 1800))
          : undefined,
    };
  }

  /** Only the national court rules on the uniformity of the others' decisions. */
  #subjectFor(tribunal: CodigoTribunal): Subject {
    const subject = this.#subject(this.#rng.unit());
    return tribunal === 'trf6' && subject.name === 'uniformizacao' ? this.#subjectFor(tribunal) : subject;
  }

  #subject(unit: number): Subject {
    const found = this.#mix.find(([, upTo]) => unit < upTo) ?? this.#mix.at(-1);
    if (found === undefined) throw new Error(`no subject for ${this.#base}`);
    return found[0];
  }

  /** The day of judgment, not before the court existed. */
  #judged(index: number, tribunal: CodigoTribunal): number {
    const day = judgmentDay(this.#rng, index);
    if (tribunal !== 'trf6') return day;
    return nextWorkingDay(TRF6_FIRST_DAY + Math.floor((day / DAYS) * (DAYS - TRF6_FIRST_DAY)));
  }

  /** A class of the court. A subject about appeals always has an appeal class. */
  #caseClass(court: Court): CaseClass {
    const { subject } = this.#voice;
    const classes = ofField(court.classes, fieldOf(subject));
    return subject.name === 'recurso-extraordinario'
      ? at(classes, this.#rng.below(Math.min(2, classes.length)))
      : this.#rng.pick(classes);
  }

  #tipo(index: number): Tipo {
    const unit = (this.#phase + index * TYPE_STEP) % 1;
    return TYPES[this.#base].find(([, upTo]) => unit < upTo)?.[0] ?? 'acordao';
  }

  #ementa(index: number, { tribunal, caseClass, outcome, judged }: Case): EmentaFields {
    const rng = this.#rng;
    const length = ementaLength(tribunal, rng.unit());
    const drawn = statusAt((this.#phase + index * STATUS_STEP) % 1);
    const status = tribunal === 'tjmg' && length >= TJMG_CAP_MIN && drawn === 'completa' ? 'truncada' : drawn;
    const isDashed = (tribunal === 'tjmg' || tribunal === 'trt3') && rng.chance(0.45);
    const plan = {
      length,
      className: caseClass.headline,
      outcome,
      isRecent: yearOf(judged) >= SECTIONS_YEAR,
      separator: isDashed ? ' - ' : '. ',
    } as const;
    return {
      ementa: deliverEmenta(this.#voice, plan, status),
      ementa_status: rng.chance(0.3) ? undefined : status,
    };
  }

  #statement(): EmentaFields {
    return {
      ementa: composeStatement(this.#voice, this.#rng.between(90, 200)),
      ementa_status: this.#rng.chance(0.3) ? undefined : 'completa',
    };
  }

  #dates(judged: number): Pick<DemoDecision, 'data_julgamento' | 'data_publicacao'> {
    const rng = this.#rng;
    const published = publicationDay(rng, judged);
    return {
      data_julgamento: rng.chance(0.015) ? null : isoDate(judged),
      data_publicacao: published >= DAYS || rng.chance(0.02) ? null : isoDate(published),
    };
  }

  #rest(court: Court, tribunal: CodigoTribunal, body: string | null, outcome: Outcome): RestFields {
    const rng = this.#rng;
    const voice = this.#voice;
    const exists = rng.chance(0.6) ? true : null;
    return {
      tese: rng.chance(court.teseShare) ? composeThesis(voice) : null,
      dispositivo: rng.chance(court.dispositivoShare)
        ? dispositivo(voice, tribunal, { body, outcome })
        : null,
      inteiro_teor: {
        existe_na_origem: exists,
        caracteres: rng.chance(0.6) ? 3000 + rng.zipf(90_000, 9000) : null,
      },
      citacao: rng.chance(court.citacaoShare) ? composeCitation(voice) : null,
      legislacao_citada: rng.chance(court.legislacaoShare) ? voice.laws(rng.between(1, 3)) : null,
      temas: rng.chance(court.temasShare) ? this.#temas(tribunal) : null,
    };
  }

  #temas(tribunal: CodigoTribunal): string[] {
    const rng = this.#rng;
    if (tribunal === 'stj') return [`Tema Repetitivo ${rng.between(1, 1300)}`];
    if (tribunal === 'stf' || tribunal === 'tnu') return [`Tema ${grouped(rng.between(1, 1300))}`];
    const topics = Array.from({ length: rng.between(1, 3) }, () => this.#voice.topic().texts[BARE] ?? '');
    return [...new Set(topics)].map((topic) => topic.charAt(0).toUpperCase() + topic.slice(1));
  }
}

interface Case {
  readonly tribunal: CodigoTribunal;
  readonly caseClass: CaseClass;
  readonly outcome: Outcome;
  readonly judged: number;
}
type EmentaFields = Pick<DemoDecision, 'ementa' | 'ementa_status'>;
type RestFields = Pick<
  DemoDecision,
  'tese' | 'dispositivo' | 'inteiro_teor' | 'citacao' | 'legislacao_citada' | 'temas'
>;
