import { beforeAll, describe, expect, it } from 'vitest';
import { newKey } from '../../src/keys/key.ts';
import { issueKey, revokeKey } from '../../src/keys/store.ts';
import { served } from '../support/served.ts';
import { acordao, BUSCA, COBERTURA, decisaoPath, expectErro, expectErroText, untilStatus } from './checks.ts';
import { raw } from './wire.ts';
import { fetchChecked } from '../support/documented.ts';

const service = served({ stj: [acordao('dano moral')] });
let outra: string;
beforeAll(async () => {
  outra = issueKey(service.dataDir, 'outra', null, new Date());
  await untilStatus(200, () => as(`Bearer ${outra}`));
});

const GUARDED = [`${BUSCA}?q=dano`, decisaoPath('stj:1')];
const SEM_CREDENCIAL = 'Bearer realm="jurisprudencia"';
const COM_CREDENCIAL = 'Bearer realm="jurisprudencia", error="invalid_token"';

const as = (authorization: string, path = `${BUSCA}?q=dano`) =>
  fetchChecked(service.url + path, { headers: { authorization } });

async function expectRefused(response: Response, challenge: string): Promise<void> {
  await expectErro(response, 'NAO_AUTORIZADO');
  expect(response.headers.get('www-authenticate')).toBe(challenge);
}

describe('a request without a bearer credential is 401 NAO_AUTORIZADO, challenged without an error:', () => {
  it.each(GUARDED)('GET %s', async (path) => {
    await expectRefused(await fetchChecked(service.url + path), SEM_CREDENCIAL);
  });

  it.each(['Basic eDp5', 'Digest username="x"', 'BearerX abc', 'Token abc', 'Bearer-abc', 'bear abc'])(
    'Authorization: %s',
    async (authorization) => {
      await expectRefused(await as(authorization), SEM_CREDENCIAL);
    },
  );

  it.each(['BearerX ', 'Basic ', '', 'Bearer'])('a valid key in the header after %j', async (before) => {
    await expectErro(await as(before + service.key), 'NAO_AUTORIZADO');
  });

  it.each(['access_token', 'token', 'key', 'api_key', 'apikey', 'authorization'])(
    'a valid key in the query string as ?%s=, alone or with another header',
    async (name) => {
      for (const path of [`${BUSCA}?q=dano&`, `${decisaoPath('stj:1')}?`])
        for (const other of [null, 'Basic eDp5', 'BearerX abc', '']) {
          const init = other === null ? {} : { headers: { authorization: other } };
          const response = await fetchChecked(`${service.url}${path}${name}=${service.key}`, init);
          await expectRefused(response, SEM_CREDENCIAL);
        }
    },
  );

  it('a valid key in a form body', async () => {
    const body = `access_token=${service.key}`;
    const headers = ['Content-Type: application/x-www-form-urlencoded', `Content-Length: ${body.length}`];
    const answer = await raw(service.url, 'GET', `${BUSCA}?q=dano`, headers, body);
    expectErroText(answer.status, answer.body, 'NAO_AUTORIZADO');
  });

  it.each(['X-API-Key', 'Proxy-Authorization', 'Cookie'])('a valid key in %s', async (name) => {
    const headers = { [name]: `Bearer ${service.key}` };
    await expectErro(await fetchChecked(`${service.url}${BUSCA}?q=dano`, { headers }), 'NAO_AUTORIZADO');
  });
});

