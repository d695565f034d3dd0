import { rmSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { systemClock } from '../../src/engine/clock.ts';
import { quotaOfThisProcess } from '../../src/shared/quota.ts';
import { baseFile } from '../../src/index/format/schema.ts';
import { ERROS, type Codigo } from '../../src/contract/recusa.ts';
import { createApp } from '../../src/http/app.ts';
import { ClientAddress } from '../../src/http/client-address.ts';
import { IpLimit } from '../../src/http/ip-limit.ts';
import { newKey } from '../../src/keys/key.ts';
import { issueKey } from '../../src/keys/store.ts';
import { CursorCodec } from '../../src/query/cursor.ts';
import { startService, type Service } from '../support/service.ts';
import { BUSCA, COBERTURA, decisaoPath, expectErro, untilStatus } from './checks.ts';
import { fetchChecked } from '../support/documented.ts';

/** What a fault may carry and a client must never see. */
const SEGREDO = 'SQLITE_CORRUPT: SELECT json FROM documento WHERE numero = 1 (/srv/dados/bases/stj.db)';

let service: Service;
beforeAll(async () => {
  service = await startService();
  rmSync(baseFile(service.dataDir, 'trt3'));
});
afterAll(() => service.stop());

/** The app with a supervisor that fails as nothing should. */
function startFaulty() {
  const faults: { requestId: string; error: unknown }[] = [];
  const fail = () => Promise.reject(new Error(SEGREDO));
  const app = createApp({
    supervisor: { search: fail, read: fail },
    quota: quotaOfThisProcess(systemClock),
    quotaPerDay: 100,
    coverage: {
      get current(): never {
        throw new Error(SEGREDO);
      },
    },
    keys: { find: () => ({ id: 'a', name: 'teste', quotaPerDay: null }) },
    reading: { check: () => null, cursors: new CursorCodec(new Uint8Array(32)) },
    ipLimit: new IpLimit(1_000, 1),
    clients: new ClientAddress([]),
    idleTimeoutSeconds: () => 30,
    observer: ({ requestId, fault }) => {
      if (fault !== null) faults.push({ requestId, error: fault });
    },
  });
  app.listen({ hostname: '127.0.0.1', port: 0 });
  const get = (path: string) =>
    fetchChecked(`http://127.0.0.1:${app.server?.port ?? 0}${path}`, {
      headers: { authorization: `Bearer ${newKey()}` },
    });
  return { get, faults, stop: () => app.stop(true) };
}

async function spent(): Promise<Response> {
  const key = issueKey(service.dataDir, 'gasta', 1, new Date());
  const ask = () =>
    fetchChecked(`${service.url}${BUSCA}?q=dano`, { headers: { authorization: `Bearer ${key}` } });
  expect(await untilStatus(429, ask)).toBe(429);
  return ask();
}

async function faulty(): Promise<Response> {
  const app = startFaulty();
  const response = await app.get(`${BUSCA}?q=dano`);
  const copy = new Response(await response.text(), response);
  await app.stop();
  return copy;
}

/** A request for each code of the contract; the compiler asks for one when the catalogue grows. */
const PROVOKED: Record<Codigo, () => Promise<Response>> = {
  PARAMETRO_INVALIDO: () => service.get(BUSCA),
  CONSULTA_INVALIDA: () => service.get(`${BUSCA}?q=%22dano`),
  NAO_AUTORIZADO: () => fetchChecked(`${service.url}${BUSCA}?q=dano`),
  ROTA_NAO_ENCONTRADA: () => fetchChecked(`${service.url}/v1`),
  DECISAO_NAO_ENCONTRADA: () => service.get(decisaoPath('stj:1')),
  METODO_NAO_PERMITIDO: () => fetchChecked(`${service.url}${BUSCA}`, { method: 'DELETE' }),
  COTA_ESGOTADA: spent,
  ERRO_INTERNO: faulty,
  TEMPO_ESGOTADO: () => service.get(decisaoPath('trt3:1')),
};

describe('each codigo comes back with its status and the body Erro:', () => {
  it.each(Object.keys(ERROS) as Codigo[])('%s', async (codigo) => {
    const response = await PROVOKED[codigo]();
    expect(response.headers.get('x-request-id')).not.toBeNull();
    await expectErro(response, codigo);
  });

  it.each<[Codigo, number]>([
    ['PARAMETRO_INVALIDO', 400],
    ['CONSULTA_INVALIDA', 400],
    ['NAO_AUTORIZADO', 401],
    ['DECISAO_NAO_ENCONTRADA', 404],
    ['ROTA_NAO_ENCONTRADA', 404],
    ['METODO_NAO_PERMITIDO', 405],
    ['COTA_ESGOTADA', 429],
    ['ERRO_INTERNO', 500],
    ['TEMPO_ESGOTADO', 504],
  ])('%s is %i', (codigo, status) => {
    expect(ERROS[codigo].status).toBe(status);
  });

  it('there are the eight of the contract and ERRO_INTERNO, and no other', () => {
    expect(Object.keys(ERROS)).toHaveLength(9);
  });
});

describe('an unforeseen fault', () => {
  it.each([`${BUSCA}?q=dano`, decisaoPath('stj:1'), COBERTURA])(
    'is 500 ERRO_INTERNO without SQL, a path or a stack: %s',
    async (path) => {
      const app = startFaulty();
      const response = await app.get(path);
      const headers = JSON.stringify([...response.headers]);
      const erro = await expectErro(response, 'ERRO_INTERNO');
      for (const text of [erro, headers]) {
        expect(text).not.toMatch(/select|sqlite|\.db|\.ts|\/srv|node_modules|\bat \w+ \(/i);
      }
      await app.stop();
    },
  );

  it('still tells the quota of the key', async () => {
    const app = startFaulty();
    const response = await app.get(`${BUSCA}?q=dano`);
    expect(response.status).toBe(500);
    expect(response.headers.get('ratelimit')).toMatch(/^"dia";r=\d+;t=\d+$/);
    expect(response.headers.get('ratelimit-policy')).toMatch(/^"dia";q=\d+;w=86400$/);
    await app.stop();
  });

  it('is told to the operator once, under the id that the answer carries', async () => {
    const app = startFaulty();
    const response = await app.get(`${BUSCA}?q=dano`);
    expect(app.faults.map(({ requestId }) => requestId)).toEqual([response.headers.get('x-request-id')]);
    expect(String(app.faults[0]?.error)).toContain(SEGREDO);
    await app.stop();
  });
});

describe('the order of checks', () => {
  it.each<[string, RequestInit, Codigo]>([
    ['/nada', { method: 'POST' }, 'ROTA_NAO_ENCONTRADA'],
    [`${BUSCA}/?q=`, {}, 'ROTA_NAO_ENCONTRADA'],
    [BUSCA, { method: 'POST' }, 'METODO_NAO_PERMITIDO'],
    [decisaoPath('x'), { method: 'PUT' }, 'METODO_NAO_PERMITIDO'],
    [BUSCA, {}, 'NAO_AUTORIZADO'],
    [decisaoPath('x'), {}, 'NAO_AUTORIZADO'],
  ])('%s %j without a key is %s', async (path, init, codigo) => {
    await expectErro(await fetchChecked(service.url + path, init), codigo);
  });

  it('is 400 before 429 for a key whose quota is used up, and 429 before 404', async () => {
    const key = issueKey(service.dataDir, 'ordem', 1, new Date());
    const get = (path: string) =>
      fetchChecked(service.url + path, { headers: { authorization: `Bearer ${key}` } });
    expect(await untilStatus(429, () => get(`${BUSCA}?q=dano`))).toBe(429);
    await expectErro(await get(BUSCA), 'PARAMETRO_INVALIDO');
    await expectErro(await get(decisaoPath('x')), 'COTA_ESGOTADA');
    await expectErro(await get(decisaoPath('trt3:1')), 'COTA_ESGOTADA');
  });
});
