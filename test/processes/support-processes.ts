import { demoLines } from '../../src/tools/demo/generate.ts';
import { BASES } from '../../src/contract/vocabulary.ts';
import { issueKey } from '../../src/keys/store.ts';
import { BUSCA } from '../http/checks.ts';
import { preparedFolder } from '../http/folder.ts';
import { AMPLE_WINDOWS } from '../support/service.ts';
import { startMain, type Child, type ChildService } from '../support/run.ts';
import { until } from '../tools/faults/support-poll.ts';

const DECISIONS = 60;
export const SEARCH = `${BUSCA}?q=recurso&limite=6`;

export interface ProcessView {
  readonly processo: number;
  readonly pid: number | null;
  readonly estado: 'atende' | 'iniciando' | 'fora';
  readonly reinicios: number;
  readonly respostas: number | null;
}

/** A service of several processes, as `bun start` starts it; it ends with its scope. */
export interface Processes extends AsyncDisposable {
  readonly child: Child;
  readonly dataDir: string;
  readonly url: string;
  readonly adminUrl: string;
  readonly key: string;
  /** The name of that key. */
  readonly keyName: string;
  /** A GET on a new connection, which the kernel gives to any of the processes. */
  get(path: string, key?: string): Promise<Response>;
  processes(): Promise<readonly ProcessView[]>;
  /** A metric of each process, all its series that begin so added up, in one reading of `/metrics/processes`. */
  ofEach(metric: string): Promise<ReadonlyMap<string, number>>;
  /** The same of the sum. */
  sumOf(metric: string): Promise<number>;
}

/** A folder with a few decisions in each base; the tests of a file share it. */
export function sharedFolder(): string {
  return preparedFolder(
    Object.fromEntries(BASES.map((base) => [base, [...demoLines(base, DECISIONS, 7)]] as const)),
  );
}

/** Ends it, also while it works or stands still. */
async function end(child: Child): Promise<void> {
  child.kill('SIGCONT');
  child.kill('SIGKILL');
  await child.ended;
}

let names = 0;

export async function startProcesses(
  count: number,
  environment: Readonly<Record<string, string>> = {},
  dataDir = sharedFolder(),
): Promise<Processes> {
  names += 1;
  const keyName = `teste-${names}`;
  const key = issueKey(dataDir, keyName, null, new Date());
  const settings = { ...AMPLE_WINDOWS, BASES_THREADS: '1', ...environment, PROCESSES: String(count) };
  const child = await startMain(dataDir, settings);
  try {
    const service = viewOf(child, { dataDir, key, keyName });
    await until('every process has all bases', async () => {
      const up = await service.ofEach('jurisprudencia_base_up');
      return count === 1 || [...up.values()].reduce((sum, one) => sum + one, 0) === count * BASES.length;
    });
    return service;
  } catch (error) {
    await end(child);
    throw error;
  }
}

function viewOf(child: ChildService, named: Pick<Processes, 'dataDir' | 'key' | 'keyName'>): Processes {
  const { url, adminUrl } = child;
  return {
    ...named,
    child,
    url,
    adminUrl,
    get: (path, key = named.key) =>
      fetch(url + path, { keepalive: false, headers: { authorization: `Bearer ${key}` } }),
    processes: async () => {
      const response = await fetch(`${adminUrl}/console/api/processos`);
      return ((await response.json()) as { processos: ProcessView[] }).processos;
    },
    ofEach: async (metric) => {
      const text = await (await fetch(`${adminUrl}/metrics/processes`)).text();
      const each = new Map<string, number>();
      for (const [labels, value] of valuesOf(text, metric)) {
        const process = /process="(\w+)"/.exec(labels)?.[1] ?? '';
        each.set(process, (each.get(process) ?? 0) + value);
      }
      return each;
    },
    sumOf: async (metric) => {
      const text = await (await fetch(`${adminUrl}/metrics`)).text();
      return valuesOf(text, metric)[0]?.[1] ?? Number.NaN;
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** @param metric a name, or a name with the beginning of its labels. */
function valuesOf(text: string, metric: string): [labels: string, value: number][] {
  return text.split('\n').flatMap((line): [string, number][] => {
    const {
      name = '',
      labels = '',
      value,
    } = /^(?<name>[a-z_]+)(?<labels>\{.*\})? (?<value>\S+)$/.exec(line)?.groups ?? {};
    const isWanted = metric.includes('{') ? (name + labels).startsWith(metric) : name === metric;
    return isWanted ? [[labels, Number(value)]] : [];
  });
}

/** A pid of a process that serves, by its number. */
export async function pidOf(service: Processes, process: number): Promise<number> {
  const pid = (await service.processes()).find((one) => one.processo === process)?.pid;
  if (pid === null || pid === undefined) throw new Error(`process ${process} is not there`);
  return pid;
}

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What the `RateLimit` header says remains. */
export function remainingIn(response: Response): number {
  return Number(/r=(\d+)/.exec(response.headers.get('ratelimit') ?? '')?.[1]);
}
