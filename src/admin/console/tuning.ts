import type { Clock } from '../../clock.ts';
import { bug } from '../../bug.ts';
import type { Config, Source } from '../../config/config.ts';
import { forEachOf } from '../../contract/records.ts';
import { liveAt, liveSettings, PLACES, type Live, type LiveKey, type Place } from '../../config/settings.ts';
import { riskOf, type Wanted } from './risks.ts';

/** Changes of settings in the history. */
const SETTING_HISTORY_MAX = 200;

export interface Change {
  readonly numero: number;
  /** When it took effect, ISO 8601. */
  readonly em: string;
  readonly base: Place;
  readonly chave: LiveKey;
  readonly de: number;
  readonly para: number;
}

/** A setting: bounds, value, source, and value after a restart. */
export interface SettingReport {
  readonly base: Place;
  readonly chave: LiveKey;
  readonly min: number;
  readonly max: number;
  readonly valor: number;
  readonly origem: Source['kind'] | 'mudado_aqui';
  /** The variable or key of the source; empty for a default and for a change made here. */
  readonly nome: string;
  /** The value after a restart; null while `live.toml` or `config.toml` cannot be read. */
  readonly ao_reiniciar: number | null;
  /** The variable that overrides `live.toml`. */
  readonly variavel: string | null;
}

export type SettingToWrite = Pick<SettingReport, 'base' | 'chave' | 'valor'>;

/** Why a change was not made: an invalid request, threads that did not start, an unconfirmed risk, or no NATS to share it. */
export interface Refusal {
  readonly recusa: 'invalido' | 'sem_efeito' | 'a_confirmar' | 'sem_nats';
  /** For a change to confirm: its risk. */
  readonly erro: string;
}

/** A change that must apply to all processes could not be sent to the others. */
export class ChangeNotShared extends Error {}

type Started = Pick<Config, 'bases' | 'sources' | 'expensive_at_once' | 'result_cache_mb'>;

export interface TuningOptions {
  readonly clock: Clock;
  /** The settings at the start of the service. */
  readonly start: Started;
  /** The settings after a restart: reads the files again. @throws when one is not valid. */
  readonly restart: () => Started;
  /** Of the machine. */
  readonly cores: number;
  readonly apply: Apply;
}

/** Applies a setting. @returns the value afterwards, which may be the old one. */
export type Apply = (base: Place, key: LiveKey, value: number) => Promise<number>;

/** The settings that can change while the service runs, and the history of changes, which run one at a time. */
export class Tuning {
  readonly #options: TuningOptions;
  /** Settings that were changed here, as `base.key`. */
  readonly #touched = new Set<string>();
  #current: Live<number>;
  #history: Change[] = [];
  #count = 0;
  version = 0;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: TuningOptions) {
    this.#options = options;
    this.#current = valuesOf(options.start);
  }

  get current(): Live<number> {
    return this.#current;
  }

  get history(): readonly Change[] {
    return this.#history.toReversed();
  }

  /** @param isConfirmed false to refuse a risky change as `a_confirmar`. */
  change(base: Place, chave: LiveKey, valor: number, isConfirmed = true): Promise<Change | Refusal> {
    return this.#next(() => this.#change({ base, chave, para: valor }, this.#options.apply, isConfirmed));
  }

  /** Takes a change made elsewhere. @param apply applies it here only. */
  follow(base: Place, chave: LiveKey, valor: number, apply: Apply): Promise<Change | Refusal> {
    return this.#next(() => this.#change({ base, chave, para: valor }, apply, true));
  }

  /** Call this after writing `live.toml`: the values after a restart have changed. */
  noteWritten(): void {
    this.version += 1;
  }

  /** All settings. Never throws: with an invalid file `ao_reiniciar` is null. */
  report(): Record<Place, Readonly<Partial<Record<LiveKey, SettingReport>>>> {
    const all = this.#describe(this.#restart());
    return forEachOf(PLACES, (place) =>
      Object.fromEntries(all.flatMap((one) => (one.base === place ? [[one.chave, one]] : []))),
    );
  }

  /**
   * Settings changed here that a restart would lose. A setting that was only edited in the file is not included: it is
   * meant for the next start. @throws when a file is not valid.
   */
  unwritten(): SettingToWrite[] {
    return this.#describe(this.#options.restart())
      .filter(({ origem }) => origem === 'mudado_aqui')
      .map(({ base, chave, valor }) => ({ base, chave, valor }));
  }

  #describe(restart: Started | null): SettingReport[] {
    const next = restart && { values: valuesOf(restart), sources: restart.sources };
    return PLACES.flatMap((base) =>
      liveSettings(base).map(({ key: chave, min, max }) => {
        const valor = liveAt(this.#current, base, chave);
        const ao_reiniciar = next && liveAt(next.values, base, chave);
        const later = next && liveAt(next.sources, base, chave);
        const isTouched = this.#touched.has(`${base}.${chave}`);
        const before = isTouched ? null : liveAt(this.#options.start.sources, base, chave);
        const source = valor === ao_reiniciar ? later : before;
        return {
          base,
          chave,
          min,
          max,
          valor,
          origem: source?.kind ?? 'mudado_aqui',
          nome: source?.name ?? '',
          ao_reiniciar,
          variavel: later !== null && isAboveLive(later, base) ? later.name : null,
        };
      }),
    );
  }

  #restart(): Started | null {
    try {
      return this.#options.restart();
    } catch {
      return null;
    }
  }

  async #change(
    { base, chave, para }: Wanted,
    apply: Apply,
    isConfirmed: boolean,
  ): Promise<Change | Refusal> {
    const { min, max } =
      liveSettings(base).find(({ key }) => key === chave) ?? bug(`${base} has no ${chave}`);
    if (!Number.isSafeInteger(para) || para < min || para > max)
      return refused('invalido', `${chave}: use um número inteiro de ${min} a ${max}`);
    const risk = isConfirmed ? null : riskOf(this.#options.cores, this.#current, { base, chave, para });
    if (risk !== null) return refused('a_confirmar', risk);
    const de = liveAt(this.#current, base, chave);
    if (para === de) return refused('sem_efeito', `${chave} de ${base} já é ${de}; nada mudou`);
    const inForce = await apply(base, chave, para).catch(notShared);
    if (inForce === null)
      return refused('sem_nats', 'o NATS não respondeu e nada mudou; confira a conexão e repita');
    if (inForce !== para) {
      const erro = `a base ${base} ficou com ${inForce} threads: as novas não iniciaram; veja o log e a memória livre`;
      return refused('sem_efeito', erro);
    }
    this.#current = { ...this.#current, [base]: { ...this.#current[base], [chave]: para } };
    this.#touched.add(`${base}.${chave}`);
    this.#count += 1;
    this.version += 1;
    const em = this.#options.clock.date().toISOString();
    const change = { numero: this.#count, em, base, chave, de, para };
    this.#history = [...this.#history, change].slice(-SETTING_HISTORY_MAX);
    return change;
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => undefined);
    return done;
  }
}

function valuesOf({ bases, expensive_at_once, result_cache_mb }: Started): Live<number> {
  return { ...bases, servico: { expensive_at_once, result_cache_mb } };
}

/** Only the base's own variable overrides the base's own key. */
function isAboveLive({ kind, name }: Source, base: Place): boolean {
  return kind === 'environment' && (base === 'servico' || name.startsWith(`BASES_${base.toUpperCase()}_`));
}

function notShared(error: unknown): null {
  if (error instanceof ChangeNotShared) return null;
  throw error;
}

function refused(recusa: Refusal['recusa'], erro: string): Refusal {
  return { recusa, erro };
}
