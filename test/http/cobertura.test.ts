import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { TRIBUNAIS } from '../../src/contract/catalog.ts';
import { CoberturaSchema, type Cobertura } from '../../src/contract/cobertura.ts';
import { BASES, TIPOS } from '../../src/contract/enums.ts';
import { startService, type Service } from '../support/service.ts';
import { acordao, COBERTURA } from './checks.ts';
import { preparedFolder, startIn } from './folder.ts';
import { fetchChecked } from '../support/documented.ts';

describe('GET /v1/jurisprudencia/cobertura', () => {
  let service: Service;
  const get = (headers: Record<string, string> = {}) => fetchChecked(service.url + COBERTURA, { headers });
  const read = async () => (await (await get()).json()) as Cobertura;

  beforeAll(async () => {
    service = await startService({ stj: [acordao('dano moral')] });
  });
  afterAll(() => service.stop());

  it('answers without a key', async () => {
    const response = await get();
    expect(response.status).toBe(200);
    expect(response.headers.get('content-type')).toBe('application/json');
  });

  it('has the shape of Cobertura', async () => {
    expect(Check(CoberturaSchema, await read())).toBe(true);
  });

  it('lists the six bases in the order of the contract', async () => {
    expect((await read()).bases.map(({ base }) => base)).toEqual(BASES);
  });

  it('lists all nine types as accepted', async () => {
    const { tipos_aceitos } = await read();
    expect(tipos_aceitos).toEqual(TIPOS);
    expect(tipos_aceitos).toHaveLength(9);
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

  it('lists the seven courts of the catalog and no other', async () => {
    expect((await read()).tribunais).toEqual(TRIBUNAIS);
  });

  it('shows calculado false, and no total, until the first calculation ends', async () => {
    expect((await read()).bases).toEqual(BASES.map((base) => ({ base, calculado: false })));
  });

  it('carries an ETag and lets the answer be cached', async () => {
    const { headers } = await get();
    expect(headers.get('etag')).toMatch(/^(W\/)?"[^"]+"$/);
    expect(headers.get('cache-control')).toMatch(/^public, max-age=\d+$/);
  });

  it('answers 304 without a body to a client that holds this version', async () => {
    const etag = (await get()).headers.get('etag') ?? '';
    const response = await get({ 'if-none-match': etag });
    expect(response.status).toBe(304);
    expect(await response.text()).toBe('');
    expect(response.headers.get('etag')).toBe(etag);
  });

  it.each(['*', '"outra", {etag}', 'W/{opaque}', '{opaque}'])(
    'takes If-None-Match %s as holding this version',
    async (form) => {
      const etag = (await get()).headers.get('etag') ?? '';
      const header = form.replace('{etag}', etag).replace('{opaque}', etag.replace('W/', ''));
      expect((await get({ 'if-none-match': header })).status).toBe(304);
    },
  );

  it('answers 200 to a client that holds another version', async () => {
    expect((await get({ 'if-none-match': '"outra"' })).status).toBe(200);
  });

  it('carries no quota header, for no key is asked', async () => {
    const { headers } = await service.get(COBERTURA);
    expect(headers.get('ratelimit')).toBeNull();
    expect(headers.get('ratelimit-policy')).toBeNull();
  });

  it('has no parameters: a query string changes nothing', async () => {
    const response = await fetchChecked(`${service.url}${COBERTURA}?q=dano&pagina=2`);
    expect(response.status).toBe(200);
    expect(await response.json()).toEqual(await read());
  });
});

describe('a stored coverage', () => {
  const stored = {
    base: 'stj',
    calculado: true,
    total: 7,
    periodo_do_julgamento: { de: '1999-12-31', ate: '2024-02-29' },
    periodo_da_publicacao: { de: null, ate: null },
    tipos: ['acordao'],
    calculado_em: new Date().toISOString(),
  };

  it('is shown from the start, and the bases that it lacks stay not calculated', async () => {
    const dataDir = preparedFolder();
    writeFileSync(join(dataDir, 'cobertura.json'), JSON.stringify({ versao: 1, bases: [stored] }));
    const system = startIn(dataDir);
    try {
      const body: unknown = await (await fetchChecked(system.url + COBERTURA)).json();
      expect(Check(CoberturaSchema, body)).toBe(true);
      expect((body as Cobertura).bases).toEqual(
        BASES.map((base) => (base === 'stj' ? stored : { base, calculado: false })),
      );
    } finally {
      await system.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });

  it('counts as none when its file is damaged', async () => {
    const dataDir = preparedFolder();
    writeFileSync(join(dataDir, 'cobertura.json'), '{"versao":1,"bases":[');
    const system = startIn(dataDir);
    try {
      const body = (await (await fetchChecked(system.url + COBERTURA)).json()) as Cobertura;
      expect(body.bases.map(({ calculado }) => calculado)).toEqual(BASES.map(() => false));
    } finally {
      await system.stop();
      rmSync(dataDir, { recursive: true, force: true });
    }
  });
});
