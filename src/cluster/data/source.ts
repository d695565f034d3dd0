import { readFileSync } from 'node:fs';
import type { Config } from '../../config/config.ts';
import { chunkListOf, type Manifest } from './manifest.ts';

/** Longest wait for one range of a file: at most 4 MiB, which a slow line of 1 Mbit/s carries in 34 s. */
const FILE_REQUEST_MS_MAX = 60_000;

/** Received bytes that contradict the manifest. */
export class PullRefused extends Error {}

/** PEM files for file transfers; empty for plain HTTP. */
export type Certificates = Pick<Config, 'nats_ca' | 'nats_cert' | 'nats_key'>;
export const NO_CERTIFICATES: Certificates = { nats_ca: '', nats_cert: '', nats_key: '' };

export interface FileSource {
  /** @throws PullRefused, and errors of the network. */
  chunkList(manifest: Manifest, bytes: number): Promise<Uint8Array>;
  /** The bytes from `from` to `to`, exclusive. @throws as `chunkList`. */
  range(manifest: Manifest, from: number, to: number): Promise<Uint8Array>;
}

/** Fetches HTTP ranges from the publisher; with certificates by mutual TLS. */
export class HttpSource implements FileSource {
  readonly #tls: { ca?: string; cert?: string; key?: string };

  /** @throws system errors if a certificate cannot be read. */
  constructor({ nats_ca: ca, nats_cert: cert, nats_key: key }: Certificates) {
    this.#tls = {
      ...(ca !== '' && { ca: readFileSync(ca, 'utf8') }),
      ...(cert !== '' && { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') }),
    };
  }

  chunkList(manifest: Manifest, bytes: number): Promise<Uint8Array> {
    return this.#get(`${manifest.url}/${chunkListOf(manifest.file)}`, 0, bytes);
  }

  range(manifest: Manifest, from: number, to: number): Promise<Uint8Array> {
    return this.#get(`${manifest.url}/${manifest.file}`, from, to);
  }

  async #get(url: string, from: number, to: number): Promise<Uint8Array> {
    if (to <= from) return new Uint8Array();
    const response = await fetch(url, {
      headers: { range: `bytes=${from}-${to - 1}`, 'accept-encoding': 'identity' },
      redirect: 'error',
      signal: AbortSignal.timeout(FILE_REQUEST_MS_MAX),
      tls: this.#tls,
    });
    const length = Number(response.headers.get('content-length'));
    if (response.status !== 206 || length !== to - from) {
      await response.body?.cancel();
      throw new PullRefused(
        `${url} answered ${response.status} with ${length} bytes, not 206 with ${to - from}`,
      );
    }
    const body = new Uint8Array(await response.arrayBuffer());
    if (body.length !== length) throw new PullRefused(`${url} ended after ${body.length} of ${length} bytes`);
    return body;
  }
}
