import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { EXEMPLOS } from '../../src/openapi/examples.ts';
import { HEADERS, type HeaderName } from '../../src/openapi/headers.ts';
import { faultsOf, type Exchange } from '../support/documented.ts';
import { ROOT } from '../support/run.ts';

function headers(...names: readonly HeaderName[]): [string, string][] {
  return names.map((name) => [name.toLowerCase(), String(HEADERS[name].example)]);
}

const page = EXEMPLOS.busca.pagina.value;
const good: Exchange = {
  method: 'GET',
  target: '/v1/jurisprudencia/busca?q=dano',
  status: 200,
  headers: new Map([
    ...headers('X-Request-Id', 'RateLimit', 'RateLimit-Policy', 'Server-Timing'),
    ['cache-control', 'private, no-cache'],
    ['content-type', 'application/json'],
    ['date', 'Mon, 01 Jan 2024 00:00:00 GMT'],
  ]),
  body: JSON.stringify(page),
};
const refused: Exchange = {
  ...good,
  status: 404,
  headers: new Map([...headers('X-Request-Id'), ['content-type', 'application/json']]),
  body: JSON.stringify({ erro: 'não há esta rota', codigo: 'ROTA_NAO_ENCONTRADA' }),
};
const tooFast: Exchange = {
  ...good,
  status: 429,
  headers: new Map([
    ...headers('X-Request-Id', 'Retry-After'),
    ['content-type', 'text/plain; charset=utf-8'],
  ]),
  body: 'espere',
};

const withHeader = (name: string, value: string): Exchange => ({
  ...good,
  headers: new Map([...good.headers, [name, value]]),
});
const without = (name: string): Exchange => ({
  ...good,
  headers: new Map([...good.headers].filter(([known]) => known !== name)),
});
const withBody = (body: unknown): Exchange => ({ ...good, body: JSON.stringify(body) });

describe('the check of every answer in tests', () => {
  it.each([
    ['a page', good],
    ['a path that is no route', { ...refused, target: '/nada' }],
    ['too many requests', tooFast],
  ])('passes %s', (_, exchange) => {
    expect(faultsOf(exchange)).toEqual([]);
  });

  it.each<[string, Exchange]>([
    ['a status that is not in the document', { ...good, status: 201 }],
    ['a 405 for GET', { ...good, status: 405 }],
    ['a 200 for another method', { ...good, method: 'POST' }],
    ['a 200 on a path that is not in the document', { ...good, target: '/v1/outra' }],
    ['a route that says it is none', refused],
    ['a body where the document has none', { ...good, target: '/v1/jurisprudencia/stj:1', status: 304 }],
    ['another content type', withHeader('content-type', 'text/html')],
    ['no content type', without('content-type')],
    ['a body that is not JSON', { ...good, body: '{' }],
    ['a missing field', withBody({ ...page, proximo_cursor: undefined })],
    ['a field too many', withBody({ ...page, total: 1 })],
    [
      'a word that is not in the vocabulary',
      withBody({ ...page, itens: [{ ...page.itens[0], tipo: 'voto' }] }),
    ],
    [
      'a day that is not in the calendar',
      withBody({ ...page, itens: [{ ...page.itens[0], data_julgamento: '2023-02-30' }] }),
    ],
    ['a missing header', without('ratelimit')],
    ['a header of another form', withHeader('ratelimit', '"dia";r=-1;t=1')],
    ['a header that is not in the document', withHeader('x-powered-by', 'x')],
    [
      'a wait that is no number',
      { ...tooFast, headers: new Map([...tooFast.headers, ['retry-after', 'logo']]) },
    ],
    ['a codigo of another status', { ...refused, target: '/v1/jurisprudencia/stj:1', headers: good.headers }],
  ])('fails %s', (_, exchange) => {
    expect(faultsOf(exchange)).not.toEqual([]);
  });

  it('is made for every request of the service’s tests: none calls fetch itself', () => {
    const bare = ['test/http', 'test/real', 'test/tools/faults', 'test/support'].flatMap((folder) =>
      readdirSync(join(ROOT, folder))
        .filter((name) => name.endsWith('.ts') && name !== 'documented.ts' && !/^measure-|^soak/u.test(name))
        .map((name) => join(folder, name))
        .filter((file) => /\bfetch\(/u.test(readFileSync(join(ROOT, file), 'utf8'))),
    );
    expect(bare).toEqual([]);
  });
});
