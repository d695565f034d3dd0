import { copyFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Base } from '../../../src/contract/enums.ts';
import { baseFile, basesFolder } from '../../../src/index/format/schema.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { Program } from '../../../src/tools/cluster/program.ts';
import { ROOT } from '../measure/service.ts';
import { runChild } from './data.ts';

/** A publisher of one base: a folder with its file, and `bun run files`. */
export class Publisher {
  readonly dataDir: string;
  readonly #base: Base;
  readonly #files: Program;
  readonly #environment: Readonly<Record<string, string>>;

  private constructor(dataDir: string, base: Base, files: Program, urls: Readonly<Record<string, string>>) {
    this.dataDir = dataDir;
    this.#base = base;
    this.#files = files;
    this.#environment = { DATA_DIR: dataDir, ...urls };
  }

  /** @param folder where it has a folder of its own. @param from the data folder whose file it begins with. */
  static async start(folder: string, from: string, base: Base, natsUrl: string): Promise<Publisher> {
    const dataDir = join(folder, 'publisher');
    makeFolder(basesFolder(dataDir));
    copyFileSync(baseFile(from, base), baseFile(dataDir, base));
    const command = [process.execPath, join(ROOT, 'src/cluster/data/files-command.ts')];
    const environment = { DATA_DIR: dataDir, FILES_PORT: '0', NATS_CERT: '' };
    const files = new Program('files', command, join(folder, 'files.log'), environment);
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
    const { text } = await runChild([...before, process.execPath, script, this.#base], this.#environment);
    return Number(/generation (\d+) published/u.exec(text)?.[1]);
  }

  stop(): Promise<void> {
    return this.#files.stop();
  }
}
