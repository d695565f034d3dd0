import type { Clock } from '../../engine/clock.ts';
import { BASES, type Base } from '../../contract/vocabulary.ts';
import type { BaseConfig, Config, Source } from '../../config/config.ts';
import { BASE_SETTINGS, type BaseKey } from '../../config/settings.ts';

/** One change of a setting while the service runs. */
export interface Change {
  readonly numero: number;
  /** When it took effect, ISO 8601. */
  readonly em: string;
  readonly base: Base;
  readonly chave: BaseKey;
  readonly de: number;
  readonly para: number;
  /** The change that this one took back. */
  readonly desfaz: number | null;
  readonly desfeita: boolean;
}

/** A setting as it stands: its value, what decided it, and what a restart would make of it. */
export interface SettingReport {
  readonly valor: number;
  readonly origem: 'padrao' | 'config.toml' | 'ambiente' | 'mudado_aqui';
  /** The variable or the key that decided it; empty for a default and for a change made here. */
  readonly nome: string;
  /** Null while `config.toml` cannot be read. */
  readonly ao_reiniciar: number | null;
  /** The variable that would win over `config.toml` after a restart. */
  readonly variavel: string | null;
}

/** Why a change was not made: the reader's mistake, or threads that would not start. */
export interface Refusal {
  readonly recusa: 'invalido' | 'inexistente' | 'sem_efeito';
  readonly erro: string;
}

type Started = Pick<Config, 'bases' | 'sources'>;

export interface TuningOptions {
  readonly clock: Clock;
  /** What the service was started with. */
  readonly start: Started;
  /** What a restart would give: reads the environment and the file again. @throws when the file is not valid. */
  readonly restart: () => Started;
  /** Makes a base run with other settings. @returns what is in force then, which may be the old value. */
  readonly apply: (base: Base, settings: BaseConfig, key: BaseKey) => Promise<number>;
}

/** Changes remembered; older ones can no longer be taken back one by one. */
const HISTORY_MAX = 200;
const SOURCES = { default: 'padrao', file: 'config.toml', environment: 'ambiente' } as const;

/**
 * Owns the settings that may change while the service runs: their present values, the changes made and what
 * they were before. Changes are made one after the other.
 */
