import { parentPort, workerData } from 'node:worker_threads';
import { explain } from '../../process/fail.ts';
import { Generator, type StepOutcome } from './generator.ts';
import type { GeneratorPlan, StepPlan } from './plan.ts';

/** What a thread of the generator is told. */
export type ToThread =
  { readonly kind: 'step'; readonly step: StepPlan } | { readonly kind: 'stop' } | { readonly kind: 'end' };
/** What it tells. */
export type FromThread =
  | { readonly kind: 'sent'; readonly sent: number }
  | { readonly kind: 'done'; readonly outcome: StepOutcome }
  | { readonly kind: 'failed'; readonly message: string };

const TELL_MS = 250;

function work(port: NonNullable<typeof parentPort>): void {
  // The other end is fleet.ts, which sends these and nothing else.
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion
  const generator = new Generator(workerData as GeneratorPlan);
  const tell = (message: FromThread): void => {
    port.postMessage(message);
  };
  const run = async (step: StepPlan): Promise<void> => {
    const ticker = setInterval(() => {
      tell({ kind: 'sent', sent: generator.sent });
    }, TELL_MS);
    try {
      tell({ kind: 'done', outcome: await generator.run(step) });
    } catch (error) {
      tell({ kind: 'failed', message: explain(error) });
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
