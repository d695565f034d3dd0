import { existsSync } from 'node:fs';
import { hasNeeded } from '../support/needed.ts';

const IP = Bun.which('ip') ?? '';
const NAME = /^jur-(\d+)-/u;
/** Of 198.18.0.0/15, which is for tests: no network has these. */
const THIRD = Math.floor(Math.random() * 256);

/** Whether hosts can be made here: network namespaces need root and `ip`. @throws in CI, where it must be so. */
export function hasNamespaces(): boolean {
  return hasNeeded('network namespaces (root and ip)', IP !== '' && canMake());
}

function canMake(): boolean {
  const trial = `jur-${process.pid}-trial`;
  if (process.getuid?.() !== 0 || !isDone(`netns add ${trial}`)) return false;
  return isDone(`netns del ${trial}`);
}

/** A host: the words before a command that runs there, and its addresses. */
export interface Host {
  readonly command: readonly string[];
  readonly address: string;
  /** Where this process reaches it, whatever happens to the network. */
  readonly managed: string;
}

/**
 * Hosts in network namespaces, on two switches with a cable between them. The switches have a namespace too, so that no rule
 * of the machine's own network counts.
 */
export class Lan {
  readonly #id = `jur-${process.pid}`;
  readonly #made: string[] = [];
  readonly #cables: string[] = [];
  readonly #hosts = new Map<string, Host>();
  readonly #atExit = () => {
    this.close();
  };

  /** @param sides names of the hosts on each switch. */
  constructor(sides: readonly [readonly string[], readonly string[]]) {
    removeAbandoned();
    process.once('exit', this.#atExit);
    try {
      this.#addSwitches();
      for (const [at, names] of sides.entries()) for (const name of names) this.#addHost(name, `switch${at}`);
    } catch (error) {
      this.close();
      throw error;
    }
  }

  host(name: string): Host {
    const host = this.#hosts.get(name);
    if (host === undefined) throw new Error(`no host ${name}`);
    return host;
  }

  /** Pulls the cable of a host, or plugs it in: messages to it and from it are lost without notice. */
  setSilent(name: string, isSilent: boolean): void {
    this.#inSwitches(`link set ${name} ${isSilent ? 'down' : 'up'}`);
  }

  /** Pulls the cable between the switches, or plugs it in. */
  setCut(isCut: boolean): void {
    this.#inSwitches(`link set cable0 ${isCut ? 'down' : 'up'}`);
  }

  /** Removes all, and ends what still runs there. */
  close(): void {
    process.off('exit', this.#atExit);
    // The kernel removes the cables of a namespace only later.
    for (const cable of this.#cables.splice(0)) isDone(`link del ${cable}`);
    for (const made of this.#made.splice(0)) remove(made);
  }

  #addSwitches(): void {
    this.#addNamespace('switches');
    this.#inSwitches('link add cable0 type veth peer name cable1');
    for (const at of [0, 1]) {
      this.#inSwitches(`link add switch${at} type bridge`);
      this.#inSwitches(`link set cable${at} master switch${at}`);
      for (const link of [`switch${at}`, `cable${at}`]) this.#inSwitches(`link set ${link} up`);
    }
  }

  #addHost(name: string, to: string): void {
    const space = this.#addNamespace(name);
    const number = this.#hosts.size + 1;
    const address = `198.18.${THIRD}.${number}`;
    const [near, managed] = [1, 2].map((last) => `198.19.${THIRD}.${4 * number + last}`);
    const cable = `jur${process.pid}-${number}`;
    this.#inSwitches(`link add ${name} type veth peer name eth0 netns ${space}`);
    this.#inSwitches(`link set ${name} master ${to} up`);
    ip(`link add ${cable} type veth peer name eth1 netns ${space}`);
    this.#cables.push(cable);
    ip(`addr add ${near}/30 dev ${cable}`);
    ip(`link set ${cable} up`);
    ip(`-n ${space} addr add ${address}/24 dev eth0`);
    ip(`-n ${space} addr add ${managed}/30 dev eth1`);
    for (const link of ['lo', 'eth0', 'eth1']) ip(`-n ${space} link set ${link} up`);
    this.#hosts.set(name, { command: [IP, 'netns', 'exec', space], address, managed: managed ?? '' });
  }

  #addNamespace(name: string): string {
    const space = this.#of(name);
    ip(`netns add ${space}`);
    this.#made.push(space);
    return space;
  }

  #of(name: string): string {
    return `${this.#id}-${name}`;
  }

  #inSwitches(command: string): void {
    ip(`-n ${this.#of('switches')} ${command}`);
  }
}

/** What runs that were killed have left. */
function removeAbandoned(): void {
  const listed = Bun.spawnSync([IP, 'netns', 'list']).stdout.toString().split('\n');
  for (const [name = ''] of listed.map((line) => line.split(' '))) {
    const pid = NAME.exec(name)?.[1];
    if (pid !== undefined && !existsSync(`/proc/${pid}`)) remove(name);
  }
}

function remove(space: string): void {
  for (const pid of Bun.spawnSync([IP, 'netns', 'pids', space]).stdout.toString().split('\n'))
    if (pid !== '') process.kill(Number(pid), 'SIGKILL');
  isDone(`netns del ${space}`);
}

function ip(command: string): void {
  const { exitCode, stderr } = Bun.spawnSync([IP, ...command.split(' ')]);
  if (exitCode !== 0) throw new Error(`ip ${command}: ${stderr.toString()}`);
}

function isDone(command: string): boolean {
  return Bun.spawnSync([IP, ...command.split(' ')]).exitCode === 0;
}
