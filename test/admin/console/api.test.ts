import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import { BASES } from '../../../src/contract/vocabulary.ts';
import { baseFile } from '../../../src/index/format/schema.ts';
import type { Environment } from '../../../src/config/config.ts';
import { takeLock } from '../../../src/process/lock.ts';
import { adminApi } from '../support-api.ts';
import { WAIT } from '../../support/patience.ts';
import { served, servedInTest } from '../../support/served.ts';
import { DEFAULT_THREADS, inEachBase } from '../../support/service.ts';
import { acordaos } from '../../http/checks.ts';

const LINES = acordaos(12, 'Dano moral');
const DECISIONS = inEachBase(LINES);

const serviceWith = (environment: Environment, toml = '') =>
  servedInTest(DECISIONS, { ...DEFAULT_THREADS, ...environment }, toml);

describe('the settings', () => {
  test('are listed with their value and its source', async () => {
    const service = await serviceWith(
      { BASES_RECENCY_MS: '', BASES_STJ_THREADS: '3', BASES_QUEUE_MAX: '99' },
      '[bases]\nrecency_ms = 700\n[bases.tst]\nthreads = 1\n',
    );
    const { body } = await adminApi(service)('GET', 'ajustes');
    expect(body.ajustes.stj.threads).toMatchObject({
      valor: 3,
      origem: 'environment',
      nome: 'BASES_STJ_THREADS',
      variavel: 'BASES_STJ_THREADS',
    });
    expect(body.ajustes.stj.queue_max).toMatchObject({ valor: 99, origem: 'environment', variavel: null });
    expect(body.ajustes.stj.recency_ms).toMatchObject({
      valor: 700,
      origem: 'file',
      nome: 'bases.recency_ms',
    });
    expect(body.ajustes.tst.threads).toMatchObject({
      valor: 1,
      origem: 'file',
      nome: 'bases.tst.threads',
    });
    expect(body.ajustes.stf.threads).toMatchObject({
      valor: 2,
      origem: 'default',
      ao_reiniciar: 2,
      min: 1,
      max: 64,
    });
  });

  test('change nothing harmful to users without a confirmation, and explain the harm', async () => {
    const service = await serviceWith({ BASES_RELEVANCE_MS: '1500' });
    const call = adminApi(service);
    const threads = await call('PUT', 'ajustes/stj/threads', { valor: 64 });
    expect(threads.status).toBe(409);
    expect(threads.body.risco).toMatch(
      /^(?:a base stj teria 64|todas as bases teriam 74) threads para \d+ núcleos?, mais de/u,
    );
    expect(threads.body.erro).toBe(
      `${threads.body.risco}; nada mudou: para mudar mesmo assim, envie {"valor": 64, "confirmado": true}`,
    );
    const unconfirmed = await call('PUT', 'ajustes/stj/relevance_ms', { valor: 1, confirmado: false });
    expect(unconfirmed.status).toBe(409);
    expect(unconfirmed.body.erro).toContain('as buscas por relevância em stj não terminam a tempo');
    expect((await call('GET', 'ajustes')).body).toMatchObject({ historico: [] });
    expect((await call('PUT', 'ajustes/stj/relevance_ms', { valor: 1, confirmado: true })).status).toBe(200);
    // For the better, even where it is still short.
    expect((await call('PUT', 'ajustes/stj/relevance_ms', { valor: 50 })).status).toBe(200);
    // What cannot be is a mistake, and nothing to confirm.
    expect((await call('PUT', 'ajustes/stj/threads', { valor: 65, confirmado: true })).status).toBe(400);
    expect((await call('PUT', 'ajustes/stj/threads', { valor: 65 })).status).toBe(400);
    expect((await call('GET', 'ajustes')).body.ajustes.stj.relevance_ms).toMatchObject({
      origem: 'mudado_aqui',
      valor: 50,
      ao_reiniciar: 1_500,
    });
  });

  test('apply at once, and are recorded in the history', async () => {
    const service = await serviceWith({});
    const call = adminApi(service);
    expect((await call('PUT', 'ajustes/stj/threads', { valor: 4, confirmado: true })).body).toMatchObject({
      numero: 1,
      de: 2,
      para: 4,
    });
    expect((await call('PUT', 'ajustes/stj/threads', { valor: 1 })).body).toMatchObject({
      numero: 2,
      de: 4,
      para: 1,
    });
    expect((await call('PUT', 'ajustes/stf/relevance_ms', { valor: 900 })).status).toBe(200);
    const changed = await call('GET', 'ajustes');
    expect(changed.body.ajustes.stj.threads).toMatchObject({
      valor: 1,
      origem: 'mudado_aqui',
      ao_reiniciar: 2,
    });
    expect((await call('PUT', 'ajustes/stj/threads', { valor: 2 })).status).toBe(200);
    const back = await call('GET', 'ajustes');
    expect(back.body.ajustes.stj.threads).toMatchObject({ valor: 2, origem: 'default' });
    expect(back.body.historico).toMatchObject([
      { numero: 4, base: 'stj', chave: 'threads', de: 1, para: 2 },
      { numero: 3, base: 'stf', chave: 'relevance_ms', para: 900 },
      { numero: 2, de: 4, para: 1 },
      { numero: 1, de: 2, para: 4 },
    ]);
  });

  test('are written to live.toml, which overrides config.toml, and name each variable that overrides both', async () => {
    const service = await serviceWith(
      { BASES_STF_THREADS: '3', BASES_THREADS: '2', EXPENSIVE_AT_ONCE: '' },
      '# meu\nshutdown_ms = 100\n[bases.stj]\nthreads = 1 # um\n',
    );
    const call = adminApi(service);
    await call('PUT', 'ajustes/stj/threads', { valor: 4, confirmado: true });
    await call('PUT', 'ajustes/stf/threads', { valor: 1 });
    expect((await call('PUT', 'ajustes/servico/expensive_at_once', { valor: 3 })).body).toMatchObject({
      base: 'servico',
      chave: 'expensive_at_once',
      de: 0,
      para: 3,
    });
    const { status, body } = await call('POST', 'gravar');
    expect(status).toBe(200);
    expect(body.gravados).toHaveLength(3);
    expect(readFileSync(join(service.dataDir, 'config.toml'), 'utf8')).toBe(
      '# meu\nshutdown_ms = 100\n[bases.stj]\nthreads = 1 # um\n',
    );
    expect(parse(readFileSync(join(service.dataDir, 'live.toml'), 'utf8'))).toEqual({
      expensive_at_once: 3,
      bases: { stj: { threads: 4 }, stf: { threads: 1 } },
    });
    const { ajustes } = (await call('GET', 'ajustes')).body;
    expect(ajustes.servico.expensive_at_once).toMatchObject({ valor: 3, origem: 'live' });
    // The base's own key is above the variable for all of them.
    expect(ajustes.stj.threads).toMatchObject({ valor: 4, origem: 'live', nome: 'bases.stj.threads' });
    expect(ajustes.stf.threads).toMatchObject({
      valor: 1,
      origem: 'mudado_aqui',
      ao_reiniciar: 3,
      variavel: 'BASES_STF_THREADS',
    });
  });

  test('are not written while config.toml is invalid, and apply all the same', async () => {
    const service = await serviceWith({});
    const call = adminApi(service);
    writeFileSync(join(service.dataDir, 'config.toml'), 'port = = 1\n');
    expect((await call('PUT', 'ajustes/stj/threads', { valor: 3, confirmado: true })).status).toBe(200);
    const { status, body } = await call('POST', 'gravar');
    expect(status).toBe(409);
    const [title, ...mistakes] = body.erro.split('\n');
    expect(title).toMatch(
      /não são válidos, e nada foi gravado; corrija-os \(mensagens da leitura, em inglês\):$/u,
    );
    expect(mistakes).toEqual([expect.stringMatching(/^  - .*config\.toml: line 1: /u)]);
    expect(existsSync(join(service.dataDir, 'live.toml'))).toBe(false);
    const { ajustes } = (await call('GET', 'ajustes')).body;
    expect(ajustes.stj.threads).toMatchObject({ valor: 3, origem: 'mudado_aqui', ao_reiniciar: null });
    expect(ajustes.stf.threads).toMatchObject({ valor: 2, origem: 'default', ao_reiniciar: null });
  });

  test('that were edited in config.toml apply at the next start alone', async () => {
    const service = await serviceWith({}, '[bases.stf]\nthreads = 1\n');
    const call = adminApi(service);
    const file = join(service.dataDir, 'config.toml');
    await call('PUT', 'ajustes/stj/threads', { valor: 3, confirmado: true });
    writeFileSync(file, '[bases.stf]\nthreads = 5\nqueue_max = 9\n');
    const { ajustes } = (await call('GET', 'ajustes')).body;
    expect(ajustes.stf.threads).toMatchObject({ valor: 1, origem: 'file', ao_reiniciar: 5 });
    expect(ajustes.stf.queue_max).toMatchObject({ valor: 512, origem: 'default', ao_reiniciar: 9 });
    const { body } = await call('POST', 'gravar');
    expect(body.gravados).toEqual([{ base: 'stj', chave: 'threads', valor: 3 }]);
    expect(readFileSync(file, 'utf8')).toBe('[bases.stf]\nthreads = 5\nqueue_max = 9\n');
    // What was written here is also taken back here.
    await call('PUT', 'ajustes/stj/threads', { valor: 2 });
    expect((await call('POST', 'gravar')).body.gravados).toEqual([
      { base: 'stj', chave: 'threads', valor: 2 },
    ]);
  });
});

