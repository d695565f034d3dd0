import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { baseFile, basesFolder } from '../../../src/index/format/schema.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { ROOT, runProgram, startScript, type Child } from '../../support/run.ts';

/** A publisher of one base: a folder with its file, and `bun run files`. */
export class Publisher {
  readonly dataDir: string;
  readonly #base: Base;
  readonly #files: Child;
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(dataDir: string, base: Base, files: Child, urls: Readonly<Record<string, string>>) {
    this.dataDir = dataDir;
    this.#base = base;
    this.#files = files;
    this.#environment = { DATA_DIR: dataDir, ...urls };
  }

  /** @param folder for its folder. @param from the data folder whose file it begins with. */
  static async start(folder: string, from: string, base: Base, natsUrl: string): Promise<Publisher> {
    const dataDir = join(folder, 'publisher');
    makeFolder(basesFolder(dataDir));
    copyFileSync(baseFile(from, base), baseFile(dataDir, base));
    const files = startScript('cluster/data/files-command.ts', [], { DATA_DIR: dataDir, FILES_PORT: '0' });
    try {
      const url = /Serving .* at (\S+)/u.exec(await files.says('Ctrl-C stops it.'))?.[1] ?? '';
      return new Publisher(dataDir, base, files, { NATS_URL: natsUrl, FILES_URL: url });
    } catch (error) {
      await files.stop();
      throw error;
    }
  }

  /** Runs `bun run publish`. @param before what stands before the command. @returns the generation. */
  async publish(before: readonly string[] = []): Promise<number> {
    const script = join(ROOT, 'src/cluster/data/publish-command.ts');
    const { text } = await runProgram([...before, process.execPath, script, this.#base], {
      environment: this.#environment,
    });
    return Number(/generation (\d+) published/u.exec(text)?.[1]);
  }

  stop(): Promise<void> {
    return this.#files.stop();
  }
}
