import { describe, expect, it } from 'vitest';
import { TRIBUNAIS } from '../../src/contract/catalog.ts';
import type { Cobertura } from '../../src/contract/cobertura.ts';
import { BASES, TIPOS } from '../../src/contract/vocabulary.ts';
import { served } from '../support/served.ts';
import { acordao, COBERTURA } from './checks.ts';
import { fetchChecked } from '../support/documented.ts';

describe('GET /v1/jurisprudencia/cobertura', () => {
  const service = served({ stj: [acordao('dano moral')] });
  const get = (headers: Record<string, string> = {}) => fetchChecked(service.url + COBERTURA, { headers });
  const read = async () => (await (await get()).json()) as Cobertura;

  it('answers without a key, in the order of the contract: the bases, not calculated yet, the types, the courts', async () => {
    expect(await read()).toEqual({
      bases: BASES.map((base) => ({ base, calculado: false })),
      tipos_aceitos: [...TIPOS],
      tribunais: [...TRIBUNAIS],
    });
    expect(TIPOS).toHaveLength(9);
  });

  it.each([
    ['tst', 'tst', 'trabalhista', 'BR'],
    ['stf', 'stf', 'superior', 'BR'],
    ['stj', 'stj', 'superior', 'BR'],
    ['tnu', 'eproc', 'federal', 'BR'],
    ['trf6', 'eproc', 'federal', 'MG'],
    ['trt3', 'trt3', 'trabalhista', 'MG'],
    ['tjmg', 'tjmg', 'estadual', 'MG'],
  ])('links the court %s to base %s, branch %s and state %s', async (codigo, base, ramo, uf) => {
    const court = (await read()).tribunais.find((one) => one.codigo === codigo);
    expect(court).toMatchObject({ codigo, base, ramo, uf });
    expect(court?.nome.length).toBeGreaterThan(3);
  });

  it.each(['*', '"outra", {etag}', 'W/{opaque}', '{opaque}'])(
    'answers 304 without a body to If-None-Match %s with its ETag',
    async (form) => {
      const etag = (await get()).headers.get('etag') ?? '';
      const header = form.replace('{etag}', etag).replace('{opaque}', etag.replace('W/', ''));
      const response = await get({ 'if-none-match': header });
      expect([response.status, await response.text()]).toEqual([304, '']);
      expect(response.headers.get('etag')).toBe(etag);
    },
  );

  it('answers 200 to a client with another ETag', async () => {
    expect((await get({ 'if-none-match': '"outra"' })).status).toBe(200);
  });

  it('has no parameters: a query string changes nothing', async () => {
    const response = await fetchChecked(`${service.url}${COBERTURA}?q=dano&pagina=2`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(await read());
  });
});