const shared = served(DECISIONS, DEFAULT_THREADS);

describe('the keys', () => {
  test('are issued, shown once, listed with their use of today, and revoked', async () => {
    const call = adminApi(shared);
    const { status, body } = await call('POST', 'chaves', { nome: 'acme', cota: 5 });
    expect(status).toBe(201);
    const authorization = `Bearer ${body.chave}`;
    await expect
      .poll(
        async () =>
          (await shared.get('/v1/jurisprudencia/busca?q=dano', { headers: { authorization } })).status,
        WAIT,
      )
      .toBe(200);
    const listed = (await call('GET', 'chaves')).body.chaves.find(
      (one: { nome: string }) => one.nome === 'acme',
    );
    expect(listed).toMatchObject({
      cota: 5,
      cota_propria: true,
      usadas_hoje: 1,
      restam: 4,
      revogada_em: null,
    });
    expect(listed.renova_em_s).toBeGreaterThan(0);
    expect(listed.renova_em_s).toBeLessThanOrEqual(86_400);
    expect(JSON.stringify((await call('GET', 'chaves')).body)).not.toMatch(/jur_|[0-9a-f]{64}/u);
    expect((await call('POST', 'chaves', { nome: 'acme', cota: null })).body.erro).toMatch(
      /já há uma chave em vigor/u,
    );

    expect((await call('POST', 'chaves/acme/revogar')).status).toBe(200);
    expect((await call('POST', 'chaves/acme/revogar')).status).toBe(409);
    await expect
      .poll(
        async () =>
          (await shared.get('/v1/jurisprudencia/busca?q=dano', { headers: { authorization } })).status,
        WAIT,
      )
      .toBe(401);
  });

  test('that do not exist cannot be revoked', async () => {
    expect((await adminApi(shared)('POST', 'chaves/ninguem/revogar')).status).toBe(404);
    expect((await adminApi(shared)('POST', 'chaves/..%2Fx/revogar')).status).toBe(404);
  });
});

