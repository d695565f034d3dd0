import { existsSync, readFileSync, readdirSync, renameSync, rmSync, statSync, utimesSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { PlainError, codeOf } from '../../process/fail.ts';
import { syncAside, writeAtomically } from '../../process/files.ts';
import { MANIFEST_BYTES_MAX } from './manifest.ts';

/** The text of a manifest with its tag, by which the next question learns that it has not changed. */
export type Asked = { readonly text: string; readonly tag: string } | 'unchanged' | 'absent';

type Later<T> = T | Promise<T>;

/** A folder of published files: `BASES_URL`. Every method throws errors of the network and the system. */
export interface Store {
  /** Reads a manifest unless its tag is still `tag`. */
  ask(name: string, tag: string, signal: AbortSignal): Promise<Asked>;
  read(name: string, signal: AbortSignal): Later<ReadableStream<Uint8Array>>;
}

/** A store that can be published to. */
export interface OpenStore extends Store {
  /** Where to make a file: `put` then needs no copy. */
  readonly folder: string | null;
  /** @returns the size of a file; null if there is none. */
  size(name: string): Later<number | null>;
  put(name: string, path: string): Promise<void>;
  /** Replaces a manifest atomically. */
  putManifest(name: string, text: string): Later<void>;
  list(): Later<readonly string[]>;
  remove(name: string): Later<void>;
}

/** Files are readable for everybody: the decisions are public, and a file server is another user. */
export const PUBLIC_MODE = 0o644;
export const NEEDS_STORE = 'name a folder, http(s)://… or s3://BUCKET/PATH';

/** @throws PlainError for an address of another kind. */
export function storeAt(url: string): Store {
  return /^https?:\/\//u.test(url) ? new HttpStore(url) : writableStoreAt(url);
}

/** @throws PlainError for an address that cannot be written. */
export function writableStoreAt(url: string): OpenStore {
  if (url.startsWith('s3://')) return new S3Store(url);
  if (url === '') throw new PlainError('where to? give --to: a folder or s3://BUCKET/PATH');
  if (/^[a-z0-9+.-]+:\/\//iu.test(url))
    throw new PlainError(`${withoutSecret(url)} cannot be published to: name a folder or s3://BUCKET/PATH`);
  return new FolderStore(resolve(url));
}

class FolderStore implements OpenStore {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  // oxlint-disable-next-line typescript/require-await -- errors are rejections, as in the other stores
  async ask(name: string, tag: string): Promise<Asked> {
    const path = join(this.folder, name);
    // A folder that is gone, as of a mount, is no answer.
    if (!existsSync(path)) return statSync(this.folder) && 'absent';
    const { ino, mtimeMs, size } = statSync(path);
    const now = `${ino}:${mtimeMs}:${size}`;
    if (now === tag) return 'unchanged';
    if (size > MANIFEST_BYTES_MAX) throw new Error(`${name} has ${size} bytes: it is no manifest`);
    return { text: readFileSync(path, 'utf8'), tag: now };
  }

  read(name: string): ReadableStream<Uint8Array> {
    const path = join(this.folder, name);
    statSync(path);
    return Bun.file(path).stream();
  }

  size(name: string): number | null {
    return statSync(join(this.folder, name), { throwIfNoEntry: false })?.size ?? null;
  }

  async put(name: string, path: string): Promise<void> {
    renameSync(path, join(this.folder, name));
    await syncAside(this.folder);
  }

  putManifest(name: string, text: string): void {
    const path = join(this.folder, name);
    const before = statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
    writeAtomically(path, text, PUBLIC_MODE);
    // nginx makes a tag of the size and the second: another manifest must not have the same.
    const at = Math.max(Math.floor(Date.now() / 1_000), Math.floor(before / 1_000) + 1);
    utimesSync(path, at, at);
  }

  list(): readonly string[] {
    return readdirSync(this.folder);
  }

  remove(name: string): void {
    rmSync(join(this.folder, name), { force: true });
  }
}

class HttpStore implements Store {
  readonly #url: string;
  readonly #headers: Readonly<Record<string, string>>;

  constructor(url: string) {
    const { username, password } = new URL(url);
    const credential = Buffer.from(`${decodeURIComponent(username)}:${decodeURIComponent(password)}`);
    this.#headers = username === '' ? {} : { authorization: `Basic ${credential.toString('base64')}` };
    this.#url = withoutSecret(url).replace(/\/*$/u, '/');
  }

  async ask(name: string, tag: string, signal: AbortSignal): Promise<Asked> {
    const response = await this.#get(name, signal, tag === '' ? {} : { 'if-none-match': tag });
    if (response.status === 304 && tag !== '') return 'unchanged';
    if (response.status === 404) return 'absent';
    return { text: await shortText(this.#checked(response, name)), tag: response.headers.get('etag') ?? '' };
  }

  async read(name: string, signal: AbortSignal): Promise<ReadableStream<Uint8Array>> {
    return bodyOf(this.#checked(await this.#get(name, signal), name));
  }

  /** A redirect is not followed: it would lead to a server that nobody named. */
  #get(name: string, signal: AbortSignal, more: Readonly<Record<string, string>> = {}): Promise<Response> {
    const headers = { ...this.#headers, ...more, 'accept-encoding': 'identity' };
    return fetch(this.#url + name, { headers, signal, redirect: 'manual' });
  }

  #checked(response: Response, name: string): Response {
    if (response.status === 200) return response;
    const to = response.headers.get('location');
    const mend = to === null ? '' : `, a redirect to ${withoutSecret(to)}: name that place in BASES_URL`;
    throw new Error(`${this.#url}${name} answers ${response.status}${mend}`);
  }
}

/** Bun's client, with its settings: `S3_ENDPOINT`, `S3_ACCESS_KEY_ID`, … or `AWS_…`. */
class S3Store implements OpenStore {
  readonly folder = null;
  readonly #client: Bun.S3Client;
  readonly #prefix: string;

  constructor(url: string) {
    const [, bucket = '', path = ''] = /^s3:\/\/([^/]+)\/?(.*)$/u.exec(url) ?? [];
    if (bucket === '') throw new PlainError(`${url}: ${NEEDS_STORE}`);
    this.#client = new Bun.S3Client({ bucket, ...accessIn(process.env) });
    this.#prefix = path === '' ? '' : path.replace(/\/*$/u, '/');
  }

  async ask(name: string, tag: string): Promise<Asked> {
    const file = this.#client.file(this.#prefix + name);
    try {
      const { etag, size } = await file.stat();
      if (etag === tag) return 'unchanged';
      if (size > MANIFEST_BYTES_MAX) throw new Error(`${name} has ${size} bytes: it is no manifest`);
      return { text: await file.text(), tag: etag };
    } catch (error) {
      if (isAbsent(error)) return 'absent';
      throw error;
    }
  }

  read(name: string): ReadableStream<Uint8Array> {
    return this.#client.file(this.#prefix + name).stream();
  }

  async size(name: string): Promise<number | null> {
    try {
      return (await this.#client.stat(this.#prefix + name)).size;
    } catch (error) {
      if (isAbsent(error)) return null;
      throw error;
    }
  }

  async put(name: string, path: string): Promise<void> {
    await this.#client.write(this.#prefix + name, Bun.file(path));
  }

  async putManifest(name: string, text: string): Promise<void> {
    await this.#client.write(this.#prefix + name, text, { type: 'application/json' });
  }

  /** Up to 1,000 names, the first in their order: a base has three. */
  async list(): Promise<readonly string[]> {
    const { contents = [] } = await this.#client.list({ prefix: this.#prefix });
    return contents.map(({ key }) => key.slice(this.#prefix.length));
  }

  async remove(name: string): Promise<void> {
    await this.#client.delete(this.#prefix + name);
  }
}

/** Read here, because Bun's client reads the environment of the program, and not that of a thread. */
function accessIn(env: Readonly<Record<string, string | undefined>>): Bun.S3Options {
  const names = {
    endpoint: 'ENDPOINT',
    region: 'REGION',
    accessKeyId: 'ACCESS_KEY_ID',
    secretAccessKey: 'SECRET_ACCESS_KEY',
    sessionToken: 'SESSION_TOKEN',
  };
  const found = Object.entries(names).map(([key, name]) => [key, env[`S3_${name}`] ?? env[`AWS_${name}`]]);
  return Object.fromEntries(found.filter(([, value]) => value !== undefined));
}

function isAbsent(error: unknown): boolean {
  return ['NoSuchKey', 'ERR_S3_FILE_NOT_FOUND', 'NotFound'].includes(codeOf(error));
}

function bodyOf({ body }: Response): ReadableStream<Uint8Array> {
  if (body === null) throw new Error('the answer has no body');
  return body;
}

async function shortText(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of bodyOf(response)) {
    bytes += part.length;
    if (bytes > MANIFEST_BYTES_MAX) throw new Error('the answer is too long for a manifest');
    parts.push(part);
  }
  return Buffer.concat(parts).toString('utf8');
}

/** An address as logs and health may show it. */
export function withoutSecret(url: string): string {
  return url.replace(/\/\/[^/@]*@/u, '//').replace(/[?#].*$/u, '');
}
