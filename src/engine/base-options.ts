import type { BasePort } from './port.ts';
import type { Base } from '../contract/enums.ts';
import type { Clock } from './clock.ts';
import type { Step } from './steps.ts';

/** What a base actor needs. */
export interface BaseActorOptions {
  readonly base: Base;
  readonly port: BasePort;
  readonly clock: Clock;
  /** The pool's threads at the start; as many batches run at once. */
  readonly threads: number;
  readonly queueMax: number;
  /** Size of the result cache, megabytes; 0 for no cache. */
  readonly resultCacheMb?: number;
  /** Called once when the base goes down and once when it comes back. The caller logs it. */
  readonly onState: (base: Base, state: 'up' | 'down', detail: string) => void;
  /** Called at the end of every request to the base, except probes. */
  readonly onStep?: (step: Step) => void;
}
