import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AUSENTES_LENGTH_MAX, LEITURA_LENGTH_MAX, PROXIMOS_LENGTH_MAX } from '../../src/contract/rotas.ts';
import { PARAMETROS } from '../../src/contract/vocabulary.ts';
import { served } from '../support/served.ts';
import { acordao, BUSCA, decisaoPath } from './checks.ts';
import { raw, type WireAnswer } from './wire.ts';

const RUNS = 250;

const service = served({
  stj: [acordao('dano moral'), acordao('dano material e lucros cessantes')],
  eproc: [acordao('ação de revisão', { tribunal: 'tnu' })],
});

const key = () => [`Authorization: Bearer ${service.key}`];

/** What a request line cannot contain: white space, controls, and what ends a query string. */
const TARGET_BYTE = fc.integer({ min: 0x21, max: 0xff }).filter((byte) => byte !== 0x7f && byte !== 0x23);

/** The pieces that FTS5's syntax and ours are made of. */
const FRAGMENTS = [
  ...'" "" ( ) * + - : , { } ^ ; | \\ \' % § º \u00a0 \u0000 \n 😀 \u0301 \ufffd'.split(' '),
  ...'AND OR NOT NEAR NEAR( and or dano moral ação R$ 7º 1.234/MG d\'água a* "dano moral'.split(' '),
  ...'ementa: tese: {ementa tese}: rowid: fts rank bm25( matchinfo'.split(' '),
  ' ',
  '  ',
];
const fragmentsArbitrary = fc
  .array(fc.oneof(fc.constantFrom(...FRAGMENTS), fc.constantFrom(' ')), { minLength: 1, maxLength: 30 })
  .map((pieces) => pieces.join(''));

const TERM_HEADERS = [
  ['leitura', LEITURA_LENGTH_MAX],
  ['termos-ausentes', AUSENTES_LENGTH_MAX],
  ['termos-proximos', PROXIMOS_LENGTH_MAX],
] as const;

/** The status is 200 or 400, and headers about `q` are bounded and UTF-8. `raw` checks the body by the OpenAPI document. */
function expectSound({ status, headers, body }: WireAnswer): void {
  expect([200, 400]).toContain(status);
  if (status === 200) expect(JSON.parse(body)).toHaveProperty('bases_sem_resposta', []);
  for (const [name, lengthMax] of TERM_HEADERS) {
    const text = headers.get(`jurisprudencia-${name}`) ?? '';
    expect(text).toMatch(/^[!-~ ]*$/u);
    expect(text.length).toBeLessThanOrEqual(lengthMax);
    expect(decodeURIComponent(text)).not.toContain('\uFFFD');
  }
}

async function always<T>(
  made: fc.Arbitrary<T>,
  holds: (one: T) => Promise<void>,
  numRuns = RUNS,
): Promise<void> {
  await fc.assert(fc.asyncProperty(made, holds), { numRuns });
}

const search = (query: string | Buffer) =>
  raw(service.url, 'GET', Buffer.concat([Buffer.from(`${BUSCA}?`), Buffer.from(query)]), key());

describe('with a valid key, a search answers 200 or 400, with the body of the contract, whatever', () => {
  it('bytes are in the query string', async () => {
    await always(fc.array(TARGET_BYTE, { maxLength: 200 }), async (bytes) => {
      expectSound(await search(Buffer.from(bytes)));
    });
  });

  it('percent-encodings are in q', async () => {
    const encoded = fc.oneof(
      fc.integer({ min: 0, max: 255 }).map((byte) => `%${byte.toString(16).padStart(2, '0')}`),
      fc.constantFrom('%', '%2', '%zz', '%u00e7', '+', '=', '?', '/', 'dano', '%C3%A7', '%22', '%28', '%2A'),
    );
    await always(fc.array(encoded, { maxLength: 40 }), async (pieces) => {
      expectSound(await search(`q=${pieces.join('')}`));
    });
  });

  it('text is in q', async () => {
    const text = fc.string({ unit: 'binary', minLength: 2, maxLength: 300 });
    await always(text, async (q) => {
      expectSound(await search(`q=${encodeURIComponent(q.toWellFormed())}`));
    });
  });

  it('pieces of FTS5 syntax are in q, in both orders and with a small limite', async () => {
    await always(
      fc.tuple(fragmentsArbitrary, fc.constantFrom('relevancia', 'recentes')),
      async ([q, ordem]) => {
        expectSound(await search(`q=${encodeURIComponent(q)}&ordem=${ordem}&limite=2`));
      },
      3 * RUNS,
    );
  });

  it('values the parameters have', async () => {
    const name = fc.constantFrom(...PARAMETROS, 'x');
    const value = fc.oneof(
      fc.constantFrom(...'dano stj tnu,trf6 MG BR,mg federal acordao 2024-02-29 recentes'.split(' ')),
      fc.constantFrom('', ',', '0', '50', '-1', '1e1', '2024-02-30', 'null', '__proto__', 'constructor'),
      fc.string({ maxLength: 20 }),
    );
    const pair = fc
      .tuple(name, value)
      .map(([left, right]) => `${left}=${encodeURIComponent(right.toWellFormed())}`);
    await always(fc.array(pair, { maxLength: 6 }), async (pairs) => {
      expectSound(await search(['q=dano', ...pairs].join('&')));
      expectSound(await search(pairs.join('&')));
    });
  });

  it('the cursor is', async () => {
    const genuine = (await service.busca({ q: 'dano', limite: '1' })).body.proximo_cursor ?? '';
    expect(genuine).not.toBe('');
    const place = fc.nat({ max: genuine.length - 1 });
    await always(fc.tuple(place, fc.string({ maxLength: 8 }), fc.nat({ max: 8 })), async ([at, put, cut]) => {
      const cursor = genuine.slice(0, at) + put + genuine.slice(at + cut);
      const answer = await search(`q=dano&limite=1&cursor=${encodeURIComponent(cursor)}`);
      expectSound(answer);
      expect(answer.status).toBe(cursor === genuine ? 200 : 400);
    });
  });
});

describe('with a valid key, a record read answers 200 or 404, with the body of the contract, whatever', () => {
  /** One path segment: no slash of either kind, no query, and no dots alone, which a URL parser resolves. */
  const segment = fc
    .oneof(
      fc
        .array(
          TARGET_BYTE.filter((byte) => !'/\\?.'.includes(String.fromCharCode(byte))),
          { minLength: 1, maxLength: 40 },
        )
        .map((bytes) => Buffer.from(bytes)),
      fc
        .tuple(
          fc.constantFrom('stj', 'STJ', 'eproc', 'tnu', ''),
          fc.constantFrom(':', '%3A', '', '::'),
          fc.string({ unit: fc.constantFrom(...'0123456789-+ex%'), maxLength: 24 }),
        )
        .map((parts) => Buffer.from(parts.join(''))),
    )
    .filter((bytes) => bytes.length > 0);

  it('the id is', async () => {
    await always(segment, async (bytes) => {
      const target = Buffer.concat([Buffer.from(decisaoPath('')), bytes]);
      expect([200, 404]).toContain((await raw(service.url, 'GET', target, key())).status);
    });
  });
});