describe('a change of keys while another command changes them', () => {
  test('is refused, and can be made when that command has ended', async () => {
    const giveBack = takeLock(shared.dataDir);
    const { status, body } = await adminApi(shared)('POST', 'chaves', { nome: 'paciente', cota: null });
    giveBack();
    expect(status).toBe(503);
    expect(body.erro).toMatch(/espere e repita/u);
    expect((await adminApi(shared)('POST', 'chaves', { nome: 'paciente', cota: null })).status).toBe(201);
  });
});

describe('one search', () => {
  test('is shown with every request to each base, and costs no quota', async () => {
    const call = adminApi(shared);
    const used = async () =>
      (await call('GET', 'chaves')).body.chaves.map((one: { usadas_hoje: number }) => one.usadas_hoje);
    const before = await used();
    const { status, body } = await call('GET', 'busca?q=dano+moral&limite=20');
    expect(status).toBe(200);
    expect(body.itens).toHaveLength(20);
    expect(body.itens[0]).toMatchObject({
      id: expect.stringMatching(/^tst:\d+$/u),
      tipo: 'acordao',
      processo: null,
      trecho_da_ementa: expect.stringContaining('Dano moral'),
    });
    expect(body.por_base.map(({ base }: { base: string }) => base)).toEqual([...BASES]);
    for (const base of BASES) {
      const step = body.steps.find(
        (one: { base: string; kind: string }) => one.base === base && one.kind === 'relevancia',
      );
      expect(step).toMatchObject({ outcome: 'ok' });
      expect(step.at_ms + step.queue_ms + step.run_ms).toBeLessThanOrEqual(body.ms + 1);
    }
    expect(await used()).toEqual(before);
  });

  test('accepts filters, and continues with the cursor of its page', async () => {
    const call = adminApi(shared);
    const query = 'busca?q=dano&tribunal=stj,stf&limite=8';
    const first = (await call('GET', query)).body;
    expect(first.por_base.map(({ base }: { base: string }) => base)).toEqual(['stf', 'stj']);
    const next = (await call('GET', `${query}&cursor=${first.proximo_cursor}`)).body;
    const ids = [...first.itens, ...next.itens].map(({ id }: { id: string }) => id);
    expect(new Set(ids).size).toBe(16);
    const last = (await call('GET', `${query}&cursor=${next.proximo_cursor}`)).body;
    expect(last).toMatchObject({ itens: { length: 8 }, proximo_cursor: null });
    expect((await call('GET', `busca?q=moral&cursor=${first.proximo_cursor}`)).body.erro).toMatch(/cursor/u);
  });

  test('names a base that did not answer', async () => {
    const service = await serviceWith({});
    rmSync(baseFile(service.dataDir, 'trt3'));
    await expect
      .poll(async () => (await adminApi(service)('GET', 'busca?q=dano')).body.bases_sem_resposta, WAIT)
      .toEqual([{ base: 'trt3', tempo_esgotado: false }]);
    const { estados } = (await adminApi(service)('GET', 'serie')).body;
    expect(estados.trt3).toMatchObject({
      state: 'down',
      detail: `no base file at ${baseFile(service.dataDir, 'trt3')}`,
    });
    expect(estados.stj.state).toBe('up');
  });
});

