import { ASKERS } from '../engine/asker.ts';
import { readFileSync, statSync } from 'node:fs';
import type { CoverReply, CoverRequest } from '../engine/messages.ts';
import { dateText } from '../index/format/schema.ts';
import { TIPOS_DA_BASE, TRIBUNAIS } from '../contract/catalog.ts';
import type { BaseCobertura, Cobertura } from '../contract/cobertura.ts';
import { TIPOS, isOneOf, type Base } from '../contract/vocabulary.ts';
import { codeOf } from '../process/fail.ts';
import { writeAtomically } from '../process/files.ts';
import type { AskedBase } from '../engine/base-actor.ts';
import type { Clock } from '../clock.ts';
import { addSlice, emptyTotals, type Totals } from './coverage-totals.ts';
import { isStored, isWhole } from './stored-coverage.ts';

/**
 * The first calculation starts 5 minutes after the start, and is repeated every 24 hours, as the contract says. One that fails is
 * tried again as long after. The wall clock may be set meanwhile, so no wait for the next one is longer than the first.
 */
export const COVERAGE_FIRST_MS = 5 * 60_000;
const COVERAGE_EVERY_MS = 24 * 3_600_000;
/** Rows, budget and attempts of a slice of the calculation. */
const SLICE_ROWS = 20_000;
const SLICE_BUDGET_MS = 2_000;
/** Budget where no search waits. */
const AT_ONCE_BUDGET_MS = 600_000;
const SLICE_TRIES_MAX = 5;
/** After a slice the actor pauses three times as long as the slice ran, so that searches find the thread free. */
const SLICE_PAUSE_FACTOR = 3;

export interface CoverageOptions {
  readonly clock: Clock;
  readonly file: string;
  readonly bases: ReadonlyMap<Base, Pick<AskedBase, 'ask'>>;
  readonly log: (event: string, detail: Record<string, unknown>) => void;
}

/**
 * Owns the coverage report: loads the stored report, recalculates each base 24 hours after `calculado_em`, in bounded slices,
 * and shows the old values until the new ones are complete.
 */
export class CoverageActor {
  readonly #options: CoverageOptions;
  readonly #known = new Map<Base, BaseCobertura>();
  /** Next attempt for a base without a report, or after a failure, on the clock's `now`. */
  readonly #tryAt = new Map<Base, number>();
  /** Bases whose report is published with their file. */
  readonly #published = new Set<Base>();
  #current: Cobertura;
  /** Of the file. */
  #stamp = '';
  #cancel: () => void = () => undefined;
  #closed = false;