export class Tuning {
  readonly #options: TuningOptions;
  /** Settings that were changed here, as `base.key`; the others are the file's to change. */
  readonly #touched = new Set<string>();
  readonly #current: Record<Base, BaseConfig>;
  #history: Change[] = [];
  #count = 0;
  #version = 0;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(options: TuningOptions) {
    this.#options = options;
    this.#current = { ...options.start.bases };
  }

  get current(): Readonly<Record<Base, BaseConfig>> {
    return this.#current;
  }

  /** Changes, the latest first. */
  get history(): readonly Change[] {
    return this.#history.toReversed();
  }

  /** Another number whenever anything here has changed. */
  get version(): number {
    return this.#version;
  }

  change(base: Base, chave: BaseKey, valor: number): Promise<Change | Refusal> {
    return this.#next(() => this.#change(base, chave, valor, null));
  }

  /** Gives a setting back the value that it had before a change; changes of it since then are undone with it. */
  undo(numero: number): Promise<Change | Refusal> {
    return this.#next(async () => {
      const known = this.#history.find((one) => one.numero === numero);
      if (known === undefined) {
        return refused('inexistente', `não há mudança ${numero}; escolha uma do histórico`);
      }
      if (known.desfeita) return refused('invalido', `a mudança ${numero} já foi desfeita`);
      const { base, chave, de } = known;
      const undone = await this.#change(base, chave, de, numero);
      if ('recusa' in undone) return undone;
      this.#history = this.#history.map((one) => {
        const isSince = one.numero >= numero && one.numero < undone.numero;
        return isSince && one.base === base && one.chave === chave ? { ...one, desfeita: true } : one;
      });
      return undone;
    });
  }

  /** Told that `config.toml` was written: what a restart would give is another thing now. */
  noteWritten(): void {
    this.#version += 1;
  }

  /** Every base's settings. @throws never: a file that cannot be read leaves `ao_reiniciar` unknown. */
  report(): Record<Base, Record<BaseKey, SettingReport>> {
    const restart = this.#restart();
    const entries = BASES.map((base) => {
      const settings = BASE_SETTINGS.map(({ key }) => [key, this.#describe(base, key, restart)]);
      return [base, Object.fromEntries(settings)];
    });
    // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- made of the two lists that the type is
    return Object.fromEntries(entries) as Record<Base, Record<BaseKey, SettingReport>>;
  }

  /**
   * Settings changed here whose value a restart would lose, unless they are written. What somebody has edited in the
   * file meanwhile is meant for the next start. @throws when the file is not valid.
   */
  unwritten(): { readonly base: Base; readonly chave: BaseKey; readonly valor: number }[] {
    const restart = this.#options.restart();
    return BASES.flatMap((base) =>
      BASE_SETTINGS.map(({ key }) => ({ base, chave: key, valor: this.#current[base][key] })).filter(
        ({ chave, valor }) => this.#isTouched(base, chave) && valor !== restart.bases[base][chave],
      ),
    );
  }

  #isTouched(base: Base, key: BaseKey): boolean {
    return this.#touched.has(`${base}.${key}`);
  }

  #describe(base: Base, key: BaseKey, restart: Started | null): SettingReport {
    const valor = this.#current[base][key];
    const ao_reiniciar = restart?.bases[base][key] ?? null;
    const next = restart?.sources[base][key] ?? null;
    const before = this.#isTouched(base, key) ? null : this.#options.start.sources[base][key];
    const source = valor === ao_reiniciar ? next : before;
    return {
      valor,
      origem: source === null ? 'mudado_aqui' : SOURCES[source.kind],
      nome: source?.name ?? '',
      ao_reiniciar,
      variavel: next !== null && isAboveFile(next, base) ? next.name : null,
    };
  }

  #restart(): Started | null {
    try {
      return this.#options.restart();
    } catch {
      return null;
    }
  }

  async #change(base: Base, chave: BaseKey, para: number, desfaz: number | null): Promise<Change | Refusal> {
    const de = this.#current[base][chave];
    const wrong = mistakeOf(chave, para);
    if (wrong !== null) return refused('invalido', wrong);
    if (para === de) return refused('sem_efeito', `${chave} da base ${base} já é ${de}; nada mudou`);
    const settings = { ...this.#current[base], [chave]: para };
    const inForce = await this.#options.apply(base, settings, chave);
    if (inForce !== para) {
      const erro = `a base ${base} ficou com ${inForce} threads: as novas não iniciaram; veja o log e a memória livre`;
      return refused('sem_efeito', erro);
    }
    this.#current[base] = settings;
    this.#touched.add(`${base}.${chave}`);
    this.#count += 1;
    this.#version += 1;
    const em = this.#options.clock.date().toISOString();
    const change = { numero: this.#count, em, base, chave, de, para, desfaz, desfeita: false };
    this.#history = [...this.#history, change].slice(-HISTORY_MAX);
    return change;
  }

  #next<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => undefined);
    return done;
  }
}

/** Of the variables only the base's own stands above the base's own key in the file. */
function isAboveFile({ kind, name }: Source, base: Base): boolean {
  return kind === 'environment' && name.startsWith(`BASES_${base.toUpperCase()}_`);
}

function mistakeOf(chave: BaseKey, valor: number): string | null {
  const setting = BASE_SETTINGS.find(({ key }) => key === chave);
  if (setting === undefined) return `não há ajuste ${chave}`;
  if (Number.isSafeInteger(valor) && valor >= setting.min && valor <= setting.max) return null;
  return `${chave}: use um número inteiro de ${setting.min} a ${setting.max}`;
}

function refused(recusa: Refusal['recusa'], erro: string): Refusal {
  return { recusa, erro };
}