describe('the figures', () => {
  test('are of the seconds after the one that is asked for, with the searches made meanwhile', async () => {
    const call = adminApi(shared);
    const seconds = async (desde: number) => {
      const { body } = await call('GET', `serie?desde=${desde}`);
      expect(body.estados.stj).toMatchObject({ state: 'up', threads: 2 });
      return body.serie.stj as { em: number; relevancia: number; fila: { p50: number | null } }[];
    };
    const latest = async () => (await seconds(0)).at(-1)?.em ?? 0;
    await expect.poll(latest, WAIT).toBeGreaterThan(0);
    const desde = await latest();
    // The searches of the tests before this one may be in the second that has not ended.
    await expect.poll(async () => (await seconds(desde)).length, WAIT).toBeGreaterThan(0);
    const since = await latest();
    // Asked by nobody before: what is kept waits in no queue.
    await shared.busca({ q: 'dano moral', limite: '7' });
    const searches = async () => (await seconds(since)).reduce((sum, { relevancia }) => sum + relevancia, 0);
    await expect.poll(searches, WAIT).toBe(1);
    const news = await seconds(since);
    expect(news.every(({ em }) => em > since)).toBe(true);
    expect(news.at(-1)?.fila.p50).not.toBeNull();
    // A page from before the clock was set back gets them all.
    expect((await seconds(since + 3_600)).length).toBeGreaterThan(news.length);
  });
});

