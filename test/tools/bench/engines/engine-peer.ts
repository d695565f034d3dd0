import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolder, writeAtomically } from '../../../../src/process/files.ts';
import { PlainError } from '../../../../src/process/fail.ts';
import type { Ordem } from '../../../../src/contract/vocabulary.ts';
import { ROOT, runProgram, type Ran } from '../../../support/run.ts';
import type { Cost } from '../cost.ts';

/** Search engines that run in process: small programs next to this file, which their own tools build. */
export const ENGINE_PEERS = ['lucene', 'tantivy'] as const;
export type EnginePeerName = (typeof ENGINE_PEERS)[number];

interface Recipe {
  readonly title: string;
  /** Programs, each with what gives it. */
  readonly needs: Readonly<Record<string, string>>;
  /** Builds it in a folder, from a folder of sources. */
  readonly build: (folder: string, sources: string) => readonly (readonly string[])[];
  readonly command: (folder: string) => readonly string[];
}

const RECIPES: Readonly<Record<EnginePeerName, Recipe>> = {
  lucene: {
    title: 'Lucene 9.12',
    needs: { javac: 'apt-get install openjdk-17-jdk-headless', mvn: 'apt-get install maven' },
    build: (folder, sources) => {
      const libraries = join(folder, 'lib');
      const fetch = ['dependency:copy-dependencies', `-DoutputDirectory=${libraries}`];
      return [
        ['mvn', '-q', '-f', join(sources, 'pom.xml'), ...fetch],
        ['javac', '-cp', `${libraries}/*`, '-d', join(folder, 'out'), join(sources, 'src/Peer.java')],
      ];
    },
    command: (folder) => ['java', '-Xmx1g', '-cp', `${folder}/out:${folder}/lib/*`, 'Peer'],
  },
  tantivy: {
    title: 'Tantivy 0.24',
    needs: { cargo: 'https://rustup.rs, or a Debian with a later cargo' },
    build: (folder, sources) => {
      const manifest = join(sources, 'Cargo.toml');
      return [['cargo', 'build', '-q', '--release', '--manifest-path', manifest, '--target-dir', folder]];
    },
    command: (folder) => [join(folder, 'release/peer')],
  },
};

/** One of them, built below a folder of the bench. */
export class EnginePeer {
  readonly title: string;
  readonly #name: EnginePeerName;
  readonly #folder: string;

  constructor(name: EnginePeerName, folder: string) {
    this.#name = name;
    this.#folder = join(folder, name);
    this.title = RECIPES[name].title;
  }

  get isSetUp(): boolean {
    return existsSync(this.#mark);
  }

  /** Builds it with its own tools, which fetch its sources. @throws PlainError that names a missing tool. */
  async setUp(): Promise<void> {
    const { needs, build } = RECIPES[this.#name];
    const missing = Object.entries(needs).filter(([program]) => Bun.which(program) === null);
    if (missing.length > 0) {
      const what = missing.map(([program, from]) => `${program} (${from})`).join(' and ');
      throw new PlainError(`${this.title} needs ${what}`);
    }
    makeFolder(this.#program);
    const sources = join(ROOT, 'test/tools/bench/engines', this.#name);
    for (const command of build(this.#program, sources))
      await runProgram(command, { environment: environment() });
    writeAtomically(this.#mark, '');
  }

  hasIndex(name: string): boolean {
    return existsSync(`${this.#index(name)}.complete`);
  }

  /** Indexes decisions, once for each name. @returns the folder of the index. */
  async index(jsonl: string, name: string): Promise<string> {
    const folder = this.#index(name);
    const mark = `${folder}.complete`;
    if (!this.hasIndex(name)) {
      rmSync(folder, { recursive: true, force: true });
      makeFolder(folder);
      const { text } = await this.load(jsonl, folder);
      writeAtomically(mark, text);
    }
    return folder;
  }

  load(jsonl: string, folder: string): Promise<Ran> {
    return this.#run(['index', jsonl, folder]);
  }

  /**
   * @param indexes each is asked for its first page, as one search. @param queries a file with a query a line.
   * @param ms for about so long it is measured, once it is warm.
   */
  async query(indexes: readonly string[], queries: string, ordem: Ordem, ms: number): Promise<Cost> {
    return costIn(await this.#run(['query', indexes.join(','), queries, ordem, String(Math.round(ms))]));
  }

  /** Whether it ranks questions in Portuguese. */
  get canRank(): boolean {
    return this.#name === 'lucene';
  }

  /** @param searches a file with a search a line, after its last tab. @returns the first ten `chave` of each. */
  async rank(jsonl: string, searches: string): Promise<string[][]> {
    const { text } = await this.#run(['rank', jsonl, searches]);
    const lines = text.replace(/\n$/u, '').split('\n');
    return lines.map((line) => line.split('\t').filter((chave) => chave !== ''));
  }

  #run(args: readonly string[]) {
    const command = RECIPES[this.#name].command(this.#program);
    return runProgram([...command, ...args], { environment: environment() });
  }

  #index(name: string): string {
    return join(this.#folder, `index-${name}`);
  }

  get #program(): string {
    return join(this.#folder, 'program');
  }

  get #mark(): string {
    return join(this.#folder, 'program.complete');
  }
}

/** What a program took of a search: its CPU, and the median of how long one takes. */
function costIn({ text }: Ran): Cost {
  // Its last line.
  return JSON.parse(text.trim().split('\n').at(-1) ?? '') as Cost;
}

/** Java, Maven and Cargo have folders and settings of their own. */
function environment(): Record<string, string> {
  return Object.fromEntries(Object.entries(process.env).map(([name, value]) => [name, value ?? '']));
}
