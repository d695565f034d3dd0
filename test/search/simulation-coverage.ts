import { isDeepStrictEqual } from 'node:util';
import type { BaseReply } from '../../src/engine/messages.ts';
import type { Outcome } from '../../src/engine/outcome.ts';
import type { BaseCobertura, Cobertura } from '../../src/contract/cobertura.ts';
import type { Base } from '../../src/contract/vocabulary.ts';
import type { EventClock } from './simulation-clock.ts';
import type { ModelBase } from './simulation-model.ts';

interface Walk {
  /** The base's generation when its first slice was requested. */
  readonly from: number;
  isWhole: boolean;
}

/** Compares the coverage report with the models at each change of the report. */
export class CoverageWatch {
  readonly #models: ReadonlyMap<Base, ModelBase>;
  readonly #clock: EventClock;
  readonly #onViolation: (message: string) => void;
  readonly #walks = new Map<Base, Walk>();
  readonly #shown = new Map<Base, BaseCobertura>();
  #seen: Cobertura | null = null;

  constructor(
    models: ReadonlyMap<Base, ModelBase>,
    clock: EventClock,
    onViolation: (message: string) => void,
  ) {
    this.#models = models;
    this.#clock = clock;
    this.#onViolation = onViolation;
  }

  /** To be called when a slice is requested, and when its answer arrives. */
  readonly onCover = (base: Base, above: number, outcome: Outcome<BaseReply> | 'asked'): void => {
    if (outcome === 'asked') {
      // A repeated request for the first slice starts the calculation again.
      if (above === 0)
        this.#walks.set(base, { from: this.#models.get(base)?.generation ?? 0, isWhole: false });
    } else if (outcome.ok && outcome.value.kind === 'cover' && outcome.value.to === null) {
      const walk = this.#walks.get(base);
      if (walk !== undefined) walk.isWhole = true;
    }
  };

  /** Checks the report if it has changed since the last call. */
  look(current: Cobertura): void {
    if (current === this.#seen) return;
    this.#seen = current;
    for (const shown of current.bases) {
      const before = this.#shown.get(shown.base);
      this.#shown.set(shown.base, shown);
      if (!shown.calculado) this.#checkUnknown(shown, before);
      else if (shown.calculado_em !== before?.calculado_em || shown.total !== before?.total)
        this.#checkNew(shown);
    }
  }

  isDone(current: Cobertura): boolean {
    return current.bases.every(({ calculado }) => calculado);
  }

  /** If the base did not change during the calculation, the report equals the model's except for its time. */
  checkExact(current: Cobertura): void {
    for (const shown of current.bases) this.#compare(shown);
  }

  #checkUnknown(shown: BaseCobertura, before: BaseCobertura | undefined): void {
    if (before?.calculado === true) this.#report(shown, 'was calculated and is so no more');
    if (Object.keys(shown).length !== 2) this.#report(shown, 'has values before its calculation has ended');
  }

  #checkNew(shown: BaseCobertura): void {
    const walk = this.#walks.get(shown.base);
    const model = this.#models.get(shown.base);
    if (walk === undefined || model === undefined || !walk.isWhole) {
      this.#report(shown, 'is calculated before its last slice has come');
      return;
    }
    if (shown.calculado_em !== this.#clock.date().toISOString()) this.#report(shown, 'has another time');
    if (walk.from === model.generation) {
      this.#compare(shown);
      return;
    }
    // Decisions were loaded during the calculation: each may be counted or not.
    const total = shown.total ?? -1;
    if (total < model.last(walk.from) || total > model.last(model.generation)) {
      this.#report(
        shown,
        `neither counts from ${model.last(walk.from)} nor to ${model.last(model.generation)}`,
      );
    }
  }

  #compare(shown: BaseCobertura): void {
    const model = this.#models.get(shown.base);
    const expected = model?.coverage(model.generation, shown.calculado_em ?? '');
    // Comparing the texts first is faster, and they are nearly always equal.
    if (JSON.stringify(shown) === JSON.stringify(expected)) return;
    if (!isDeepStrictEqual(shown, expected)) this.#report(shown, `should be ${JSON.stringify(expected)}`);
  }

  #report(shown: BaseCobertura, what: string): void {
    this.#onViolation(`coverage of ${shown.base} ${what}: ${JSON.stringify(shown)}`);
  }
}
