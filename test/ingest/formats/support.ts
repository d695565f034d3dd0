import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { recordJson } from '../../../src/index/format/record.ts';
import type { Documento } from '../../../src/contract/documento.ts';
import type { Base } from '../../../src/contract/vocabulary.ts';
import { readLine } from '../../../src/ingest/canonical.ts';
import { lastDays } from '../../../src/ingest/dates.ts';
import { toDecisao, type Decisao } from '../../../src/ingest/decisao.ts';
import { encodingOf } from '../../../src/ingest/encoding.ts';
import type { Formato, Item, Source } from '../../../src/ingest/formats/format.ts';
import { hasNeeded } from '../../support/needed.ts';

const FOLDER = join(import.meta.dirname, '../../../../shared/corpora/origens');

/** Raw pages lie next to the checkout. @throws in CI, where they must be there. */
export function hasOrigens(): boolean {
  return hasNeeded(`the raw pages in ${FOLDER}`, existsSync(join(FOLDER, 'tst')));
}

export function origemFile(name: string): string {
  return join(FOLDER, name);
}

/** A raw page as text of Windows-1252, for what the tests look up in it by hand. */
export function origemText(name: string): string {
  return new TextDecoder('windows-1252').decode(readFileSync(origemFile(name)));
}

export interface Content {
  readonly items: readonly Item[];
  readonly decisoes: readonly Decisao[];
  readonly documentos: readonly Documento[];
  readonly rejects: readonly string[];
  readonly leftOut: readonly string[];
}

/** The day of the tests: later than every real page. */
export const LAST = lastDays(new Date('2026-11-22T12:00:00Z'));

/** What a format makes of a text, and what would be stored of it. */
export async function read(
  format: Formato,
  base: Base,
  content: string | Uint8Array,
  fileNames: readonly string[] = [],
  chunkBytes = 1_000,
): Promise<Content> {
  const bytes = Buffer.from(content);
  const open = async function* () {
    for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
  };
  const source: Source = { name: 'text', fileNames, encoding: await encodingOf(open()), open };
  const found = await Array.fromAsync(format.read(source));
  const items = found.map(({ item }) => item(LAST));
  const decisoes: Decisao[] = [];
  const rejects: string[] = [];
  for (const [at, item] of items.entries()) {
    if (item.kind === 'left-out') continue;
    const linha = item.kind === 'reject' ? item.reason : readLine(item.linha, base, LAST);
    if (typeof linha === 'string') rejects.push(`${found[at]?.place}: ${linha}`);
    else decisoes.push(toDecisao(linha, { isTextoCut: item.kind === 'linha' && item.isTextoCut }));
  }
  return {
    items,
    decisoes,
    documentos: decisoes.map((decisao) => JSON.parse(recordJson(base, 1, decisao).documento) as Documento),
    rejects,
    leftOut: items.flatMap((item) => (item.kind === 'left-out' ? [item.reason] : [])),
  };
}

/** The raw page of the given name, read whole by a format. */
export function readOrigem(format: Formato, base: Base, name: string): Promise<Content> {
  const key = `${format.name} ${base} ${name}`;
  const content = pages.get(key) ?? read(format, base, readFileSync(origemFile(name)), [], 64 * 1024);
  pages.set(key, content);
  return content;
}

/** Each is read once in a test file. */
const pages = new Map<string, Promise<Content>>();
