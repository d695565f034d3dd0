import { rmSync } from 'node:fs';
import { beforeAll, describe, expect, it } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import { ERROS, type Codigo } from '../../src/contract/recusa.ts';
import { issueKey } from '../../src/keys/store.ts';
import { served } from '../support/served.ts';
import { startApp } from './app.ts';
import { BUSCA, COBERTURA, decisaoPath, expectErro, untilStatus } from './checks.ts';
import { fetchChecked } from '../support/documented.ts';

/** Details of a fault that a client must never see. */
const SEGREDO = 'SQLITE_CORRUPT: SELECT json FROM documento WHERE numero = 1 (/srv/dados/bases/stj.db)';

const service = served();
beforeAll(() => {
  rmSync(baseFile(service.dataDir, 'trt3'));
});

/** The app with a supervisor that throws an unforeseen error. */
function startFaulty() {
  const faults: { requestId: string; error: unknown }[] = [];
  const fail = () => Promise.reject(new Error(SEGREDO));
  const { get } = startApp({
    supervisor: { search: fail, read: fail },
    coverage: {
      get current(): never {
        throw new Error(SEGREDO);
      },
    },
    observer: ({ requestId, fault }) => {
      if (fault !== null) faults.push({ requestId, error: fault });
    },
  });
  return { get, faults };
}

async function spent(): Promise<Response> {
  const key = issueKey(service.dataDir, 'gasta', 1, new Date());
  const ask = () =>
    fetchChecked(`${service.url}${BUSCA}?q=dano`, { headers: { authorization: `Bearer ${key}` } });
  expect(await untilStatus(429, ask)).toBe(429);
  return ask();
}

/** A request for each code, with its status in the contract; the compiler asks for one when the catalogue grows. */
const PROVOKED: Record<Codigo, [status: number, ask: () => Promise<Response>]> = {
  PARAMETRO_INVALIDO: [400, () => service.get(BUSCA)],
  CONSULTA_INVALIDA: [400, () => service.get(`${BUSCA}?q=%22dano`)],
  NAO_AUTORIZADO: [401, () => fetchChecked(`${service.url}${BUSCA}?q=dano`)],
  ROTA_NAO_ENCONTRADA: [404, () => fetchChecked(`${service.url}/v1`)],
  DECISAO_NAO_ENCONTRADA: [404, () => service.get(decisaoPath('stj:1'))],
  METODO_NAO_PERMITIDO: [405, () => fetchChecked(`${service.url}${BUSCA}`, { method: 'DELETE' })],
  COTA_ESGOTADA: [429, spent],
  ERRO_INTERNO: [500, () => startFaulty().get(`${BUSCA}?q=dano`)],
  TEMPO_ESGOTADO: [504, () => service.get(decisaoPath('trt3:1'))],
};

it.each(Object.keys(ERROS) as Codigo[])('each codigo has its status and body: %s', async (codigo) => {
  const [status, ask] = PROVOKED[codigo];
  const response = await ask();
  expect(response.status).toBe(status);
  await expectErro(response, codigo);
});

it.each([`${BUSCA}?q=dano`, decisaoPath('stj:1'), COBERTURA])(
  'an unforeseen fault is 500 ERRO_INTERNO without SQL, path or stack, and logged once with its id: %s',
  async (path) => {
    const { get, faults } = startFaulty();
    const response = await get(path);
    const headers = JSON.stringify([...response.headers]);
    const erro = await expectErro(response, 'ERRO_INTERNO');
    for (const text of [erro, headers]) {
      expect(text).not.toMatch(/select|sqlite|\.db|\.ts|\/srv|node_modules|\bat \w+ \(/i);
    }
    expect(faults.map(({ requestId }) => requestId)).toEqual([response.headers.get('x-request-id')]);
    expect(String(faults[0]?.error)).toContain(SEGREDO);
  },
);

describe('the order of checks', () => {
  it('is 400 before 429 with a used-up quota, and 429 before 404', async () => {
    const key = issueKey(service.dataDir, 'ordem', 1, new Date());
    const get = (path: string) =>
      fetchChecked(service.url + path, { headers: { authorization: `Bearer ${key}` } });
    expect(await untilStatus(429, () => get(`${BUSCA}?q=dano`))).toBe(429);
    await expectErro(await get(BUSCA), 'PARAMETRO_INVALIDO');
    await expectErro(await get(`${BUSCA}?q=%22dano`), 'CONSULTA_INVALIDA');
    await expectErro(await get(decisaoPath('x')), 'COTA_ESGOTADA');
    await expectErro(await get(decisaoPath('trt3:1')), 'COTA_ESGOTADA');
  });
});
