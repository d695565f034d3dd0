import { cpSync, mkdirSync, mkdtempSync, rmSync, copyFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { basesFolder, baseFile } from '../../../src/index/format/schema.ts';
import { explain } from '../../../src/process/fail.ts';
import { findNatsServer, startNatsServer } from '../../../src/tools/cluster/nats.ts';
import { startReady, startChild, type ServiceChild } from '../measure/service.ts';
import { info, type Finding } from '../measure/report.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { makeFolder } from '../../../src/process/files.ts';
import { ROOT, runProgram, startScript, type Child } from '../../support/run.ts';

export interface StartedNode extends AsyncDisposable {
  readonly name: string;
  child: ServiceChild;
  restart(): Promise<void>;
}

/** A front and its nodes, each a process, with nats-server. */
export interface StartedCluster extends AsyncDisposable {
  /** Where each process has a folder of its name. */
  readonly folder: string;
  readonly front: ServiceChild;
  readonly nodes: readonly StartedNode[];
  readonly broker: { readonly url: string; readonly pid: number };
}

/** Measures with nats-server; without it the finding says how to get it. */
export async function withNatsServer(
  name: string,
  measure: (binary: string) => Promise<Finding>,
): Promise<Finding> {
  let binary: string;
  try {
    binary = findNatsServer();
  } catch (error) {
    return { rows: [info(name, `left out: ${explain(error)}`)], details: {} };
  }
  return measure(binary);
}

export async function startNode(
  folder: string,
  name: string,
  natsUrl: string,
  environment: Readonly<Record<string, string>>,
): Promise<StartedNode> {
  const own = join(folder, name);
  mkdirSync(own, { recursive: true });
  const start = () => startChild(own, { ...environment, ...memberOf('base', name, natsUrl) });
  const node: StartedNode = {
    name,
    child: await start(),
    restart: async () => {
      node.child = await start();
    },
    [Symbol.asyncDispose]: () => node.child.stop(),
  };
  return node;
}

function memberOf(role: string, name: string, natsUrl: string): Record<string, string> {
  return { ROLE: role, NATS_URL: natsUrl, NODE_NAME: name, FILES_PORT: '0' };
}

interface ClusterWish {
  readonly dataDir: string;
  readonly key: string;
  readonly environment: Readonly<Record<string, string>>;
}

/** Starts it. Each node has its own copy of the files, because it must be able to change them. @param threads of each base on a node. */
export async function startCluster(
  binary: string,
  { dataDir, key, environment }: ClusterWish,
  { nodes: count, threads }: { readonly nodes: number; readonly threads: string },
): Promise<StartedCluster> {
  const folder = mkdtempSync(join(tmpdir(), 'jurisprudencia-bench-cluster-'));
  await using ends = new AsyncDisposableStack();
  ends.defer(() => {
    rmSync(folder, { recursive: true, force: true });
  });
  const { program, url } = await startNatsServer(binary, folder, (started) => ends.use(started));
  const nodes: StartedNode[] = [];
  for (let number = 1; number <= count; number += 1) {
    const name = `n${number}`;
    cpSync(basesFolder(dataDir), basesFolder(join(folder, name)), { recursive: true });
    nodes.push(ends.use(await startNode(folder, name, url, { BASES_THREADS: threads, ...environment })));
  }
  const own = join(folder, 'f1');
  mkdirSync(own);
  cpSync(join(dataDir, 'keys'), join(own, 'keys'), { recursive: true });
  const front = ends.use(
    await startReady(own, key, 'de', { ...environment, ...memberOf('front', 'f1', url) }),
  );
  const later = ends.move();
  const broker = { url, pid: program.pid };
  return { folder, front, nodes, broker, [Symbol.asyncDispose]: () => later.disposeAsync() };
}

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
    const url = /Serving .* at (\S+)/u.exec(await files.says('Ctrl-C stops it.'))?.[1] ?? '';
    return new Publisher(dataDir, base, files, { NATS_URL: natsUrl, FILES_URL: url });
  }

  /** Runs `bun run publish`. @param before what stands before the command. @returns the generation. */
  async publish(before: readonly string[] = []): Promise<number> {
    const script = join(ROOT, 'src/cluster/data/publish-command.ts');
    const { text } = await runProgram([...before, process.execPath, script, this.#base], {
      environment: this.#environment,
    });
    return Number(/generation (\d+) published/u.exec(text)?.[1]);
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.#files.stop();
  }
}
