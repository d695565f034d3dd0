import { PlainError } from '../process/fail.ts';
import { isObject, type Members } from '../ingest/formats/fields.ts';
import { Refused, type Client } from './client.ts';

/** A file as the portal lists it. */
export interface Listed {
  /** The resource's, which stays when its file is replaced. */
  readonly id: string;
  /** The data set without its common beginning: `primeira-turma`. */
  readonly dataSet: string;
  /** Such as `20260630.json`. Not checked. */
  readonly name: string;
  readonly url: string;
  readonly bytes: number | null;
  readonly hash: string;
  readonly modified: string;
}

export interface Listing {
  /** Oldest first by name: decisions are then included in about the order of their publication. */
  readonly files: readonly Listed[];
  readonly dataSets: readonly string[];
}

/** The data sets of mirrored judgments: one for each body of the court. */
const COMMON = 'espelhos-de-acordaos-';
export const FILE_NAME = /^\w[\w.-]{0,99}\.(?:json|zip)$/iu;
const ROWS = 100;
const PAGES_MAX = 50;
const ANSWER_BYTES_MAX = 16 * 1024 * 1024;

/**
 * Lists the files of the court's data sets, by CKAN's `package_search` and `package_show`.
 * @param only data sets, with or without their common beginning; empty: all.
 * @throws PlainError if there is no such data set; Refused for what is no list; as `Client.ask`.
 */
export async function listFiles(client: Client, api: URL, only: readonly string[]): Promise<Listing> {
  const found = await dataSetsOf(client, api);
  if (found.length === 0) throw new Refused(`${api.href} lists no data set ${COMMON}…`);
  const wanted = only.map((name) => name.replace(COMMON, ''));
  const unknown = wanted.find((name) => !found.includes(name));
  if (unknown !== undefined)
    throw new PlainError(`there is no data set ${unknown}; there are ${found.join(', ')}`);
  const dataSets = wanted.length === 0 ? found : wanted;
  const files: Listed[] = [];
  for (const dataSet of new Set(dataSets)) {
    const address = new URL(`api/3/action/package_show?id=${encodeURIComponent(COMMON + dataSet)}`, api).href;
    const resources = listIn(await client.ask(address, resultOf), 'resources', address);
    files.push(...resources.filter(isFile).map((resource) => fileOf(resource, dataSet)));
  }
  const key = ({ name, dataSet, id }: Listed) => `${name} ${dataSet} ${id}`;
  return { files: files.toSorted((a, b) => (key(a) < key(b) ? -1 : 1)), dataSets };
}

async function dataSetsOf(client: Client, api: URL): Promise<string[]> {
  const names = new Set<string>();
  for (let start = 0; start < ROWS * PAGES_MAX;) {
    const address = new URL(`api/3/action/package_search?rows=${ROWS}&start=${start}`, api).href;
    const result = await client.ask(address, resultOf);
    const page = listIn(result, 'results', address);
    for (const name of page.map((one) => text(one['name'])))
      if (name.startsWith(COMMON)) names.add(name.slice(COMMON.length));
    start += page.length;
    if (page.length === 0 || start >= Number(result['count'])) break;
  }
  return [...names].toSorted();
}

/** The result of an action. @throws Refused */
async function resultOf(response: Response, onBytes: () => void): Promise<Members> {
  const parts: Uint8Array[] = [];
  for await (const part of response.body ?? []) {
    onBytes();
    parts.push(part);
    const bytes = parts.reduce((sum, { length }) => sum + length, 0);
    if (bytes > ANSWER_BYTES_MAX) throw new Refused(`${response.url} answers too much`);
  }
  try {
    const body: unknown = JSON.parse(Buffer.concat(parts).toString('utf8'));
    if (isObject(body) && body['success'] === true && isObject(body['result'])) return body['result'];
  } catch {
    // A page for people, perhaps.
  }
  throw otherThanCkan(response.url);
}

function listIn(result: Members, name: string, address: string): Members[] {
  const list: unknown = result[name];
  if (Array.isArray(list) && list.every(isObject)) return list;
  throw otherThanCkan(address);
}

function otherThanCkan(address: string): Refused {
  return new Refused(`${address} does not answer as CKAN does; look at it with a browser`);
}

/** Others are dictionaries and pages. */
function isFile({ format, name }: Members): boolean {
  return /json|zip/iu.test(`${text(format)} ${text(name)}`);
}

function fileOf(resource: Members, dataSet: string): Listed {
  const { size } = resource;
  const [given, url] = [text(resource['name']), text(resource['url'])];
  const name = FILE_NAME.test(given) ? given : url.replace(/[?#].*$/u, '').replace(/^.*\//u, '');
  return {
    id: text(resource['id']) || `${dataSet}/${name}`,
    dataSet,
    name,
    url,
    bytes: typeof size === 'number' ? size : null,
    hash: text(resource['hash']),
    modified: text(resource['last_modified']),
  };
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : '';
}
