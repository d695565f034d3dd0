import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { baseFile } from '../../../src/index/format/schema.ts';
import { ASK_EVERY_MS, Follower, type FollowerOptions } from '../../../src/replicas/files/follower.ts';
import { manifestName, type Manifest } from '../../../src/replicas/files/manifest.ts';
import { publish } from '../../../src/replicas/files/publish.ts';
import { storeAt, writableStoreAt } from '../../../src/replicas/files/store.ts';
import { loadLines, temporaryFolder } from '../../support/service.ts';
import { SimulatedClock } from '../../support/simulated-clock.ts';
import { until } from '../../tools/faults/support-poll.ts';

/** Loads decisions with these keys where bases are loaded, and publishes them. */
export class Publisher {
  readonly dataDir = temporaryFolder();
  readonly place = temporaryFolder();

  async publish(...keys: string[]): Promise<Manifest> {
    const lines = keys.map((chave) => ({ tipo: 'acordao', chave, ementa: `Ementa de ${chave}.` }));
    if (lines.length > 0) loadLines(this.dataDir, 'stj', lines);
    return (await publish(this.dataDir, 'stj', writableStoreAt(this.place), false)).manifest;
  }

  manifestFile(): string {
    return join(this.place, manifestName('stj'));
  }

  /** Changes the manifest as nobody should. */
  lie(change: Record<string, unknown>): void {
    const manifest = JSON.parse(readFileSync(this.manifestFile(), 'utf8')) as object;
    writeFileSync(this.manifestFile(), JSON.stringify({ ...manifest, ...change }));
  }
}

/** Stands still between asks, and knows when one has ended: the next one is then planned. */
class AskClock extends SimulatedClock {
  planned = 0;

  override after(ms: number, action: () => void): () => void {
    if (ms === ASK_EVERY_MS) this.planned += 1;
    return super.after(ms, action);
  }
}

/** A replica's copy of the base stj. */
export class Copy {
  readonly dataDir: string;
  readonly follower: Follower;
  readonly clock = new AskClock();
  readonly said: string[] = [];
  readonly served: Manifest[] = [];
  isDown = false;

  constructor(url: string, given: Partial<FollowerOptions> = {}) {
    this.dataDir = given.dataDir ?? temporaryFolder();
    this.follower = new Follower({
      base: 'stj',
      url,
      store: storeAt(url),
      clock: this.clock,
      isDown: () => this.isDown,
      onServed: (manifest) => this.served.push(manifest),
      log: { info: this.#say, error: this.#say },
      ...given,
      dataDir: this.dataDir,
    });
    onTestFinished(() => this.follower.close());
  }

  readonly #say = (said: object, event: string) => {
    this.said.push(`${event} ${'detail' in said ? String(said.detail) : ''}`);
  };

  get file(): string {
    return baseFile(this.dataDir, 'stj');
  }

  /** Waits until the follower has asked so many times more, and fetches no more. */
  async asks(times: number, { hangs = false } = {}): Promise<void> {
    for (let at = 0; at < times; at += 1) {
      const before = this.clock.planned;
      await this.clock.advance(ASK_EVERY_MS);
      if (hangs) await this.clock.advance(2 * ASK_EVERY_MS);
      await until('it had asked', () => this.clock.planned > before);
      await until('it had worked', () => this.follower.state().state !== 'fetching');
    }
  }
}
