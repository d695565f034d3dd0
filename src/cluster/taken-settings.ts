import type { BaseKey } from '../config/settings.ts';
import type { Base } from '../contract/vocabulary.ts';
import type { Beat } from './messages.ts';

type Refused = NonNullable<Beat['refused']>[number];
const REASON_LENGTH_MAX = 500;

/** What a node has made of the settings of its cluster. */
export class TakenSettings {
  /** Up to which revision it has dealt with them. */
  to = 0;
  readonly #refused = new Map<Base, Map<BaseKey, Refused>>();

  /** Those that a base does not run with; absent where there is none. */
  refused(base: Base): Refused[] | undefined {
    const known = this.#refused.get(base);
    return known === undefined || known.size === 0 ? undefined : [...known.values()];
  }

  /** @param reason why the base does not run with it, for the operator; empty where it does. */
  note({ base, key, value }: Omit<Refused, 'reason'> & { readonly base: Base }, reason: string): void {
    const known = this.#refused.get(base) ?? new Map<BaseKey, Refused>();
    this.#refused.set(base, known);
    if (reason === '') known.delete(key);
    else known.set(key, { key, value, reason: reason.slice(0, REASON_LENGTH_MAX) });
  }
}
