import type { Clock } from '../../clock.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import type { BaseConfig, Config, Source } from '../../config/config.ts';
import { forEachOf } from '../../contract/records.ts';
import {
  BASE_SETTINGS,
  LIVE_SERVICE_SETTINGS,
  SERVICE,
  type BaseKey,
  type ServiceKey,
} from '../../config/settings.ts';
import { riskOf, type Machine } from './risks.ts';

/** Changes of settings in the history. */
const SETTING_HISTORY_MAX = 200;

/** The owner of settings that can change while running: a base, or the whole service. */
export const PLACES = [...BASES, SERVICE] as const;
export type Place = (typeof PLACES)[number];
export type LiveKey = BaseKey | ServiceKey;
type Values = Readonly<Partial<Record<LiveKey, number>>>;

export interface Change {
  readonly numero: number;
  /** When it took effect, ISO 8601. */
  readonly em: string;
  readonly base: Place;
  readonly chave: LiveKey;
  readonly de: number;
  readonly para: number;
}

/** A setting: value, source, and value after a restart. */
export interface SettingReport {
  readonly valor: number;
  readonly origem: 'padrao' | 'live.toml' | 'config.toml' | 'ambiente' | 'mudado_aqui';
  /** The variable or key of the source; empty for a default and for a change made here. */
  readonly nome: string;
  /** The value after a restart; null while `live.toml` or `config.toml` cannot be read. */
  readonly ao_reiniciar: number | null;
  /** The variable that overrides `live.toml`. */
  readonly variavel: string | null;
}

export interface SettingToWrite {
  readonly base: Place;
  readonly chave: LiveKey;
  readonly valor: number;
}

/** Why a change was not made: an invalid request, threads that did not start, or an unconfirmed risk. */
export interface Refusal {
  readonly recusa: 'invalido' | 'sem_efeito' | 'a_confirmar';
  /** For a change to confirm: its risk. */
  readonly erro: string;
}

/** A change that must apply to all processes could not be sent to the others. */
export class ChangeNotShared extends Error {}

/** Some processes did not apply a change that must apply to all; the message is for the operator. */
export class ChangeRefused extends Error {}

type Started = Pick<Config, 'bases' | 'sources' | ServiceKey>;

export interface TuningOptions {
  readonly clock: Clock;
  /** The settings at the start of the service. */
  readonly start: Started;
  /** The settings after a restart: reads the files again. @throws when one is not valid. */
  readonly restart: () => Started;
  /** Resources that the threads share; if absent, no change is a risk. */
  readonly machine?: Machine;
  /** Applies settings to a base. @returns the value afterwards, which may be the old one. */
  readonly apply: (base: Base, settings: BaseConfig, key: BaseKey) => Promise<number>;
  /** Applies a setting of the whole service. */
  readonly applyService: (key: ServiceKey, value: number) => Promise<void>;
}

type Applied = Pick<TuningOptions, 'apply' | 'applyService'>;

const SOURCES = {
  default: 'padrao',
  live: 'live.toml',
  file: 'config.toml',
  environment: 'ambiente',
} as const;

