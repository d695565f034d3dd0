import { describe, expect, it } from 'vitest';
import { isAsTyped } from '../../src/client/reading.ts';
import { Jurisprudencia, JurisprudenciaError, type ClientOptions } from '../../src/client/client.ts';
import { EXEMPLOS } from '../../src/openapi/examples.ts';

const pagina = EXEMPLOS.busca.pagina.value;
const incompleta = EXEMPLOS.busca.incompleta.value;
const last = { ...pagina, proximo_cursor: null };

function json(body: unknown, status = 200, headers: Record<string, string> = {}): Response {
  return Response.json(body, { status, headers });
}
const limited = (seconds: string) =>
  new Response('Muitas requisições deste endereço.\n', { status: 429, headers: { 'retry-after': seconds } });
const noQuota = () =>
  json({ erro: 'a cota acabou', codigo: 'COTA_ESGOTADA' }, 429, {
    'retry-after': '31415',
    'x-request-id': 'pedido-1',
  });

/** A client with given answers, its requests and its waits. */
function clientOf(answers: readonly (() => Response)[], options: Partial<ClientOptions> = {}) {
  const asked: { url: URL; init: RequestInit }[] = [];
  const waited: number[] = [];
  const api = new Jurisprudencia({
    url: 'http://servico.test/',
    key: 'jur_segredo',
    fetch: async (url, init) => {
      init.signal?.throwIfAborted();
      asked.push({ url: new URL(url), init });
      const answer = answers[asked.length - 1];
      if (answer === undefined) throw new TypeError('nothing more was to be asked for');
      return answer();
    },
    wait: async (ms) => {
      waited.push(ms);
    },
    ...options,
  });
  return { api, asked, waited };
}

async function failure(promise: Promise<unknown>): Promise<JurisprudenciaError> {
  const error: unknown = await promise.then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(JurisprudenciaError);
  return error as JurisprudenciaError;
}