describe('a bearer credential that is not a valid key is 401 NAO_AUTORIZADO, challenged as invalid_token:', () => {
  it.each([
    'Bearer',
    'Bearer ',
    'Bearer x',
    'bearer x',
    'Bearer null',
    'Bearer jur_',
    'Bearer jur_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
    'Bearer a b',
    'Bearer "x"',
    'Bearer ====',
    'Bearer ../keys/teste',
    `Bearer ${'a'.repeat(5000)}`,
  ])('%s', async (authorization) => {
    const answer = await raw(service.url, 'GET', `${BUSCA}?q=dano`, [`Authorization: ${authorization}`]);
    expectErroText(answer.status, answer.body, 'NAO_AUTORIZADO');
    expect(answer.headers.get('www-authenticate')).toBe(COM_CREDENCIAL);
  });

  it.each(GUARDED)('a well-formed key that was never issued: GET %s', async (path) => {
    await expectRefused(await as(`Bearer ${newKey()}`, path), COM_CREDENCIAL);
  });

  it('a key with any one character changed, cut, lengthened or in capitals', async () => {
    const { key } = service;
    const changed = [...key].map((character, at) => {
      return key.slice(0, at) + (character === 'a' ? 'b' : 'a') + key.slice(at + 1);
    });
    for (const wrong of [...changed, key.slice(0, -1), `${key}a`, key.toUpperCase(), `${key}=`]) {
      await expectErro(await as(`Bearer ${wrong}`), 'NAO_AUTORIZADO');
    }
  });

  it.each(['Bearer', 'bearer'])('two keys in one header, after %s', async (scheme) => {
    await expectErro(await as(`${scheme} ${service.key}, ${scheme} ${outra}`), 'NAO_AUTORIZADO');
    await expectErro(await as(`${scheme} ${service.key} ${outra}`), 'NAO_AUTORIZADO');
    await expectErro(await as(`${scheme} ${service.key},${outra}`), 'NAO_AUTORIZADO');
  });

  it.each(['Bearer', 'bearer'])('two Authorization headers, even with one key, after %s', async (scheme) => {
    for (const second of [`${scheme} ${service.key}`, `${scheme} ${outra}`, 'Basic eDp5', `${scheme} x`]) {
      const headers = [`Authorization: ${scheme} ${service.key}`, `Authorization: ${second}`];
      const answer = await raw(service.url, 'GET', `${BUSCA}?q=dano`, headers);
      expectErroText(answer.status, answer.body, 'NAO_AUTORIZADO');
    }
  });
});

describe('a valid key', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])('is accepted after %s, in any case', async (scheme) => {
    for (const path of GUARDED) expect((await as(`${scheme} ${service.key}`, path)).status).toBe(200);
  });

  it.each(['Authorization: Bearer  ', 'Authorization: bearer   ', 'aUtHoRiZaTiOn: Bearer '])(
    'is accepted after several spaces and in any case of the header name: %j',
    async (before) => {
      const answer = await raw(service.url, 'GET', `${BUSCA}?q=dano`, [before + service.key]);
      expect(answer.status).toBe(200);
    },
  );

  it('does not make up for a key in the query string', async () => {
    const response = await as(`Bearer ${service.key}`, `${BUSCA}?q=dano&access_token=${service.key}`);
    await expectErro(response, 'PARAMETRO_INVALIDO');
  });

  it('is never in an answer', async () => {
    for (const path of [...GUARDED, BUSCA, decisaoPath('x')]) {
      const response = await as(`Bearer ${service.key}`, path);
      const all = JSON.stringify([...response.headers]) + (await response.text());
      expect(all).not.toContain(service.key);
    }
  });
});

describe('a 401', () => {
  it('is never given by cobertura, which needs no key', async () => {
    expect((await as('Bearer x', COBERTURA)).status).toBe(200);
  });

  it.each([
    ...['stj:1', 'stj:999', 'x', '%'].map(decisaoPath),
    ...['', '?q=', '?q=dano&limite=0', '?q=%22dano', '?q=%'].map((query) => BUSCA + query),
  ])('comes before a record’s 404 and a parameter’s 400: %s', async (path) => {
    const answer = await raw(service.url, 'GET', path);
    expectErroText(answer.status, answer.body, 'NAO_AUTORIZADO');
  });
});

describe('the keys', () => {
  it('take effect without a restart when issued and when revoked', async () => {
    const key = issueKey(service.dataDir, 'passageira', null, new Date());
    const ask = () => as(`Bearer ${key}`);
    expect(await untilStatus(200, ask)).toBe(200);
    revokeKey(service.dataDir, 'passageira', new Date());
    expect(await untilStatus(401, ask)).toBe(401);
    await expectRefused(await ask(), COM_CREDENCIAL);
  });

  it('of a name issued again are new: the revoked one stays refused', async () => {
    const first = issueKey(service.dataDir, 'renovada', null, new Date());
    revokeKey(service.dataDir, 'renovada', new Date());
    const second = issueKey(service.dataDir, 'renovada', null, new Date());
    expect(await untilStatus(200, () => as(`Bearer ${second}`))).toBe(200);
    expect((await as(`Bearer ${first}`)).status).toBe(401);
  });
});
