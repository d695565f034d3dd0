import { BaseActor } from '../../src/engine/base-actor.ts';
import type { Clock } from '../../src/clock.ts';
import { CoverageActor } from '../../src/search/coverage.ts';
import { quotaOfThisProcess, type Quota } from '../../src/shared/quota.ts';
import { Supervisor, type Windows } from '../../src/search/supervisor.ts';
import type { BasePort } from '../../src/engine/port.ts';
import type { Base } from '../../src/contract/vocabulary.ts';

export interface BaseParts {
  readonly port: BasePort;
  readonly threads: number;
  readonly queueMax: number;
  readonly windows: Windows;
}

export interface Parts {
  readonly clock: Clock;
  readonly bases: ReadonlyMap<Base, BaseParts>;
  readonly coverageFile: string;
  readonly log: (event: string, detail: Record<string, unknown>) => void;
  /** Wraps a base actor for those who ask it. */
  readonly around: (base: Base, actor: BaseActor) => BaseActor;
}

export interface Actors {
  readonly bases: ReadonlyMap<Base, BaseActor>;
  /** The actors as others see them: wrapped by `around`. */
  readonly asked: ReadonlyMap<Base, BaseActor>;
  readonly supervisor: Supervisor;
  readonly quota: Quota;
  readonly coverage: CoverageActor;
}

/** The real actors, wired as in `system.ts`. No other place of the simulation makes them. */
export function buildActors({ clock, bases, coverageFile, log, around }: Parts): Actors {
  const actors = new Map(
    [...bases].map(([base, { threads, ...parts }]) => [
      base,
      new BaseActor({ base, clock, threads, ...parts, onState: () => undefined }),
    ]),
  );
  const asked = new Map([...actors].map(([base, actor]) => [base, around(base, actor)]));
  const supervised = new Map(
    [...bases].flatMap(([base, { windows }]) => {
      const actor = asked.get(base);
      return actor === undefined ? [] : [[base, { actor, windows }] as const];
    }),
  );
  return {
    bases: actors,
    asked,
    supervisor: new Supervisor(clock, supervised),
    quota: quotaOfThisProcess(clock),
    coverage: new CoverageActor({ clock, file: coverageFile, bases: asked, log }),
  };
}