/** The settings that can change while the service runs, and the history of changes, which run one at a time. */
export class Tuning {
  readonly #options: TuningOptions;
  /** Settings that were changed here, as `place.key`. */
  readonly #touched = new Set<string>();
  readonly #current: Record<ServiceKey, number> & { readonly bases: Record<Base, BaseConfig> };
  #history: Change[] = [];
  #count = 0;
  version = 0;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: TuningOptions) {
    this.#options = options;
    const { bases, expensive_at_once, result_cache_mb } = options.start;
    this.#current = { bases: { ...bases }, expensive_at_once, result_cache_mb };
  }

  get current(): Readonly<Record<Base, BaseConfig>> {
    return this.#current.bases;
  }

  valueOf(base: Place, chave: LiveKey): number {
    return valueAt(this.#current, base, chave);
  }

  get history(): readonly Change[] {
    return this.#history.toReversed();
  }

  /** @param isConfirmed false to refuse a risky change as `a_confirmar`. */
  change(base: Place, chave: LiveKey, valor: number, isConfirmed = true): Promise<Change | Refusal> {
    return this.#next(() => {
      const risk = isConfirmed ? null : this.#riskOf(base, chave, valor);
      return risk === null ? this.#change(base, chave, valor) : Promise.resolve(refused('a_confirmar', risk));
    });
  }

  /** Takes a change made elsewhere. @param applied applies it here only. */
  follow(base: Place, chave: LiveKey, valor: number, applied: Applied): Promise<Change | Refusal> {
    return this.#next(() => this.#change(base, chave, valor, applied));
  }

  /** Call this after writing `live.toml`: the values after a restart have changed. */
  noteWritten(): void {
    this.version += 1;
  }

  /** The settings of every place. Never throws: with an invalid file `ao_reiniciar` is null. */
  report(): Record<Place, Readonly<Record<string, SettingReport>>> {
    const restart = this.#restart();
    return forEachOf(PLACES, (base) =>
      Object.fromEntries(settingsAt(base).map(({ key }) => [key, this.#describe(base, key, restart)])),
    );
  }

  /**
   * Settings changed here that a restart would lose. A setting that was only edited in the file is not included: it is
   * meant for the next start. @throws when a file is not valid.
   */
  unwritten(): SettingToWrite[] {
    const restart = this.#options.restart();
    return PLACES.flatMap((base) =>
      settingsAt(base)
        .map(({ key: chave }) => ({ base, chave, valor: valueAt(this.#current, base, chave) }))
        .filter(
          ({ chave, valor }) => this.#isTouched(base, chave) && valor !== valueAt(restart, base, chave),
        ),
    );
  }

  #riskOf(base: Place, chave: LiveKey, para: number): string | null {
    const { machine } = this.#options;
    if (machine === undefined || base === SERVICE || mistakeOf(base, chave, para) !== null) return null;
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a base has no other setting
    return riskOf(machine, this.#current.bases, { base, chave: chave as BaseKey, para });
  }

  #isTouched(base: Place, key: LiveKey): boolean {
    return this.#touched.has(`${base}.${key}`);
  }

  #describe(base: Place, key: LiveKey, restart: Started | null): SettingReport {
    const sourceIn = ({ sources }: Started) =>
      (sources[base] as Partial<Record<LiveKey, Source>>)[key] ?? null;
    const valor = valueAt(this.#current, base, key);
    const ao_reiniciar = restart === null ? null : valueAt(restart, base, key);
    const next = restart === null ? null : sourceIn(restart);
    const before = this.#isTouched(base, key) ? null : sourceIn(this.#options.start);
    const source = valor === ao_reiniciar ? next : before;
    return {
      valor,
      origem: source === null ? 'mudado_aqui' : SOURCES[source.kind],
      nome: source?.name ?? '',
      ao_reiniciar,
      variavel: next !== null && isAboveLive(next, base) ? next.name : null,
    };
  }

  #restart(): Started | null {
    try {
      return this.#options.restart();
    } catch {
      return null;
    }
  }

  async #change(
    base: Place,
    chave: LiveKey,
    para: number,
    applied: Applied = this.#options,
  ): Promise<Change | Refusal> {
    const wrong = mistakeOf(base, chave, para);
    if (wrong !== null) return refused('invalido', wrong);
    const de = valueAt(this.#current, base, chave);
    const whose = base === SERVICE ? '' : ` da base ${base}`;
    if (para === de) return refused('sem_efeito', `${chave}${whose} já é ${de}; nada mudou`);
    const inForce = await this.#apply(base, chave, para, applied);
    if (inForce !== para) {
      const erro = `a base ${base} ficou com ${inForce} threads: as novas não iniciaram; veja o log e a memória livre`;
      return refused('sem_efeito', erro);
    }
    this.#touched.add(`${base}.${chave}`);
    this.#count += 1;
    this.version += 1;
    const em = this.#options.clock.date().toISOString();
    const change = { numero: this.#count, em, base, chave, de, para };
    this.#history = [...this.#history, change].slice(-SETTING_HISTORY_MAX);
    return change;
  }

  /** @returns the value afterwards: the old one if the base could not apply the change. */
  async #apply(base: Place, chave: LiveKey, para: number, applied: Applied): Promise<number> {
    const current = this.#current;
    if (base === SERVICE) {
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- checked: the service has no other setting
      const key = chave as ServiceKey;
      await applied.applyService(key, para);
      current[key] = para;
      return para;
    }
    const settings = { ...current.bases[base], [chave]: para };
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- nor has a base
    const inForce = await applied.apply(base, settings, chave as BaseKey);
    if (inForce === para) current.bases[base] = settings;
    return inForce;
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => undefined);
    return done;
  }
}

/** Only the base's own variable overrides the base's own key. */
function isAboveLive({ kind, name }: Source, base: Place): boolean {
  const isOwn = base === SERVICE || name.startsWith(`BASES_${base.toUpperCase()}_`);
  return kind === 'environment' && isOwn;
}

/** A place's settings that can change, with their bounds. */
export function settingsAt(base: Place): readonly { key: LiveKey; min: number; max: number }[] {
  return base === SERVICE ? LIVE_SERVICE_SETTINGS : BASE_SETTINGS;
}

function valueAt(
  { bases, ...service }: Pick<Started, 'bases' | ServiceKey>,
  base: Place,
  key: LiveKey,
): number {
  const values: Values = base === SERVICE ? service : bases[base];
  return values[key] ?? Number.NaN;
}

function mistakeOf(base: Place, chave: LiveKey, valor: number): string | null {
  const setting = settingsAt(base).find(({ key }) => key === chave);
  if (setting === undefined) return `não há ajuste ${chave}`;
  if (Number.isSafeInteger(valor) && valor >= setting.min && valor <= setting.max) return null;
  return `${chave}: use um número inteiro de ${setting.min} a ${setting.max}`;
}

function refused(recusa: Refusal['recusa'], erro: string): Refusal {
  return { recusa, erro };
}
