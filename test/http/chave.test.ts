import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { newKey } from '../../src/keys/key.ts';
import { issueKey, revokeKey } from '../../src/keys/store.ts';
import { startService, type Service } from '../support/service.ts';
import { acordao, BUSCA, COBERTURA, decisaoPath, expectErro, expectErroText, untilStatus } from './checks.ts';
import { raw } from './wire.ts';
import { fetchChecked } from '../support/documented.ts';

let service: Service;
let outra: string;
beforeAll(async () => {
  service = await startService({ stj: [acordao('dano moral')] });
  outra = issueKey(service.dataDir, 'outra', null, new Date());
  await untilStatus(200, () => as(`Bearer ${outra}`));
});
afterAll(() => service.stop());

const GUARDED = [`${BUSCA}?q=dano`, decisaoPath('stj:1')];
const SEM_CREDENCIAL = 'Bearer realm="jurisprudencia"';
const COM_CREDENCIAL = 'Bearer realm="jurisprudencia", error="invalid_token"';

const as = (authorization: string, path = `${BUSCA}?q=dano`) =>
  fetchChecked(service.url + path, { headers: { authorization } });

describe('a request without a bearer credential is 401 NAO_AUTORIZADO, challenged without an error:', () => {
  it.each(GUARDED)('GET %s', async (path) => {
    const response = await fetchChecked(service.url + path);
    await expectErro(response, 'NAO_AUTORIZADO');
    expect(response.headers.get('www-authenticate')).toBe(SEM_CREDENCIAL);
  });

  it.each(['Basic eDp5', 'Digest username="x"', 'BearerX abc', 'Token abc', 'Bearer-abc', 'bear abc'])(
    'Authorization: %s',
    async (authorization) => {
      const response = await as(authorization);
      await expectErro(response, 'NAO_AUTORIZADO');
      expect(response.headers.get('www-authenticate')).toBe(SEM_CREDENCIAL);
    },
  );

  it('a valid key after BearerX, Basic or alone in the header', async () => {
    for (const authorization of [`BearerX ${service.key}`, `Basic ${service.key}`, service.key]) {
      await expectErro(await as(authorization), 'NAO_AUTORIZADO');
    }
    await expectErro(await as(`Bearer${service.key}`), 'NAO_AUTORIZADO');
  });

  it.each(['access_token', 'token', 'key', 'api_key', 'apikey', 'authorization'])(
    'a valid key in the query string as ?%s=',
    async (name) => {
      const response = await fetchChecked(`${service.url}${BUSCA}?q=dano&${name}=${service.key}`);
      await expectErro(response, 'NAO_AUTORIZADO');
      expect(response.headers.get('www-authenticate')).toBe(SEM_CREDENCIAL);
    },
  );

  it.each(['Basic eDp5', 'BearerX abc', ''])(
    'a valid key in ?access_token=, beside Authorization: %s',
    async (authorization) => {
      for (const path of [`${BUSCA}?q=dano&`, `${decisaoPath('stj:1')}?`]) {
        const response = await as(authorization, `${path}access_token=${service.key}`);
        await expectErro(response, 'NAO_AUTORIZADO');
        expect(response.headers.get('www-authenticate')).toBe(SEM_CREDENCIAL);
      }
    },
  );

  it('a valid key in ?access_token= of a record', async () => {
    const path = `${decisaoPath('stj:1')}?access_token=${service.key}`;
    await expectErro(await fetchChecked(service.url + path), 'NAO_AUTORIZADO');
  });

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

  it('a well-formed key that was never issued', async () => {
    for (const path of GUARDED) {
      const response = await as(`Bearer ${newKey()}`, path);
      await expectErro(response, 'NAO_AUTORIZADO');
      expect(response.headers.get('www-authenticate')).toBe(COM_CREDENCIAL);
    }
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

  it.each(['Bearer', 'bearer'])(
    'two Authorization headers, even with the same valid key, after %s',
    async (scheme) => {
      for (const second of [`${scheme} ${service.key}`, `${scheme} ${outra}`, 'Basic eDp5', `${scheme} x`]) {
        const headers = [`Authorization: ${scheme} ${service.key}`, `Authorization: ${second}`];
        const answer = await raw(service.url, 'GET', `${BUSCA}?q=dano`, headers);
        expectErroText(answer.status, answer.body, 'NAO_AUTORIZADO');
      }
    },
  );
});

describe('a valid key', () => {
  it.each(['Bearer', 'bearer', 'BEARER', 'bEaReR'])(
    'is accepted after %s: case does not matter',
    async (scheme) => {
      for (const path of GUARDED) expect((await as(`${scheme} ${service.key}`, path)).status).toBe(200);
    },
  );

  it.each(['Bearer  ', 'bearer   '])('is accepted after more than one space: %j', async (scheme) => {
    const header = `Authorization: ${scheme}${service.key}`;
    expect((await raw(service.url, 'GET', `${BUSCA}?q=dano`, [header])).status).toBe(200);
  });

  it('is accepted whatever the case of the header name', async () => {
    const header = `aUtHoRiZaTiOn: Bearer ${service.key}`;
    expect((await raw(service.url, 'GET', `${BUSCA}?q=dano`, [header])).status).toBe(200);
  });

  it('does not let a key in the query string pass beside it', async () => {
    const response = await as(`Bearer ${service.key}`, `${BUSCA}?q=dano&access_token=${service.key}`);
    await expectErro(response, 'PARAMETRO_INVALIDO');
  });

  it('never comes back in an answer', async () => {
    for (const path of [...GUARDED, BUSCA, decisaoPath('x')]) {
      const response = await as(`Bearer ${service.key}`, path);
      const all = JSON.stringify([...response.headers]) + (await response.text());
      expect(all).not.toContain(service.key);
    }
  });
});

describe('a 401', () => {
  it('tells nothing of a quota', async () => {
    const { headers } = await as('Bearer x');
    expect(headers.get('ratelimit')).toBeNull();
    expect(headers.get('ratelimit-policy')).toBeNull();
  });

  it('is never given by cobertura, which asks for no key', async () => {
    expect((await as('Bearer x', COBERTURA)).status).toBe(200);
  });

  it('comes before the 404 of a record, so that nothing is learnt without a key', async () => {
    for (const id of ['stj:1', 'stj:999', 'x', '%']) {
      const answer = await raw(service.url, 'GET', decisaoPath(id));
      expectErroText(answer.status, answer.body, 'NAO_AUTORIZADO');
    }
  });

  it('comes before the 400 of the parameters', async () => {
    for (const query of ['', '?q=', '?q=dano&limite=0', '?q=%22dano', '?q=%']) {
      await expectErro(await fetchChecked(service.url + BUSCA + query), 'NAO_AUTORIZADO');
    }
  });
});

describe('the keys', () => {
  it('are seen without a restart when issued, and when revoked', async () => {
    const key = issueKey(service.dataDir, 'passageira', null, new Date());
    const ask = () => as(`Bearer ${key}`);
    expect(await untilStatus(200, ask)).toBe(200);
    revokeKey(service.dataDir, 'passageira', new Date());
    expect(await untilStatus(401, ask)).toBe(401);
    const response = await ask();
    expect(response.headers.get('www-authenticate')).toBe(COM_CREDENCIAL);
    await expectErro(response, 'NAO_AUTORIZADO');
  });

  it('are others under a name issued again: the revoked one stays refused', async () => {
    const first = issueKey(service.dataDir, 'renovada', null, new Date());
    revokeKey(service.dataDir, 'renovada', new Date());
    const second = issueKey(service.dataDir, 'renovada', null, new Date());
    expect(await untilStatus(200, () => as(`Bearer ${second}`))).toBe(200);
    expect((await as(`Bearer ${first}`)).status).toBe(401);
  });

  it('stand one by one: revoking one leaves the others', async () => {
    expect((await as(`Bearer ${service.key}`)).status).toBe(200);
  });
});