describe('the client', () => {
  it('sends a list as one parameter with commas, and omits undefined', async () => {
    const { api, asked } = clientOf([() => json(last)]);
    await api.buscar({ q: 'dano moral', tribunal: ['stj', 'tst'], uf: 'MG,BR', tipo: undefined, limite: 5 });
    expect(asked[0]?.url.search).toBe('?q=dano+moral&tribunal=stj%2Ctst&uf=MG%2CBR&limite=5');
    expect(asked[0]?.init.headers).toEqual({ authorization: 'Bearer jur_segredo' });
  });

  it('follows the cursor to the last page, with all other parameters unchanged', async () => {
    const { api, asked } = clientOf([() => json(pagina), () => json(last)]);
    const pages = await Array.fromAsync(api.paginas({ q: 'dano', ordem: 'recentes' }));
    expect(pages).toHaveLength(2);
    expect(asked.map(({ url }) => url.searchParams.get('cursor'))).toEqual([null, pagina.proximo_cursor]);
    for (const { url } of asked) expect(url.search).toContain('q=dano&ordem=recentes');
  });

  it('reports on a page the bases that did not answer and the order applied in place of the requested one', async () => {
    const { api } = clientOf([() => json(incompleta), () => json(pagina)]);
    const first = await api.buscar({ q: 'dano' });
    expect(first.completa).toBe(false);
    expect(first.avisos).toEqual(['a base tjmg não respondeu a tempo: podem faltar decisões dela']);
    const second = await api.buscar({ q: 'dano' });
    expect(second.completa).toBe(true);
    expect(second.avisos).toEqual(['a base tjmg respondeu por recentes, e não por relevância']);
  });

  it('throws while items are read if a base is missing', async () => {
    const { api } = clientOf([() => json(incompleta), () => json(incompleta)]);
    const error = await failure(Array.fromAsync(api.itens({ q: 'dano' })));
    expect(error.message).toContain('tjmg não respondeu');
    const reported: string[] = [];
    const semResposta = (bases: readonly { base: string }[]) =>
      reported.push(...bases.map(({ base }) => base));
    await Array.fromAsync(api.itens({ q: 'dano' }, { semResposta }));
    expect(reported).toEqual(['tjmg']);
  });

  it('repeats an incomplete page only if asked to, and gives the most complete answer', async () => {
    const worse = {
      ...incompleta,
      bases_sem_resposta: [...incompleta.bases_sem_resposta, { base: 'stj', tempo_esgotado: false }],
    };
    const once = clientOf([() => json(incompleta)]);
    await once.api.buscar({ q: 'dano' });
    expect(once.asked).toHaveLength(1);
    const again = clientOf([() => json(incompleta), () => json(worse)], { retries: 1 });
    expect((await again.api.buscar({ q: 'dano' })).bases_sem_resposta).toEqual(incompleta.bases_sem_resposta);
    const healed = clientOf([() => json(worse), () => json(last)], { retries: 5 });
    expect((await healed.api.buscar({ q: 'dano' })).completa).toBe(true);
    expect(healed.asked).toHaveLength(2);
  });

  it('repeats a read that ended with 504 only if asked to', async () => {
    const late = () => json({ erro: 'a base stj não respondeu', codigo: 'TEMPO_ESGOTADO' }, 504);
    expect((await failure(clientOf([late]).api.decisao('stj:1'))).codigo).toBe('TEMPO_ESGOTADO');
    const { api } = clientOf([late, () => json({ id: 'stj:1' })], { retries: 1 });
    expect((await api.decisao('stj:1')).id).toBe('stj:1');
  });

  it('waits for a limit within its bound, and else throws with the time to wait', async () => {
    const { api, waited } = clientOf([() => limited('3'), () => limited('4'), () => json(last)]);
    await api.buscar({ q: 'dano' });
    expect(waited).toEqual([3000, 4000]);
    const bounded = clientOf([() => limited('3'), () => limited('3')], { waitMsMax: 5000 });
    const error = await failure(bounded.api.buscar({ q: 'dano' }));
    expect(bounded.waited).toEqual([3000]);
    expect([error.status, error.codigo, error.retryAfterMs]).toEqual([429, null, 3000]);
    expect(error.message).toBe('Muitas requisições deste endereço.');
  });

  it.each(['http', 'https'])('waits no longer than its bound for a silent peer over %s', async (scheme) => {
    // Accepts connections, and never answers.
    const peer = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data: () => undefined } });
    const url = `${scheme}://127.0.0.1:${peer.port}`;
    const error = await failure(new Jurisprudencia({ url, answerMsMax: 100 }).cobertura());
    peer.stop(true);
    expect(error.message).toBe(
      `o serviço em ${url} não respondeu em 0,1 s; confira o endereço, e se ele está no ar`,
    );
    expect(error.status).toBeNull();
  });

  it('does not wait longer than its bound for the rest of an answer', async () => {
    const body = new ReadableStream({ start: (controller) => controller.enqueue(Buffer.from('{"itens":[')) });
    const service = Bun.serve({ hostname: '127.0.0.1', port: 0, fetch: () => new Response(body) });
    const api = new Jurisprudencia({ url: service.url.origin, answerMsMax: 100 });
    expect((await failure(api.buscar({ q: 'dano' }))).message).toContain('não respondeu em 0,1 s');
    await service.stop(true);
  });

  it('does not wait for a quota that is renewed the next day', async () => {
    const { api, waited } = clientOf([noQuota]);
    const error = await failure(api.buscar({ q: 'dano' }));
    expect(waited).toEqual([]);
    const given = { codigo: 'COTA_ESGOTADA', status: 429, requestId: 'pedido-1', message: 'a cota acabou' };
    expect(error).toMatchObject({ ...given, retryAfterMs: 31_415_000 });
  });

  it.each([
    ['a service that is not there', () => Promise.reject(new TypeError('refused')), null],
    ['a page of a proxy', () => new Response('<html>Bad gateway</html>', { status: 502 }), 502],
    ['a 200 that is no JSON', () => new Response('<html>'), 200],
  ])('throws one class of error for %s, without the key', async (_, answer, status) => {
    const { api } = clientOf([], { fetch: async () => answer() });
    const error = await failure(api.buscar({ q: 'dano' }));
    expect([error.status, error.codigo]).toEqual([status, null]);
    expect(JSON.stringify(error) + String(error)).not.toContain('jur_segredo');
  });

  it('refuses a key that no header can hold, and trims a line end from a key', async () => {
    const { api, asked } = clientOf([], { key: 'jur_…' });
    expect(await failure(api.buscar({ q: 'dano' }))).toMatchObject({
      status: null,
      codigo: 'NAO_AUTORIZADO',
      message: expect.stringMatching(/^a chave tem um sinal .* copie-a/u),
    });
    expect(asked).toEqual([]);
    const copied = clientOf([() => json(last)], { key: 'jur_segredo\n' });
    await copied.api.buscar({ q: 'dano' });
    expect(copied.asked[0]?.init.headers).toEqual({ authorization: 'Bearer jur_segredo' });
  });

  it('names the missing address', async () => {
    const fetch = () => Promise.reject(new TypeError('no URL'));
    expect((await failure(new Jurisprudencia({ url: '', fetch }).cobertura())).message).toBe(
      'falta o endereço do serviço; dê-o em url',
    );
  });

  it('ends on an abort, also during a wait', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const api = new Jurisprudencia({ url: 'http://x.test', fetch: async () => limited('5') });
    const waiting = api.buscar({ q: 'dano' }, { signal });
    controller.abort(new Error('chega'));
    await expect(waiting).rejects.toThrow('chega');
    const { api: other } = clientOf([() => json(last)]);
    await expect(other.decisao('stj:1', { signal })).rejects.toThrow('chega');
  });

  it.each(['cobertura', 'busca', '..', ''])('requests no other route for the id %j', async (id) => {
    const { api, asked } = clientOf([]);
    expect((await failure(api.decisao(id))).codigo).toBe('DECISAO_NAO_ENCONTRADA');
    expect(asked).toEqual([]);
  });

  const nothing = { ...last, itens: [], por_base: last.por_base.slice(0, 1) };

  it('reports how the query was read if not as typed, and the warnings about it', async () => {
    const headers = {
      'jurisprudencia-leitura': 'dano%20AND%20%22d%20agua%22',
      'jurisprudencia-avisos': 'HIFEN_NAO_EXCLUI, CODIGO_NOVO',
    };
    const { api } = clientOf([() => json(last, 200, headers)]);
    const page = await api.buscar({ q: "dano -d'água" });
    expect(page.leitura).toBe('dano AND "d agua"');
    expect(page.avisos.slice(-2)).toEqual([
      'a busca foi lida assim: dano AND "d agua"',
      expect.stringContaining('escreva NOT'),
    ]);
  });

  it.each([
    ['Dano, MORAL', 'dano AND moral'],
    ['(dano OR danos) AND (moral OR morais)', '(dano OR danos) AND (moral OR morais)'],
    ['"Ação rescisória"', '"acao rescisoria"'],
    ['“Ação rescisória„ negada', '"acao rescisoria" AND negada'],
    ['tese:x*', 'tese : x*'],
    ['moral moral', 'moral'],
    ['"8.666/93" OR "e"', '"8 666 93" OR e'],
    ['((dano NOT moral))', 'dano NOT moral'],
    ['ementa : "dano"', 'ementa : "dano"'],
  ])('reports no reading of %j, which was read as typed', (q, leitura) => {
    expect(isAsTyped(q, leitura)).toBe(true);
  });

  it('reports absent words, near words, and a search with them that finds something', async () => {
    const headers = {
      'jurisprudencia-leitura': 'danos AND %22moraal%20pens%C3%A3o%22%20AND%20%221%20500%20003%22',
      'jurisprudencia-avisos': 'PROXIMOS_ACHAM',
      'jurisprudencia-termos-ausentes': 'danos,moraal, 100%25,%zz',
      'jurisprudencia-termos-proximos': 'danos=dano:3;danou:1,moraal=moral:12,1%20500%20003=1.500.004:1',
    };
    const { api, asked } = clientOf([() => json(nothing, 200, headers)]);
    const page = await api.buscar({ q: 'danos AND "moraal pensão" AND "1.500.003"' });
    expect(page.termos_ausentes).toEqual(['danos', 'moraal', '100%', '%zz']);
    expect(page.termos_proximos[0]).toEqual({
      termo: 'danos',
      proximos: [
        { texto: 'dano', decisoes: 3 },
        { texto: 'danou', decisoes: 1 },
      ],
    });
    expect(page.sugestao).toBe('dano AND "moral pensão" AND "1.500.004"');
    expect(page.avisos.slice(-5)).toEqual([
      'nenhuma decisão tem: danos, moraal, 100%, %zz',
      'perto de danos há: dano (em 3), danou (em 1)',
      'perto de moraal há: moral (em 12)',
      'perto de 1 500 003 há: 1.500.004 (em 1)',
      'esta busca acha: dano AND "moral pensão" AND "1.500.004"',
    ]);
    expect(asked).toHaveLength(1);
  });

  it('keeps the quotes without which a column of the suggestion would be a word', async () => {
    const headers = {
      'jurisprudencia-leitura': 'ementa%20%3A%20%22danno%22',
      'jurisprudencia-avisos': 'PROXIMOS_ACHAM',
      'jurisprudencia-termos-proximos': 'danno=dano:3',
    };
    const { api } = clientOf([() => json(nothing, 200, headers)]);
    expect((await api.buscar({ q: 'ementa : "danno"' })).sugestao).toBe('ementa : "dano"');
  });

  it('names no absent word if the only one is too long for the header', async () => {
    const { api } = clientOf([() => json(nothing, 200, { 'jurisprudencia-termos-ausentes': '%E2%80%A6' })]);
    const { avisos } = await api.buscar({ q: 'x'.repeat(300) });
    expect(avisos).toEqual(['nenhuma decisão tem uma das palavras, longa demais para se mostrar']);
  });

  it.each([
    ['that is not known to find', { 'jurisprudencia-avisos': '' }],
    ['of a reading that was cut', { 'jurisprudencia-leitura': 'danos%20AND%20x%E2%80%A6' }],
    ['too long to send', { 'jurisprudencia-leitura': `danos%20AND%20${'x'.repeat(300)}` }],
  ])('makes no suggestion %s', async (_, other) => {
    const headers = {
      'jurisprudencia-leitura': 'danos',
      'jurisprudencia-avisos': 'PROXIMOS_ACHAM',
      'jurisprudencia-termos-proximos': 'danos=dano:3',
      ...other,
    };
    const { api } = clientOf([() => json(nothing, 200, headers)]);
    expect((await api.buscar({ q: 'danos' })).sugestao).toBeNull();
  });

  describe('suggests to a search that found nothing', () => {
    const page = async (leitura: string, ausentes: string, answers: readonly (() => Response)[]) => {
      const headers = {
        'jurisprudencia-leitura': encodeURIComponent(leitura),
        'jurisprudencia-termos-ausentes': ausentes,
      };
      const { api, asked } = clientOf([() => json(nothing, 200, headers), ...answers]);
      const pedido = { q: 'x y', tribunal: 'stj', ordem: 'recentes', limite: 9 } as const;
      const given = await api.comSugestao(pedido, await api.buscar(pedido));
      expect(given.sugestao === null).toBe(!given.avisos.join('\n').includes('esta busca acha'));
      return { ...given, asked: asked.slice(1).map(({ url }) => url.searchParams.get('q') ?? url.pathname) };
    };
    const record = (ementa: string) => () => json({ ...EXEMPLOS.decisao.acordao.value, ementa });
    const two = {
      ...last,
      itens: ['stj:1', 'stj:2'].flatMap((id) => last.itens.map((item) => ({ ...item, id }))),
    };

    it('the words that decisions have, where others are in none', async () => {
      const { sugestao, avisos, asked } = await page('dano AND xyz AND "1 500" AND "x 1"', 'xyz,x', [
        () => json(last),
      ]);
      expect(sugestao).toBe('dano "1 500"');
      expect(avisos.at(-1)).toBe('sem xyz, "x 1" esta busca acha: dano "1 500"');
      expect(asked).toEqual(['dano "1 500"']);
    });

    it('the most words that one decision has, by at most three requests more than results', async () => {
      const records = ['Plano de SAÚDE: o reembolso.', 'Saúde. Plano de cirurgião.'].map(record);
      const answers = [() => json(two), ...records, () => json(two)];
      const leitura = 'plano AND cirurgi* AND "de saude" AND o AND negou';
      const { sugestao, avisos, asked } = await page(leitura, '', answers);
      expect(sugestao).toBe('plano "de saude" o');
      expect(avisos.at(-1)).toBe('sem cirurgi*, negou esta busca acha: plano "de saude" o');
      expect(asked).toEqual([
        'plano OR cirurgi* OR "de saude" OR o OR negou',
        ...two.itens.map(({ id }) => expect.stringContaining(encodeURIComponent(id)) as string),
        'plano "de saude" o',
      ]);
    });

    it.each([
      ['that finds nothing', [() => json(two), record('dano'), record('dano'), () => json(nothing)]],
      ['of words that no result has', [() => json(two), record('voo'), record('voo')]],
      ['past the quota', [noQuota]],
      ['past a rate limit, for which it does not wait', [() => limited('1')]],
    ])('nothing %s', async (_, answers) => {
      const { sugestao, asked } = await page('dano AND moral', '', answers);
      expect(sugestao).toBeNull();
      expect(asked).toHaveLength(answers.length);
    });

    it.each(['dano', 'dano OR moral', 'dano NOT moral', 'tese : dano AND moral', '(a OR b) AND c'])(
      'nothing, without a request, for %s',
      async (leitura) => {
        expect(await page(leitura, '', [])).toMatchObject({ sugestao: null, asked: [] });
      },
    );
  });

  it('reports words that each occur but never in one decision', async () => {
    const headers = { 'jurisprudencia-leitura': 'dano%20AND%20moral%20AND%20voo' };
    const { api } = clientOf([() => json(nothing, 200, headers)]);
    expect((await api.buscar({ q: 'dano moral voo' })).avisos.at(-1)).toContain('nenhuma com todas');
  });
});