describe('the console’s API', () => {
  test('gives each key’s rate of requests and of rejections', async () => {
    const service = await serviceWith({ QUOTA_PER_DAY: '3' });
    for (let at = 0; at < 8; at += 1) await service.busca({ q: 'dano' });
    const key = async () => (await adminApi(service)('GET', 'chaves')).body.chaves[0];
    const refused = async () => {
      const { por_s, recusas_por_s } = await key();
      return recusas_por_s / por_s;
    };
    // A second may end between two of the searches.
    await expect.poll(refused, WAIT).toBeCloseTo(5 / 8, 5);
    expect(await key()).toMatchObject({ restam: 0, usadas_hoje: 3 });
  });

  test('gives the decisions, file size and time of the last load of each base', async () => {
    const service = await serviceWith({});
    await service.busca({ q: 'dano' });
    const series = async () => (await adminApi(service)('GET', 'serie')).body;
    const of = async (base: string) => {
      const { estados, arquivos } = await series();
      return { ...estados[base], ...arquivos[base] };
    };
    const before = await of('stj');
    expect(before).toMatchObject({ docs: LINES.length, generation: expect.any(Number) });
    expect(before.bytes).toBeGreaterThan(4_096);
    expect(Math.abs(before.changedMs - Date.now())).toBeLessThan(600_000);
    service.load('stj', [{ tipo: 'acordao', ementa: 'Uma decisão a mais' }]);
    await service.busca({ q: 'moral' });
    const { disco } = await series();
    expect(disco.bytes).toBeGreaterThan(disco.freeBytes);
    const after = await of('stj');
    expect(after.docs).toBe(LINES.length + 1);
    expect(after.generation).toBeGreaterThan(before.generation);
    expect(after.changedMs).toBeGreaterThan(before.changedMs);
    rmSync(baseFile(service.dataDir, 'stf'));
    expect((await series()).arquivos.stf).toBeNull();
  });

  test('lists incomplete searches, and the searches behind a point of a chart', async () => {
    const service = await serviceWith({ SLOW_MS: '1' });
    rmSync(baseFile(service.dataDir, 'trt3'));
    const call = adminApi(service);
    const listed = async () => (await call('GET', 'buscas')).body;
    await expect
      .poll(async () => {
        await service.busca({ q: 'dano', limite: '7' });
        return (await listed()).buscas.some(({ ms }: { ms: number }) => ms >= 1);
      }, WAIT)
      .toBe(true);
    const { lenta_ms, buscas } = await listed();
    expect(lenta_ms).toBe(1);
    const one = buscas.find(({ ms }: { ms: number }) => ms >= 1);
    expect(one).toMatchObject({
      route: 'busca',
      status: 200,
      parametros: { q: 'dano', limite: '7' },
      bases_sem_resposta: [{ base: 'trt3', tempo_esgotado: false }],
    });
    expect(one.steps.length).toBeGreaterThan(0);
    const around = await call('GET', `buscas?base=trt3&em=${Math.floor(one.em)}`);
    expect(around.body.buscas.map(({ request_id }: { request_id: string }) => request_id)).toContain(
      one.request_id,
    );
    expect((await call('GET', `buscas?base=trt3&em=${Math.floor(one.em) - 600}`)).body.buscas).toEqual([]);
  });

  test('gives no query text while the log may have none', async () => {
    const service = await serviceWith({ SLOW_MS: '0' });
    rmSync(baseFile(service.dataDir, 'trt3'));
    const call = adminApi(service);
    await expect
      .poll(async () => {
        await service.busca({ q: 'segredo' });
        return (await call('GET', 'buscas')).body.buscas.length;
      }, WAIT)
      .toBeGreaterThan(0);
    const { body } = await call('GET', 'buscas');
    const around = await call('GET', `buscas?base=stj&em=${Math.floor(body.buscas[0].em)}`);
    expect(JSON.stringify([body, around.body])).not.toContain('segredo');
  });
});

