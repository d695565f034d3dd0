import { CACHE_CONTROL } from '../contract/rotas.ts';
import type { Base } from '../contract/vocabulary.ts';
import { serviceVersion } from '../process/version.ts';
import type { Pedido } from '../query/parameters.ts';
import type { DataVersions, SearchPage } from '../search/page.ts';
import { Body, etagOf, type Headers } from './answer.ts';
import type { WholeAnswer } from './answer-cache.ts';
import { recordTiming, searchTiming } from './described-request.ts';
import { writeTermHeaders } from './term-headers.ts';

const VERSION = serviceVersion();

const HEAD = '{"itens":[';
const COMMA = 0x2c;

/**
 * Items are JSON text since ingest; only the surrounding frame, which is ASCII, is written here. Each character is copied once:
 * joined and encoded as one text, a page of 28 kB took three times as long.
 */
export function buscaBody({ itens, por_base, bases_sem_resposta }: SearchPage, cursor: string | null): Body {
  const tail = `],${JSON.stringify({ por_base, bases_sem_resposta, proximo_cursor: cursor }).slice(1)}`;
  const commas = Math.max(0, itens.length - 1);
  const bytes = Buffer.allocUnsafeSlow(HEAD.length + lengthOf(itens) + commas + tail.length);
  let at = bytes.write(HEAD, 'latin1');
  for (const [place, item] of itens.entries()) {
    if (place > 0) bytes[at++] = COMMA;
    at += bytes.write(item, at, 'latin1');
  }
  bytes.write(tail, at, 'latin1');
  return new Body(bytes);
}

function lengthOf(itens: readonly string[]): number {
  return itens.reduce((sum, item) => sum + item.length, 0);
}

/** The headers that depend on the answer alone. */
export function headersOf(pedido: Pedido, page: SearchPage, name: string): Headers {
  const own: Headers = { 'cache-control': CACHE_CONTROL.busca };
  if (page.versions.size > 0) own['jurisprudencia-versao'] = versionsText(page.versions);
  if (page.isWhole) own['etag'] = etagOfSearch(name, page.versions);
  writeTermHeaders(pedido, page, own);
  return own;
}

/** A page as it is sent again, when it takes the bases no time. */
export function wholePage(page: SearchPage, cursor: string | null, own: Headers): WholeAnswer {
  const make = () => {
    const again = {
      ...page,
      por_base: page.por_base.map((one) => ({ ...one, ms: 0 })),
      timings: page.timings.map((one) => ({ ...one, ms: 0 })),
    };
    const headers =
      again.timings.length === 0 ? own : { ...own, 'server-timing': searchTiming(again.timings, 'hit') };
    const body = buscaBody(again, cursor);
    // Observers only count the items.
    return { headers, body, page: { ...again, itens: page.itens.map(() => '') } };
  };
  return { versions: page.versions, length: lengthOf(page.itens), make };
}

/** A record as it is sent again. @param own its headers that depend on it alone. */
export function wholeRecord(base: Base, body: Body, versions: DataVersions, own: Headers): WholeAnswer {
  const make = () => ({
    headers: { ...own, 'server-timing': recordTiming(base, [], 'hit') },
    body,
    page: null,
  });
  return { versions, length: body.plain.length, make };
}

/** Of the parameters and the data versions, and of this program, which writes the answer. */
export function etagOfSearch(name: string, versions: DataVersions): string {
  return etagOf(`${VERSION} ${versionsText(versions)} ${name}`);
}

/** `tst=12-9f3a04c1, stj=3-77e0d1aa`. */
export function versionsText(versions: DataVersions): string {
  return [...versions].map(([base, { name }]) => `${base}=${name}`).join(', ');
}
