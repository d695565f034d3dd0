import { cpSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BASES } from '../../contract/vocabulary.ts';
import { basesFolder } from '../../index/format/schema.ts';
import { issueKey } from '../../keys/store.ts';
import { PlainError, codeOf } from '../../process/fail.ts';
import { makeDemoBases } from '../../start/first-start.ts';
import { findNatsServer, startNatsServer } from './nats.ts';
import { Program } from './program.ts';

const MAIN = join(import.meta.dirname, '../../main.ts');
/** Begins the name of a cluster's folder; the command's pid follows. */
const FOLDER = 'jurisprudencia-cluster-';
const KEY_NAME = 'cluster';
const POLL_MS = 50;
const READY_MS_MAX = 60_000;

export interface ClusterOptions {
  readonly nodes: number;
  readonly fronts: number;
  readonly decisions: number;
  /** The first front's port; each further front has the next. 0: free ports. */
  readonly port: number;
  /** Called with a line for each step and each started process. */
  readonly print: (line: string) => void;
}

export interface Cluster {
  readonly key: string;
  /** Resolves with a process's name when it ends. */
  readonly anyEnded: readonly Promise<string>[];
  stop(): Promise<void>;
}

/** Starts a broker, nodes that all serve six bases, and fronts. @throws PlainError if a process cannot start. */
export async function startCluster(options: ClusterOptions): Promise<Cluster> {
  removeLeft();
  const binary = findNatsServer();
  const starting = new Starting(options, mkdtempSync(join(tmpdir(), `${FOLDER}${process.pid}-`)));
  try {
    const key = await starting.start(binary);
    return {
      key,
      anyEnded: starting.programs.map(async (program) => {
        await program.ended;
        return program.name;
      }),
      stop: () => starting.stop(),
    };
  } catch (error) {
    await starting.stop();
    throw error;
  }
}

/** Removes the folders of clusters whose command was killed. */
function removeLeft(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = new RegExp(`^${FOLDER}(\\d+)-`, 'u').exec(name)?.[1];
    if (pid === undefined || isThere(Number(pid))) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Another user's folder.
    }
  }
}

/** True also for another user's process. */
function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    return codeOf(error) !== 'ESRCH';
  }
}

class Starting {
  readonly #options: ClusterOptions;
  readonly #folder: string;
  readonly programs: Program[] = [];

  constructor(options: ClusterOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
  }

  async start(binary: string): Promise<string> {
    const { nodes, fronts, decisions, print } = this.#options;
    const nats = await this.#startNats(binary);
    print(`making ${decisions} decisions in each of ${BASES.length} bases …`);
    const dataDirs = await this.#makeData(nodes);
    const key = this.#makeKey();
    const frontNames = namesOf('f', fronts);
    print(`starting ${frontNames.join(', ')} …`);
    const admins = await Promise.all(
      frontNames.map(async (name, at) => {
        const port = this.#options.port === 0 ? 0 : this.#options.port + at;
        const environment = { ROLE: 'front', NATS_URL: nats, PORT: String(port) };
        const { program, output } = await this.#startMember(name, environment, join(this.#folder, name));
        print(`front ${name} ${urlIn(output, 'Serving at')} pid ${program.pid}`);
        return urlIn(output, 'Administration at');
      }),
    );
    print(`starting ${namesOf('n', nodes).join(', ')} …`);
    await Promise.all(
      namesOf('n', nodes).map(async (name, at) => {
        const environment = { ROLE: 'base', NATS_URL: nats };
        const { program } = await this.#startMember(name, environment, dataDirs[at] ?? '');
        print(`base ${name} ${BASES.join(',')} pid ${program.pid}`);
      }),
    );
    print('waiting until each front knows each node …');
    for (const admin of admins) await untilWhole(admin, nodes);
    return key;
  }

  /** Fronts first, so that no front asks an ended node. */
  async stop(): Promise<void> {
    for (const letter of ['front', 'base', 'nats']) {
      const some = this.programs.filter(({ name }) => name.startsWith(letter));
      await Promise.all(some.map((program) => program[Symbol.asyncDispose]()));
    }
    rmSync(this.#folder, { recursive: true, force: true });
  }

  async #startNats(binary: string): Promise<string> {
    const { program, url } = await startNatsServer(binary, this.#folder, (started) => {
      this.programs.push(started);
    });
    this.#options.print(`nats ${url} pid ${program.pid}`);
    return url;
  }

  /** Generated once; every node gets a copy. */
  async #makeData(nodes: number): Promise<readonly string[]> {
    const [first = '', ...others] = namesOf('n', nodes).map((name) => join(this.#folder, name));
    mkdirSync(first, { mode: 0o700 });
    await makeDemoBases(first, () => undefined, this.#options.decisions);
    for (const folder of others) cpSync(basesFolder(first), basesFolder(folder), { recursive: true });
    return [first, ...others];
  }

  /** A key in the first front's folder, from where it reaches the whole cluster. */
  #makeKey(): string {
    const folder = join(this.#folder, 'f1');
    mkdirSync(folder, { mode: 0o700 });
    return issueKey(folder, KEY_NAME, null, new Date());
  }

  async #startMember(
    name: string,
    environment: Readonly<Record<string, string>>,
    dataDir: string,
  ): Promise<{ readonly program: Program; readonly output: string }> {
    const kind = environment['ROLE'] === 'front' ? 'front' : 'base';
    const program = new Program(
      `${kind} ${name}`,
      [process.execPath, MAIN],
      join(this.#folder, `${name}.log`),
      {
        ...OF_ONE_PROCESS,
        ...environment,
        NODE_NAME: name,
        DATA_DIR: dataDir,
      },
    );
    this.programs.push(program);
    return { program, output: await program.says('Ctrl-C stops it.') };
  }
}

/** Variables that a developer may have set for a single-process service. Empty means not set. */
const OF_ONE_PROCESS = {
  HOST: '127.0.0.1',
  ADMIN_HOST: '127.0.0.1',
  ADMIN_PORT: '0',
  ADMIN_TOKEN: '',
  PROCESSES: '',
  BASES_SERVED: '',
  NATS_CREDS: '',
  NATS_CA: '',
  NATS_CERT: '',
  NATS_KEY: '',
  DEMO: '',
};

function namesOf(letter: string, count: number): string[] {
  return Array.from({ length: count }, (_, at) => `${letter}${at + 1}`);
}

function urlIn(output: string, before: string): string {
  return new RegExp(`${before} (\\S+)`, 'u').exec(output)?.[1] ?? '';
}

/** Waits until a front knows this many nodes, and all bases answer. */
export async function untilWhole(adminUrl: string, nodes: number): Promise<void> {
  const until = performance.now() + READY_MS_MAX;
  while (!(await isWhole(adminUrl, nodes))) {
    if (performance.now() > until) throw new PlainError('the fronts do not find all nodes');
    await Bun.sleep(POLL_MS);
  }
}

async function isWhole(adminUrl: string, count: number): Promise<boolean> {
  const response = await fetch(`${adminUrl}/nodes`);
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- as console-nodes.ts answers
  const { nodes } = (await response.json()) as {
    readonly nodes: readonly {
      readonly state: string;
      readonly bases: Readonly<Record<string, { state: string }>>;
    }[];
  };
  const isUp = ({ state, bases }: (typeof nodes)[number]) =>
    state === 'live' && BASES.every((base) => bases[base]?.state === 'up');
  return nodes.filter(isUp).length === count;
}