  constructor(options: CoverageOptions) {
    this.#options = options;
    for (const report of this.#load()) this.#known.set(report.base, report);
    for (const base of options.bases.keys()) if (!this.#known.has(base)) this.#tryLater(base);
    this.#current = this.#report();
  }

  /** The current report; a new object whenever it changes. */
  get current(): Cobertura {
    this.#lookAtFile();
    return this.#current;
  }

  /** Takes a report that was calculated where the base was published: the same data have the same report everywhere. */
  take(report: BaseCobertura): void {
    this.#published.add(report.base);
    this.#known.set(report.base, report);
    this.#current = this.#report();
    this.#store();
  }

  /** Starts the recalculations. */
  start(): void {
    if (this.#closed) return;
    const waits = [...this.#options.bases.keys()].map((base) => this.#dueIn(base));
    this.#cancel = this.#options.clock.after(Math.min(...waits, COVERAGE_FIRST_MS), () => {
      void this.#recalculate();
    });
  }

  close(): void {
    this.#closed = true;
    this.#cancel();
  }

  async #recalculate(): Promise<void> {
    for (const base of this.#options.bases.keys()) {
      if (this.#closed || this.#dueIn(base) > 0) continue;
      this.#takeOver();
      if (this.#dueIn(base) > 0) continue;
      const totals = await this.#calculate(base);
      if (totals === null) {
        this.#tryLater(base);
        continue;
      }
      // A report stored meanwhile is of newer data: a decision may have been withdrawn.
      this.#takeOver();
      if (this.#dueIn(base) > 0) continue;
      this.#known.set(base, describeCoverage(base, totals, this.#options.clock.date()));
      this.#nameForeignTypes(base, totals);
      this.#tryAt.delete(base);
      this.#current = this.#report();
      this.#store();
    }
    this.start();
  }

  /** A withdrawal stores a new report, which must be seen within a second. */
  #lookAtFile(): void {
    const stamp = stampOf(this.#options.file);
    if (stamp !== this.#stamp) this.#takeOver();
    this.#stamp = stamp;
  }

  /** Loads newer results stored by another process on the same folder, so that neither repeats or overwrites the work. */
  #takeOver(): void {
    for (const stored of this.#load()) {
      const at = Date.parse(stored.calculado_em ?? '');
      if (this.#published.has(stored.base)) continue;
      const isLater = at > Date.parse(this.#known.get(stored.base)?.calculado_em ?? '1970-01-01');
      if (!isLater || at > this.#wallMs()) continue;
      this.#known.set(stored.base, stored);
      this.#tryAt.delete(stored.base);
      this.#current = this.#report();
    }
  }

  /** Logs types that do not belong to the base. Ingest rejects such decisions, but an earlier version may have loaded some. */
  #nameForeignTypes(base: Base, { types }: Totals): void {
    const foreign = [...types].filter((tipo) => !isOneOf(TIPOS_DA_BASE[base], tipo));
    if (foreign.length > 0) this.#options.log('types that are not of the base', { base, tipos: foreign });
  }

  /**
   * Milliseconds until a day after the stored calculation; none if that lies in the future. The wall clock is read each time,
   * because it may have been set.
   */
  #dueIn(base: Base): number {
    if (this.#published.has(base)) return Number.POSITIVE_INFINITY;
    const tryAt = this.#tryAt.get(base);
    if (tryAt !== undefined) return Math.max(0, tryAt - this.#options.clock.now());
    const age = this.#wallMs() - Date.parse(this.#known.get(base)?.calculado_em ?? '');
    return age >= 0 ? Math.max(0, COVERAGE_EVERY_MS - age) : 0;
  }

  #tryLater(base: Base): void {
    this.#tryAt.set(base, this.#options.clock.now() + COVERAGE_FIRST_MS);
  }

  /** Reads a base slice by slice; null on a failure. */
  async #calculate(base: Base): Promise<Totals | null> {
    const totals = emptyTotals();
    let from: number | null = 0;
    let file: string | undefined;
    while (from !== null) {
      const slice = await this.#slice(base, from);
      if (slice === null || this.#closed) return null;
      if (from > 0 && slice.file !== file) return null;
      ({ file } = slice);
      addSlice(totals, slice);
      from = slice.to;
    }
    return totals;
  }

  async #slice(base: Base, above: number): Promise<CoverReply | null> {
    const { clock, bases, log } = this.#options;
    for (let tries = 1; tries <= SLICE_TRIES_MAX && !this.#closed; tries += 1) {
      const startedAt = clock.now();
      const request = { kind: 'cover', above, rows_max: SLICE_ROWS } as const;
      const outcome = await bases.get(base)?.ask<CoverRequest>(request, startedAt + SLICE_BUDGET_MS, {
        id: ASKERS.coverage,
      });
      const pause = (clock.now() - startedAt) * SLICE_PAUSE_FACTOR;
      await new Promise<void>((resolve) => {
        this.#cancel = clock.after(pause, resolve);
      });
      if (outcome?.ok === true) return outcome.value;
      log('coverage slice failed', { base, tries, failure: outcome?.failure });
    }
    return null;
  }

  #report(): Cobertura {
    const bases = [...this.#options.bases.keys()].map(
      (base): BaseCobertura => this.#known.get(base) ?? { base, calculado: false },
    );
    return { bases, tipos_aceitos: [...TIPOS], tribunais: [...TRIBUNAIS] };
  }

  /** A missing or damaged file counts as none: the calculation starts from scratch. */
  #load(): BaseCobertura[] {
    const { file, log } = this.#options;
    try {
      const stored: unknown = JSON.parse(readFileSync(file, 'utf8'));
      const entries = isStored(stored) ? stored.bases : null;
      const whole = entries?.filter(isWhole) ?? [];
      if (whole.length !== entries?.length) {
        log('coverage file ignored', { reason: 'not of the expected shape', bases_kept: whole.length });
      }
      return whole;
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') log('coverage file ignored', { reason: String(error) });
    }
    return [];
  }

  #store(): void {
    try {
      const stored = { versao: 1, bases: [...this.#known.values()] };
      const text = JSON.stringify(stored, null, 2);
      writeAtomically(this.#options.file, `${text}\n`);
    } catch (error) {
      this.#options.log('coverage file not written', { reason: String(error) });
    }
  }

  #wallMs(): number {
    return this.#options.clock.date().getTime();
  }
}

/** The report of a base, calculated at once. @param cover reads a slice. */
export function coverageAtOnce(base: Base, cover: (request: CoverRequest) => CoverReply): BaseCobertura {
  const totals = emptyTotals();
  for (let above: number | null = 0; above !== null;) {
    const slice = cover({ kind: 'cover', above, rows_max: SLICE_ROWS, budget_ms: AT_ONCE_BUDGET_MS });
    addSlice(totals, slice);
    above = slice.to;
  }
  return describeCoverage(base, totals, new Date());
}

/** The report of a base. @param at end of the calculation. */
function describeCoverage(base: Base, totals: Totals, at: Date): BaseCobertura {
  return {
    base,
    calculado: true,
    total: totals.total,
    periodo_do_julgamento: { de: day(totals.judged_min), ate: day(totals.judged_max) },
    periodo_da_publicacao: { de: day(totals.published_min), ate: day(totals.published_max) },
    tipos: TIPOS_DA_BASE[base].filter((tipo) => totals.types.has(tipo)),
    calculado_em: at.toISOString(),
  };
}

/** Changes with a file, and with the reason why it cannot be read. */
function stampOf(file: string): string {
  try {
    const { ino, mtimeMs } = statSync(file);
    return `${ino}:${mtimeMs}`;
  } catch (error) {
    return codeOf(error);
  }
}

function day(code: number | null): string | null {
  return code === null ? null : dateText(code);
}
