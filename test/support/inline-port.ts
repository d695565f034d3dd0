import type { BaseRequest } from '../../src/engine/messages.ts';
import type { Base } from '../../src/contract/vocabulary.ts';
import type { BasePort, Outcomes } from '../../src/engine/port.ts';
import { Handler } from '../../workers/handler.ts';

/**
 * Answers for a base file in this very thread, with every message written to JSON and read back on the way in
 * and out, as a port to a machine far away would: nothing may rely on shared memory.
 */
export class InlinePort implements BasePort {
  readonly #handler: Handler;

  constructor(file: string, base: Base) {
    this.#handler = new Handler(file, base);
  }

  async run(batch: readonly BaseRequest[]): Promise<Outcomes> {
    const sent = JSON.parse(JSON.stringify(batch)) as BaseRequest[];
    const replies = JSON.stringify(this.#handler.run(sent));
    return await Promise.resolve(JSON.parse(replies) as Outcomes);
  }

  close(): Promise<void> {
    this.#handler.close();
    return Promise.resolve();
  }
}
