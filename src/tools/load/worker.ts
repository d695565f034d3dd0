import { parentPort, workerData } from 'node:worker_threads';
import { explain } from '../../process/fail.ts';
import { Generator, type StepOutcome } from './generator.ts';
import type { GeneratorPlan, StepPlan } from './plan.ts';

/** A message to a generator thread. */
export type ToThread =
  { readonly kind: 'step'; readonly step: StepPlan } | { readonly kind: 'stop' } | { readonly kind: 'end' };
/** A message from it. */
export type FromThread =
  | { readonly kind: 'sent'; readonly sent: number }
  | { readonly kind: 'done'; readonly outcome: StepOutcome }
  | { readonly kind: 'failed'; readonly message: string };

const REPORT_MS = 250;

function work(port: NonNullable<typeof parentPort>): void {
  // `fleet.ts` sends only these messages.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const generator = new Generator(workerData as GeneratorPlan);
  const post = (message: FromThread): void => {
    port.postMessage(message);
  };
  const run = async (step: StepPlan): Promise<void> => {
    const ticker = setInterval(() => {
      post({ kind: 'sent', sent: generator.sent });
    }, REPORT_MS);
    try {
      post({ kind: 'done', outcome: await generator.run(step) });
    } catch (error) {
      post({ kind: 'failed', message: explain(error) });
    } finally {
      clearInterval(ticker);
    }
  };
  port.on('message', (message: ToThread) => {
    if (message.kind === 'step') void run(message.step);
    else if (message.kind === 'stop') generator.stop();
    else {
      generator.close();
      port.close();
    }
  });
}

if (parentPort !== null) work(parentPort);
