import { bug } from '../bug.ts';
import type { Documento } from '../contract/documento.ts';
import { CODIGOS_TRIBUNAL, STATUS_EMENTA, TIPOS, type StatusEmenta } from '../contract/vocabulary.ts';
import { recordJson } from '../index/format/record.ts';
import { dateText, tipoCode, tribunalCode } from '../index/format/schema.ts';
import { keyHash } from '../index/format/state.ts';
import { WITHDRAWN } from '../index/write/base-writer.ts';
import { visible } from '../process/visible.ts';
import type { Sink } from './batches.ts';
import { refuseMixing, type Kind } from '../index/write/kinds.ts';
import type { Notes } from './notes.ts';
import type { NewRecord } from '../index/write/record-batch.ts';
import type { RejectsFile } from './rejects.ts';
import { linesOf, notesOf } from './report.ts';

const COLUMNS = 80;
const SAMPLES = 3;

/** Counts what a load would write, and writes nothing. */
export class DryRun implements Sink {
  /** Decisions, each key counted once. */
  count = 0;
  repeated = 0;
  /** Hashes of the keys, which take less memory. */
  readonly #keys = new Set<bigint>();
  readonly #kinds = new Map<string, number>();
  readonly #statuses = new Map<StatusEmenta, number>();
  readonly #julgamento = new Period();
  readonly #publicacao = new Period();
  readonly #samples: Documento[] = [];
  readonly #dataDir: string;
  readonly #held: Set<Kind>;
  readonly #barred: ReadonlyMap<string, number>;

  /** @param held the kinds of decision that the data folder already holds. @param barred keys of withdrawn decisions, by hash. */
  constructor(dataDir: string, held: ReadonlySet<Kind>, barred: ReadonlyMap<string, number>) {
    this.#barred = barred;
    this.#dataDir = dataDir;
    this.#held = new Set(held);
  }

  write(decisao: NewRecord): typeof WITHDRAWN | undefined {
    if (this.#barred.size > 0 && this.#barred.has(keyHash(decisao.tribunal, decisao.chave).toString('hex')))
      return WITHDRAWN;
    const source = decisao.isMadeUp ? 'made-up' : 'real';
    refuseMixing(source, this.#held, this.#dataDir);
    this.#held.add(source);
    const key = Bun.hash.wyhash(`${decisao.tribunal}\n${decisao.chave}`);
    if (this.#keys.has(key)) {
      this.repeated += 1;
      return undefined;
    }
    this.#keys.add(key);
    this.count += 1;
    const tipo = TIPOS.find((name) => tipoCode(name) === decisao.tipo) ?? bug('no such tipo');
    const tribunal =
      CODIGOS_TRIBUNAL.find((name) => tribunalCode(name) === decisao.tribunal) ?? bug('no such court');
    const kind = `${tipo.padEnd(28)}${tribunal}`;
    const isNewKind = !this.#kinds.has(kind);
    add(this.#kinds, kind);
    this.#julgamento.add(decisao.julgamento);
    this.#publicacao.add(decisao.publicacao);
    // A sample shows no base. Written from a Documento.
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion
    const documento = JSON.parse(recordJson('', 0, decisao).documento) as Documento;
    add(this.#statuses, documento.ementa_status);
    if (this.#samples.length < SAMPLES || isNewKind) this.#keepSample(documento, isNewKind);
    return undefined;
  }

  /** The counts and samples, in lines of at most 80 columns. */
  lines(base: string, notes: Notes, rejects: RejectsFile): string[] {
    const statuses = STATUS_EMENTA.map((status) => {
      const count = this.#statuses.get(status) ?? 0;
      return `${status} ${((100 * count) / Math.max(1, this.count)).toFixed(1)}%`;
    });
    return [
      `${base}, dry run: ${this.count} to load, ${this.repeated} repeated, ${rejects.count} rejected, ${notes.leftOut.total} left out`,
      ...[...this.#kinds].map(([kind, count]) => `  ${kind.padEnd(36)}${String(count).padStart(10)}`),
      `  julgamento  ${this.#julgamento.text()}`,
      `  publicacao  ${this.#publicacao.text()}`,
      `  ementa      ${statuses.join(', ')}`,
      ...linesOf('rejected', rejects.reasons),
      ...notesOf(notes),
      ...this.#samples.flatMap((documento, at) => ['', `sample ${at + 1}`, ...sampleLines(documento)]),
    ].map(fitted);
  }

  /** Prefers samples of different types. */
  #keepSample(documento: Documento, isNewKind: boolean): void {
    if (this.#samples.length < SAMPLES) {
      this.#samples.push(documento);
      return;
    }
    const kinds = this.#samples.map(({ tipo }) => tipo);
    const spare = kinds.findLastIndex((tipo, at) => kinds.indexOf(tipo) < at);
    if (isNewKind && spare >= 0) this.#samples[spare] = documento;
  }
}

/** The first and last date, and the number of missing dates. */
class Period {
  #from = Infinity;
  #to = 0;
  #missing = 0;

  /** @param date `yyyymmdd`, 0 for none. */
  add(date: number): void {
    if (date === 0) this.#missing += 1;
    else {
      this.#from = Math.min(this.#from, date);
      this.#to = Math.max(this.#to, date);
    }
  }

  text(): string {
    const period = this.#to === 0 ? 'no date' : `${dateText(this.#from)} to ${dateText(this.#to)}`;
    return this.#missing === 0 ? period : `${period}, ${this.#missing} without one`;
  }
}

function sampleLines(documento: Documento): string[] {
  const { classe, inteiro_teor: inteiroTeor, extras, ...fields } = documento;
  const shown: readonly (readonly [string, unknown])[] = [
    ...Object.entries(fields).filter(([name]) => name !== 'id' && name !== 'base'),
    ['classe', classe],
    ['inteiro_teor', inteiroTeor],
    ['extras', Object.keys(extras).join(', ')],
  ];
  return shown
    .filter(([, value]) => value !== null && value !== '')
    .map(
      ([name, value]) => `  ${name.padEnd(18)}${typeof value === 'string' ? value : JSON.stringify(value)}`,
    );
}

/** One line, cut to the width of a terminal. */
function fitted(text: string): string {
  const line = visible(text.replaceAll(/\s*\n\s*/gu, ' ⏎ ').replaceAll('\t', ' '));
  return line.length <= COLUMNS ? line : `${line.slice(0, COLUMNS - 1).toWellFormed()}…`;
}

function add<K>(counts: Map<K, number>, key: K): void {
  counts.set(key, (counts.get(key) ?? 0) + 1);
}
