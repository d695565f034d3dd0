import { BASES } from '../contract/vocabulary.ts';
import type { BaseKey } from './settings.ts';

/** The former name of a base's setting, in `config.toml` and as a variable. */
interface Former {
  readonly key: string;
  readonly env: string;
}

/** Settings that had another name in the version before this one; its name is read once more, with a warning. */
const FORMER: Readonly<Partial<Record<BaseKey, Former>>> = {
  result_cache_mb: { key: 'kept_mb', env: 'KEPT_MB' },
};

/** A name that was used and that will not be read in the next version, and the name that will. */
export interface Renamed {
  readonly old: string;
  readonly now: string;
}

export function formerOf(key: BaseKey): readonly Former[] {
  const former = FORMER[key];
  return former === undefined ? [] : [former];
}

/** The setting's present name, for a former name in the file or in the console's interface; null for any other. */
export function renamedKey(old: string): BaseKey | null {
  return ENTRIES.find(([, former]) => former.key === old)?.[0] ?? null;
}

/** The variable's present name; null where `old` is not the former name of one. */
export function renamedVariable(old: string): string | null {
  for (const [key, former] of ENTRIES) {
    const scope = SCOPES.find((one) => old === `${one}_${former.env}`);
    if (scope !== undefined) return `${scope}_${key.toUpperCase()}`;
  }
  return null;
}

// oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the keys are those of the table above
const ENTRIES = Object.entries(FORMER) as readonly [BaseKey, Former][];
/** Beginnings of the variables of bases. */
export const SCOPES = ['BASES', ...BASES.map((base) => `BASES_${base.toUpperCase()}`)];
