import type { BasePort } from './port.ts';
import type { Base } from '../contract/enums.ts';
import type { Clock } from './clock.ts';
import type { Step } from './steps.ts';

/** What a base actor is made of. */
export interface BaseActorOptions {
  readonly base: Base;
  readonly port: BasePort;
  readonly clock: Clock;
  /** Batches under way at once: one for each thread of the pool. */
  readonly batchesMax: number;
  readonly queueMax: number;
  /** Megabytes of answers kept; 0 for none. */
  readonly resultCacheMb?: number;
  /** Told once when the base goes down and once when it is back: a line in the log each. */
  readonly onState: (base: Base, state: 'up' | 'down', detail: string) => void;
  /** Told of every ask of the base as it ends, but of those that only look whether it answers. */
  readonly onStep?: (step: Step) => void;
}
