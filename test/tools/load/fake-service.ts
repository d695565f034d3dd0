import { join } from 'node:path';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { readRun, type Run } from '../../../src/tools/load/result.ts';
import { run as runScript, type Finished } from '../../support/run.ts';

/** A fake service's answer to a request; what is left out is as in a healthy one's. */
export interface Reaction {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The answer leaves when this is resolved. */
  readonly after?: Promise<void>;
}

export interface FakeService {
  readonly url: string;
  /** The paths asked for, in order. */
  readonly paths: string[];
  readonly keys: Set<string | null>;
  stop(): Promise<void>;
}

/** A search's body of two items a page, with a cursor and every base answering in 3 ms. */
export function searchBody(overrides: Record<string, unknown> = {}): string {
  return JSON.stringify({
    itens: [{ id: 'stj:7', trecho_da_ementa: 'diz {"id":"x:1"}' }, { id: 'tst:9' }],
    por_base: BASES.map((base) => ({
      base,
      ordem_aplicada: 'relevancia',
      encontrados_ate_1000: 12,
      ha_mais_de_1000: false,
      ms: 3,
    })),
    bases_sem_resposta: [],
    proximo_cursor: 'c/1+2',
    ...overrides,
  });
}

/** A service over real sockets whose answers `react` chooses by a path and its place in order. */
export function fakeService(react: (path: string, index: number) => Reaction = () => ({})): FakeService {
  const paths: string[] = [];
  const keys = new Set<string | null>();
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    idleTimeout: 60,
    fetch: async (request) => {
      const { pathname, search } = new URL(request.url);
      const path = pathname + search;
      const reaction = react(path, paths.length);
      paths.push(path);
      keys.add(request.headers.get('authorization'));
      await reaction.after;
      const isSearch = pathname.endsWith('/busca');
      return new Response(reaction.body ?? (isSearch ? searchBody() : '{"id":"stj:7"}'), {
        status: reaction.status ?? 200,
        headers: { 'content-type': 'application/json', ...reaction.headers },
      });
    },
  });
  return { url: `http://127.0.0.1:${server.port}`, paths, keys, stop: async () => server.stop(true) };
}

export const KEY = 'jur_secretsecretsecret';

/** Runs `bun run load`. */
export function load(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  return runScript('tools/load/command.ts', args, { LOAD_KEY: KEY, ...environment });
}

let files = 0;

/** A load that must end well and write its figures, as the schema has them, into the folder. */
export async function measured(
  folder: string,
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<{ readonly run: Run; readonly out: string; readonly json: string }> {
  const json = join(folder, `${(files += 1)}.json`);
  const { exitCode, out, err } = await load([...args, '--json', json], environment);
  if (exitCode !== 0 || err !== '') throw new Error(`exit code ${exitCode}: ${err}`);
  return { run: readRun(json), out, json };
}
