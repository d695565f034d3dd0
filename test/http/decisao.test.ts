import { renameSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { baseFile } from '../../src/index/format/schema.ts';
import type { Documento } from '../../src/contract/documento.ts';
import { WAIT } from '../support/patience.ts';
import { served } from '../support/served.ts';
import { acordao, BUSCA, decisaoPath, expectErro, expectErroText, untilStatus } from './checks.ts';
import { raw } from './wire.ts';
import { fetchChecked } from '../support/documented.ts';

/** A source's JSON with details that parsing would lose. */
const EXTRAS =
  '{"z":1,"10":"dez","2":"dois","grande":12345678901234567890,"um":1.0,"e":1e2,"neg":-0,' +
  '"a": [ 1 , {"b" : null} ],"texto":"\\u00e7\\/\\"}","chave":{"id":"x"}}';
const COMPLETA =
  '{"chave":"k1","fonte":"STF","tipo":"acordao","processo":"ADI 1-AgR","classe":{"sigla":"ADI",' +
  '"descricao":"Ação Direta"},"orgao_julgador":"Pleno","relator":"Fulana","redator":"Beltrano",' +
  '"data_julgamento":"2024-02-29","data_publicacao":"2024-03-01","ementa":"linha um\\nlinha dois sobre controle concentrado de constitucionalidade","tese":"a tese",' +
  '"dispositivo":"julgaram procedente","inteiro_teor":{"existe_na_origem":true,"caracteres":1234},' +
  '"citacao":"ADI 1, Pleno","legislacao_citada":["CF, art. 5º"],"temas":["tema um"],' +
  `"extras":${EXTRAS},"texto":"segredo do inteiro teor"}`;

const service = served({
  stf: [COMPLETA, { tipo: 'sumula' }, acordao('data impossível', { data_julgamento: '2023-02-29' })],
  tst: [acordao('longa '.repeat(1000))],
  tjmg: [{ tipo: 'acordao', texto: 'segredo sem ementa' }],
  trt3: [acordao('fora do ar')],
});

const get = (id: string, init?: RequestInit) => service.get(decisaoPath(id), init);
const text = async (id: string) => (await get(id)).text();
const read = async (id: string) => JSON.parse(await text(id)) as Documento;

describe('a record', () => {
  it('gives every field as the source gave it', async () => {
    const { chave: _, texto, extras, ...given } = JSON.parse(COMPLETA) as Record<string, unknown>;
    expect([texto, extras]).toEqual([expect.any(String), expect.any(Object)]);
    const { extras: own, ...rest } = await read('stf:1');
    expect(own).toBeTypeOf('object');
    expect(rest).toEqual({ id: 'stf:1', base: 'stf', ementa_status: 'completa', ...given });
  });

  it('has null, and an empty extras, where the source holds nothing', async () => {
    const empty =
      'processo orgao_julgador relator redator data_julgamento data_publicacao ementa tese dispositivo citacao legislacao_citada temas';
    expect(await read('stf:2')).toEqual({
      id: 'stf:2',
      base: 'stf',
      fonte: 'STF',
      tipo: 'sumula',
      ementa_status: 'ausente',
      ...Object.fromEntries(empty.split(' ').map((name) => [name, null])),
      classe: { sigla: null, descricao: null },
      inteiro_teor: { existe_na_origem: null, caracteres: null },
      extras: {},
    });
  });

  it('has null for a date that is not in the calendar', async () => {
    expect((await read('stf:3')).data_julgamento).toBeNull();
  });

  it('has a long ementa in full', async () => {
    expect((await read('tst:1')).ementa).toBe('longa '.repeat(1000));
  });

  it('gives extras exactly as received: big integers, 1.0, key order, white space and escapes', async () => {
    expect(await text('stf:1')).toContain(`"extras":${EXTRAS}}`);
  });

  it('never has the full text, nor a field for it', async () => {
    for (const id of ['stf:1', 'tjmg:1']) {
      const body = await text(id);
      expect(body).not.toContain('segredo');
      for (const name of ['texto', 'chave']) expect(JSON.parse(body)).not.toHaveProperty(name);
    }
  });

  it('has of an indexed full text only its existence and its length', async () => {
    const { inteiro_teor } = await read('tjmg:1');
    expect(inteiro_teor).toEqual({ existe_na_origem: true, caracteres: 'segredo sem ementa'.length });
  });

  it.each(['stf%3A1', 'stf%3a1', '%73tf:1', 'stf:%31', '%73%74%66%3A%31'])('%s is stf:1', async (id) => {
    const answer = await raw(service.url, 'GET', decisaoPath(id), [`Authorization: Bearer ${service.key}`]);
    expect([answer.status, answer.body]).toEqual([200, await text('stf:1')]);
  });

  it('is found under the id that the search gave', async () => {
    const { body } = await service.busca({ q: 'controle constitucionalidade' });
    expect(body.itens.map(({ id }) => id)).toEqual(['stf:1']);
    expect((await get(body.itens[0]?.id ?? '')).status).toBe(200);
  });
});

describe('an id without a decision is 404 DECISAO_NAO_ENCONTRADA:', () => {
  const key = () => [`Authorization: Bearer ${service.key}`];

  it.each([
    ...'stf:4 stj:1 stf:9007199254740991 stf:9007199254740993 stf:9223372036854775807'.split(' '),
    ...'stf:9223372036854775808 stf:99999999999999999999999999 stf:0 stf:-1 stf:007 stf:01'.split(' '),
    ...'stf:1e0 stf:+1 stf:0x1 stf:1:1 stf: :1 : stf stf1 stf-1 STF:1 Stf:1 trf6:1 tnu:1 xyz:1'.split(' '),
    ...'constructor:1 __proto__:1 stf:1%20 %20stf:1 stf:1%0A stf:1%00 stf:%EF%BC%91 stf%253A1'.split(' '),
    ...'stf:1;v=1 stf:1.0 stf%2F1 stf:1+ % stf:% stf:%zz stf:1% %ff%fe stf:%C0%B1 Busca cobertura%20 %00 *'.split(
      ' ',
    ),
    'a'.repeat(2000),
    // Raw UTF-8.
    'ação:1',
  ])('%s', async (id) => {
    const { status, body } = await raw(service.url, 'GET', decisaoPath(id), key());
    const erro = expectErroText(status, body, 'DECISAO_NAO_ENCONTRADA');
    if (id === 'Busca') expect(erro).toContain(`para buscar, use ${BUSCA}`);
  });
});

describe('the version of a record', () => {
  it.each([
    ['stf:2', null],
    ['tst:1', 'accept-encoding'],
  ])('is a private ETag, with which %s is a 304 without body and with the same Vary', async (id, vary) => {
    const whole = await get(id);
    expect(whole.headers.get('etag')).toMatch(/^(W\/)?"[^"]+"$/);
    expect(whole.headers.get('cache-control')).toContain('private');
    const etag = whole.headers.get('etag') ?? '';
    const response = await get(id, { headers: { 'if-none-match': etag } });
    expect([response.status, await response.text()]).toEqual([304, '']);
    expect(response.headers.get('etag')).toBe(etag);
    expect([whole, response].map(({ headers }) => headers.get('vary'))).toEqual([vary, vary]);
  });

  it('is not compared for a client without a key', async () => {
    const etag = (await get('stf:1')).headers.get('etag') ?? '';
    const response = await fetchChecked(service.url + decisaoPath('stf:1'), {
      headers: { 'if-none-match': etag },
    });
    await expectErro(response, 'NAO_AUTORIZADO');
  });

  it('changes when the decision is replaced under the same id', async () => {
    service.load('eproc', [acordao('versão um', { chave: 'k', tribunal: 'tnu' })]);
    const before = (await get('eproc:1')).headers.get('etag') ?? '';
    service.load('eproc', [acordao('versão dois', { chave: 'k', tribunal: 'tnu' })]);
    await expect.poll(async () => (await get('eproc:1')).headers.get('etag'), WAIT).not.toBe(before);
    const response = await get('eproc:1', { headers: { 'if-none-match': before } });
    expect(response.status).toBe(200);
    expect(((await response.json()) as Documento).ementa).toBe('versão dois');
    expect((await get('eproc:2')).status).toBe(404);
  });
});

it('a record whose base does not answer is 504 TEMPO_ESGOTADO for any cause, without a path in the error', async () => {
  renameSync(baseFile(service.dataDir, 'trt3'), `${baseFile(service.dataDir, 'trt3')}.away`);
  // The thread looks at its file twice a second; until then it reads the one it holds open.
  expect(await untilStatus(504, () => get('trt3:1'))).toBe(504);
  const erro = await expectErro(await get('trt3:1'), 'TEMPO_ESGOTADO');
  expect(erro).not.toMatch(/[/\\]|\.db|sqlite/i);
  renameSync(`${baseFile(service.dataDir, 'trt3')}.away`, baseFile(service.dataDir, 'trt3'));
  expect(await untilStatus(200, () => get('trt3:1'))).toBe(200);
});
