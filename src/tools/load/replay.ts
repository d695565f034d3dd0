import { readFileSync, statSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { nullable } from '../../contract/nullable.ts';
import { CAMINHOS, PREFIXO } from '../../contract/rotas.ts';
import { PlainError } from '../../process/fail.ts';
import type { SearchEnd } from './answer.ts';
import type { LoadAsk, Replayed } from './plan.ts';

const FILE_BYTES_MAX = 256 * 2 ** 20;

const LineSchema = Type.Object({
  time: Type.Number({ minimum: 0 }),
  path: Type.String({ pattern: `^${PREFIXO}/[!-~]+$` }),
  key: Type.Number(),
  status: Type.Integer(),
  data: nullable(Type.String()),
});
type Line = Static<typeof LineSchema>;
const lineCheck = Compile(LineSchema);

/**
 * Reads a recording that the service's `SEARCH_LOG` wrote.
 * @param speed how many times faster the requests are due.
 * @throws PlainError that names the line; the system's errors.
 */
export function readRecording(file: string, speed: number): Replayed {
  if (statSync(file).size > FILE_BYTES_MAX)
    throw new PlainError(`${file} is larger than 256 MiB; replay a part of it: head -n 1000000`);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, at) => (text.trim() === '' ? [] : [lineOf(text, `${file}, line ${at + 1}`)]))
    // Written when answered, so not in the order of arrival.
    .toSorted((a, b) => a.time - b.time);
  const sent = lines.filter(({ status }) => status < 400 || status === 429 || status >= 500);
  const [first, last] = [sent[0], sent.at(-1)];
  if (first === undefined || last === undefined) throw new PlainError(`${file} holds no request to replay`);
  const lastMs = (last.time - first.time) / speed;
  const versions = sent.flatMap(({ data, path }) =>
    data !== null && isSearch(path) ? data.split(', ') : [],
  );
  return {
    requests: sent.map((line) => ({ dueMs: (line.time - first.time) / speed, ...askOf(line) })),
    // After the last request comes the mean gap, also before the recording is repeated.
    periodMs: Math.ceil(Math.max(1, lastMs + lastMs / Math.max(1, sent.length - 1))),
    recording: { speed, left_out: lines.length - sent.length, data: [...new Set(versions)] },
  };
}

/** Sends a recording's requests in order, with cursors from the answers of this load. */
export class Replay {
  readonly #requests: readonly LoadAsk[];
  /** The latest cursor of each search of each key. */
  readonly #cursors = new Map<string, string>();
  #at = 0;

  constructor(requests: readonly LoadAsk[]) {
    this.#requests = requests;
  }

  next(): LoadAsk {
    const ask = this.#requests[this.#at % this.#requests.length];
    if (ask === undefined) throw new Error('an empty recording');
    this.#at += 1;
    const cursor = ask.kind === 'page' ? this.#cursors.get(ask.about) : undefined;
    return cursor === undefined ? ask : { ...ask, path: withCursor(ask.path, cursor) };
  }

  /** Keeps a search answer's cursor for the next page of the same search. */
  learn({ about }: LoadAsk, { proximo_cursor }: SearchEnd): void {
    if (proximo_cursor === null) this.#cursors.delete(about);
    else this.#cursors.set(about, proximo_cursor);
  }
}

function lineOf(text: string, place: string): Line {
  let line: unknown;
  try {
    line = JSON.parse(text);
  } catch {
    throw new PlainError(
      `${place} is not JSON; take out a line that was cut, or name a file that SEARCH_LOG wrote`,
    );
  }
  if (!lineCheck.Check(line))
    throw new PlainError(`${place} is no recorded request; name a file that SEARCH_LOG wrote`);
  return line;
}

function isSearch(path: string): boolean {
  return path.startsWith(`${CAMINHOS.busca}?`);
}

function askOf({ path, key }: Line): LoadAsk {
  if (!isSearch(path)) return { kind: 'record', about: path, path };
  const parameters = new URLSearchParams(path.slice(CAMINHOS.busca.length));
  const isPage = parameters.has('cursor');
  parameters.delete('cursor');
  parameters.sort();
  return { kind: isPage ? 'page' : 'search', about: `${key} ${parameters.toString()}`, path };
}

function withCursor(path: string, cursor: string): string {
  return path.replace(/([?&]cursor=)[^&]*/u, (_, name: string) => `${name}${encodeURIComponent(cursor)}`);
}
