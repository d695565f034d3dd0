import { parentPort, workerData } from 'node:worker_threads';
import { Generator } from './generator.ts';
import type { GeneratorPlan, StepPlan } from './plan.ts';

/** The start data of a generator's thread. */
export interface ThreadData {
  readonly plan: GeneratorPlan;
  /** In shared memory: requests sent so far, including the warm-up. */
  readonly sent: Int32Array;
}

// `fleet.ts` sends only this data, steps and `stop`. An error ends the thread, which `fleet.ts` hears of.
// oxlint-disable-next-line typescript/no-unsafe-type-assertion
const { plan, sent } = workerData as ThreadData;
const generator = new Generator(plan, sent);
const port = parentPort;
port?.on('message', (message: StepPlan | 'stop') => {
  if (message === 'stop') generator.stop();
  else void generator.run(message).then((outcome) => port.postMessage(outcome));
});