describe('the page', () => {
  test('is served with its own files alone, and its policy allows no other source', async () => {
    const page = await fetch(`${shared.adminUrl}/console`);
    expect(page.headers.get('content-type')).toBe('text/html;charset=utf-8');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const html = await page.text();
    expect(html).not.toMatch(/<script(?![^>]* src=)|\son\w+=|\sstyle=|https?:\/\//u);
    const seen = new Set<string>();
    const open = async (path: string): Promise<void> => {
      if (seen.has(path)) return;
      seen.add(path);
      const response = await fetch(shared.adminUrl + path);
      expect([path, response.status]).toEqual([path, 200]);
      const text = await response.text();
      if (!/\.[jt]s$/u.test(path)) return;
      for (const [, file] of text.matchAll(/from "\.\/([^"]+\.[jt]s)"/gu)) await open(`/console/${file}`);
    };
    for (const [, path] of html.matchAll(/(?:href|src)="(\/[^"]+)"/gu)) await open(path!);
    expect(seen.size).toBeGreaterThan(15);
    for (const path of [
      '/console/part.ts',
      '/console/..%2Fpart.ts',
      '/console/__proto__',
      '/console/x.js',
      '/console/htm.d.ts',
    ]) {
      expect((await fetch(shared.adminUrl + path)).status).toBe(404);
    }
  });

  test('is reached from the address that the service prints', async () => {
    expect((await fetch(shared.adminUrl)).url).toBe(`${shared.adminUrl}/console`);
    expect((await fetch(`${shared.adminUrl}/console/`)).status).toBe(200);
  });

  test('is answered with 304 while it has not changed', async () => {
    const first = await fetch(`${shared.adminUrl}/console/console.css`);
    const etag = first.headers.get('etag') ?? '';
    const second = await fetch(`${shared.adminUrl}/console/console.css`, {
      headers: { 'if-none-match': etag },
    });
    expect(second.status).toBe(304);
  });
});

test.each([
  ['PUT', 'ajustes/stj/threads', { valor: 0 }, 400, /de 1 a 64/u],
  ['PUT', 'ajustes/stj/threads', { valor: 1_000 }, 400, /de 1 a 64/u],
  ['PUT', 'ajustes/stj/threads', { valor: 2.5 }, 400, /\{"valor": 4\}/u],
  ['PUT', 'ajustes/stj/threads', { valor: '4' }, 400, /\{"valor": 4\}/u],
  ['PUT', 'ajustes/stj/threads', { valor: 4, x: 1 }, 400, /\{"valor": 4\}/u],
  ['PUT', 'ajustes/stj/threads', '{', 400, /não é JSON/u],
  ['PUT', 'ajustes/stj/threads', undefined, 400, /não é JSON/u],
  ['PUT', 'ajustes/stj/threads', { valor: 2 }, 409, /já é 2/u],
  ['PUT', 'ajustes/stj/port', { valor: 1 }, 404, /há threads, queue_max/u],
  ['PUT', 'ajustes/stj/expensive_at_once', { valor: 1 }, 404, /há threads, queue_max/u],
  ['PUT', 'ajustes/servico/threads', { valor: 1 }, 404, /há expensive_at_once/u],
  ['PUT', 'ajustes/servico/expensive_at_once', { valor: 257 }, 400, /de 0 a 256/u],
  ['PUT', 'ajustes/servico/expensive_at_once', { valor: 64 }, 409, /já é 64/u],
  ['PUT', 'ajustes/xyz/threads', { valor: 1 }, 404, /há tst, stf/u],
  ['POST', 'chaves', { nome: 'com espaço', cota: null }, 400, /nome: use/u],
  ['POST', 'chaves', { nome: '../fora', cota: null }, 400, /nome: use/u],
  ['POST', 'chaves', { nome: '', cota: null }, 400, /nome: use/u],
  ['POST', 'chaves', { nome: 'a', cota: 0 }, 400, /"cota": null/u],
  ['POST', 'chaves', { nome: 'a' }, 400, /"cota": null/u],
  ['GET', 'busca?q=a', undefined, 400, /curto demais/u],
  ['GET', 'busca?', undefined, 400, /falta/u],
  ['GET', 'busca?q=%22dano', undefined, 400, /aspas/u],
  ['GET', 'busca?q=dano&x=1', undefined, 400, /x/u],
  ['GET', 'serie?desde=ontem', undefined, 400, /desde: use o segundo/u],
  ['GET', 'buscas?base=xyz&em=1', undefined, 400, /base: use uma de tst/u],
  ['GET', 'buscas?base=stj', undefined, 400, /em: use o segundo/u],
  ['GET', 'buscas?em=5', undefined, 400, /base: use uma de/u],
  ['GET', 'buscas?base=stj&em=agora', undefined, 400, /em: use o segundo/u],
] as const)(
  'a mistake in a request, %s %s %j, is refused with the mend',
  async (method, path, body, status, erro) => {
    const answer = await adminApi(shared)(method, path, body);
    expect(answer.status).toBe(status);
    expect(answer.body.erro).toMatch(erro);
  },
);

test('a key folder that cannot be written is an error that names the mend', async () => {
  const service = await serviceWith({});
  const folder = join(service.dataDir, 'keys');
  rmSync(folder, { recursive: true });
  writeFileSync(folder, '');
  chmodSync(folder, 0o400);
  const { status, body } = await adminApi(service)('POST', 'chaves', { nome: 'acme', cota: null });
  expect(status).toBe(500);
  expect(body.erro).toMatch(/confira espaço e permissões|pasta das chaves/u);
});
