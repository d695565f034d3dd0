import { readFileSync, statSync } from 'node:fs';
import { Type, type Static } from 'typebox';
import { Compile } from 'typebox/compile';
import { nullable } from '../../contract/nullable.ts';
import { CAMINHOS, PREFIXO } from '../../contract/rotas.ts';
import { PlainError } from '../../process/fail.ts';
import type { SearchEnd } from './answer.ts';
import type { LoadAsk } from './mix.ts';
import type { Recorded } from './plan.ts';

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

/** A recording that the service's `SEARCH_LOG` wrote. */
export interface Recording {
  readonly requests: readonly Recorded[];
  /** Requests with a fault of the client (4xx but 429), which are not sent. */
  readonly leftOut: number;
  /** The distinct versions of the data in it, as answers named them. */
  readonly data: readonly string[];
}

/** Reads a recording. @throws PlainError that names the line; the system's errors. */
export function readRecording(file: string): Recording {
  if (statSync(file).size > FILE_BYTES_MAX)
    throw new PlainError(`${file} is larger than 256 MiB; replay a part of it: head -n 1000000`);
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .flatMap((text, at) => (text.trim() === '' ? [] : [lineOf(text, `${file}, line ${at + 1}`)]))
    // Written when answered, so not in the order of arrival.
    .toSorted((a, b) => a.time - b.time);
  const sent = lines.filter(({ status }) => status < 400 || status === 429 || status >= 500);
  const [first] = sent;
  if (first === undefined) throw new PlainError(`${file} holds no request to replay`);
  return {
    requests: sent.map((line) => ({ dueMs: line.time - first.time, ask: askOf(line) })),
    leftOut: lines.length - sent.length,
    data: [
      ...new Set(sent.flatMap(({ data, path }) => (data !== null && isSearch(path) ? data.split(', ') : []))),
    ],
  };
}

/** Sends a recording's requests in order, with cursors from the answers of this load. */
export class Replay {
  readonly #requests: readonly Recorded[];
  readonly #key: string;
  /** The latest cursor of each search of each key. */
  readonly #cursors = new Map<string, string>();
  #at = 0;

  constructor(requests: readonly Recorded[], key: string) {
    this.#requests = requests;
    this.#key = key;
  }

  next(): LoadAsk {
    const recorded = this.#requests[this.#at % this.#requests.length];
    if (recorded === undefined) throw new Error('an empty recording');
    this.#at += 1;
    const { kind, about, path } = recorded.ask;
    const cursor = kind === 'page' ? this.#cursors.get(about) : undefined;
    return { kind, about, path: cursor === undefined ? path : withCursor(path, cursor), key: this.#key };
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
    throw new PlainError(`${place} is not JSON; name a file that SEARCH_LOG wrote`);
  }
  if (!lineCheck.Check(line))
    throw new PlainError(`${place} is no recorded request; name a file that SEARCH_LOG wrote`);
  return line;
}

function isSearch(path: string): boolean {
  return path.startsWith(`${CAMINHOS.busca}?`);
}

function askOf({ path, key }: Line): Recorded['ask'] {
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
