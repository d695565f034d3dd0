import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { join } from 'node:path';
import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Jurisprudencia, type Pagina } from '../../../src/client/client.ts';
import { PARAMETROS } from '../../../src/contract/vocabulary.ts';
import { issueKey } from '../../../src/keys/store.ts';
import { EXEMPLOS } from '../../../src/openapi/examples.ts';
import { PaginaSchema, recordOf, RegistroSchema } from '../../../src/tools/mcp/answers.ts';
import { DECISIONS, found, SEARCHES } from '../../client/support-searches.ts';
import { ROOT, run, startScript, type Child } from '../../support/run.ts';
import { served } from '../../support/served.ts';

const COMMAND = 'tools/mcp/command.ts';
const service = served({
  ...DECISIONS,
  trt3: [{ tipo: 'acordao', ementa: `Longa. ${'palavra '.repeat(9_000)}` }],
  stf: [{ tipo: 'acordao', processo: 'RE 1500003', relator: 'Min. FULANA', data_julgamento: '2024-05-02' }],
});
let access: Record<string, string>;
/** The command over HTTP, and over standard input and output. */
let http: Child;
let url: string;
let stdio: Client;
beforeAll(async () => {
  access = { JURISPRUDENCIA_URL: service.url, JURISPRUDENCIA_KEY: service.key };
  http = startScript(COMMAND, ['--http', '0'], access);
  url = /http:\S+/u.exec(await http.says('\n'))?.[0] ?? '';
  stdio = new Client({ name: 'teste', version: '1.0.0' });
  await stdio.connect(overStdio());
});
afterAll(async () => {
  await stdio.close();
  await http.stop();
});

function overStdio(environment = access) {
  return new StdioClientTransport({
    command: process.execPath,
    args: [join(ROOT, 'src', COMMAND)],
    env: { PATH: process.env['PATH'] ?? '', HOME: service.dataDir, ...environment },
  });
}

async function connected(transport: Parameters<Client['connect']>[0]) {
  const client = new Client({ name: 'teste', version: '1.0.0' });
  await client.connect(transport);
  return { client, [Symbol.asyncDispose]: () => client.close() };
}

/** What a client says first, of the previous version of the protocol. */
const PREVIOUS = {
  protocolVersion: '2025-06-18',
  capabilities: {},
  clientInfo: { name: 'antigo', version: '1' },
};

type Resposta = Pagina & { readonly enviada: string };
type Result = Awaited<ReturnType<Client['callTool']>>;
/** What an assistant gets that reads texts alone. */
const textOf = ({ content: [first] }: Result) => (first !== undefined && 'text' in first ? first.text : '');
const avisosOf = ({ structuredContent }: Result) => (structuredContent as Pagina | undefined)?.avisos ?? [];
const search = (client: Client, args: Record<string, unknown>) =>
  client.callTool({ name: 'buscar_jurisprudencia', arguments: args });

/** All that is held of it, whichever way it is reached. */
async function holds(client: Client): Promise<void> {
  const { tools } = await client.listTools();
  const names = 'buscar_jurisprudencia ler_decisao cobertura perguntar conferir search fetch';
  expect(tools.map(({ name }) => name).join(' ')).toBe(names);
  // Some assistants refuse all tools if one schema has it.
  expect(JSON.stringify(tools)).not.toContain('"format":"date"');
  const [buscar] = tools;
  expect(Object.keys(buscar?.inputSchema.properties ?? {})).toEqual([...PARAMETROS]);
  for (const { inputSchema, outputSchema, annotations, description = '' } of tools) {
    // Some assistants read no more.
    expect(description.length).toBeLessThanOrEqual(1_024);
    expect(inputSchema.type).toBe('object');
    expect(outputSchema).toHaveProperty('type', 'object');
    expect(annotations?.readOnlyHint).toBe(true);
  }
  const all: string[] = [];
  const api = new Jurisprudencia({ url: service.url, key: service.key });
  for (const q of SEARCHES) {
    const ids: string[] = [];
    let cursor: string | null | undefined;
    let refusal: string | undefined;
    while (cursor !== null && refusal === undefined) {
      const result = await search(client, { q, limite: 5, ...(cursor === undefined ? {} : { cursor }) });
      all.push(JSON.stringify(result));
      if (result.isError === true) refusal = textOf(result);
      const page = result.structuredContent as Pagina | undefined;
      ids.push(...(page?.itens ?? []).map(({ id }) => id));
      cursor = page?.proximo_cursor ?? null;
    }
    const expected = await found(api, q);
    if ('ids' in expected) expect(ids).toEqual(expected.ids);
    else expect(refusal).toMatch(new RegExp(`^${expected.codigo}: `, 'u'));
  }
  const record = await client.callTool({ name: 'ler_decisao', arguments: { id: 'stj:1' } });
  expect(record.structuredContent).toMatchObject({
    id: 'stj:1',
    citacao: 'STJ, julgado 0, DJe 9.5.2024',
    avisos: ['ementa suspeita: confira-a na origem'],
    ementa: 'Dano moral. Inscrição indevida. stj, caso 0.',
  });
  // For assistants that pass on only the texts.
  expect(JSON.parse(textOf(record))).toEqual(record.structuredContent);
  for (const id of ['stj:999', '5', 'cobertura']) {
    const missing = await client.callTool({ name: 'ler_decisao', arguments: { id } });
    all.push(JSON.stringify(missing));
    expect(missing.isError).toBe(true);
    expect(textOf(missing)).toMatch(/^DECISAO_NAO_ENCONTRADA: /u);
  }
  const coverage = await client.callTool({ name: 'cobertura', arguments: {} });
  expect(coverage.structuredContent).toHaveProperty('tribunais.length', 7);
  all.push(JSON.stringify([tools, record, coverage]));
  expect(all.join('')).not.toContain(service.key);
}

describe('the MCP server', () => {
  it('finds by a whole question, page after page, and shows the search sent', async () => {
    const pergunta = 'Qual é o prazo de prescrição da pretensão de quem teve a inscrição indevida?';
    const ask = (args: Record<string, unknown>) =>
      stdio.callTool({ name: 'perguntar', arguments: { tribunal: 'stj', limite: 5, ...args } });
    expect(avisosOf(await search(stdio, { q: pergunta, tribunal: 'stj' }))[0]).toBe(
      'nada encontrado; isso não prova que a decisão não existe',
    );
    const first = await ask({ pergunta });
    const { enviada, itens, proximo_cursor, avisos } = first.structuredContent as Resposta;
    expect(enviada).toMatch(/^prazo OR prazos OR presc\* OR prescricao OR prete\* /u);
    expect(avisos).toEqual([]);
    expect(itens).toHaveLength(5);
    expect(itens[0]?.trecho_da_ementa).toMatch(/Inscrição indevida|Prescrição da pretensão/u);
    const next = await ask({ pergunta, cursor: proximo_cursor });
    expect((next.structuredContent as Resposta).itens).toHaveLength(1);
  });

  it('lists the words of a question that were left out, and refuses one without words', async () => {
    const ask = (pergunta: string) => stdio.callTool({ name: 'perguntar', arguments: { pergunta } });
    const long = `${Array.from({ length: 90 }, (_, at) => `v${String.fromCodePoint(97 + (at % 26))}${at % 2 ? 'u' : 'o'}${'z'.repeat(at % 3)}`).join(' ')} dano`;
    expect(avisosOf(await ask(long))[0]).toMatch(/^não couberam na busca, de até 300 caracteres: /u);
    const empty = await ask('?!');
    expect(empty.isError).toBe(true);
    expect(textOf(empty)).toBe(
      'CONSULTA_INVALIDA: a pergunta não tem palavra nem número a buscar; escreva o assunto',
    );
    expect(textOf(await ask(''))).toBe('PARAMETRO_INVALIDO: falta pergunta');
  });

  it('gives a verdict for each citation of a text, with the stored values', async () => {
    const check = (texto: string) => stdio.callTool({ name: 'conferir', arguments: { texto } });
    const result = await check('No RE 1.500.003, j. 3/5/2024, e no RE 1.500.003, j. 2/5/2024; HC 9.999/SP.');
    const registros = ['stf:1 | STF | acordao | RE 1500003 | julgada 2024-05-02'];
    const own = { texto: 'RE 1.500.003', ids: ['stf:1'], registros };
    expect(result.structuredContent).toMatchObject({
      citacoes: [
        {
          ...own,
          veredito: 'diverge',
          avisos: ['data (julgamento): na citação 2024-05-03; na base 2024-05-02'],
        },
        { ...own, veredito: 'confere', avisos: [] },
        { texto: 'HC 9.999/SP', veredito: 'não está nesta base', ids: [], registros: [] },
      ],
    });
    expect((await check('Nada.')).structuredContent).toEqual({ citacoes: [], avisos: [] });
    const many = await check(Array.from({ length: 51 }, (_, at) => `HC ${100_000 + at}/SP`).join('; '));
    expect(avisosOf(many)).toEqual(['só as primeiras 50 citações foram conferidas']);
  });

  it('gives the client’s results over standard input and output', async () => {
    await holds(stdio);
  });

  it('gives the client’s results over HTTP', async () => {
    await using connection = await connected(new StreamableHTTPClientTransport(new URL(url)));
    await holds(connection.client);
  });

  it('accepts null and empty texts as absent, numbers in texts, and lists', async () => {
    const none = { uf: null, ramo: '', tipo: null, data_de: null, data_ate: '', cursor: null };
    const itensOf = ({ structuredContent }: Result) => (structuredContent as Pagina | undefined)?.itens;
    const plainly = itensOf(await search(stdio, { q: 'dano', tribunal: 'stj,tst', limite: 2 }));
    expect(plainly).toHaveLength(2);
    for (const args of [
      { q: 'dano', tribunal: ['stj', 'tst'], limite: '2', ...none },
      { q: 'dano', tribunal: 'STJ, TST', limite: 2, ordem: null },
    ]) {
      expect(itensOf(await search(stdio, args))).toEqual(plainly);
    }
  });

  it('has search and fetch in the form that hosted assistants need', async () => {
    const result = await stdio.callTool({ name: 'search', arguments: { query: 'dano' } });
    expect(JSON.parse(textOf(result))).toEqual(result.structuredContent);
    const { results } = result.structuredContent as { results: { id: string; title: string; url: string }[] };
    const [{ id, title, url: place } = { id: '', title: '', url: '' }] = results;
    expect(place).toBe(`${service.url}/v1/jurisprudencia/${id}`);
    expect(title).toContain(id);
    const read = await stdio.callTool({ name: 'fetch', arguments: { id } });
    expect(JSON.parse(textOf(read))).toEqual(read.structuredContent);
    expect(read.structuredContent).toMatchObject({
      id,
      title,
      url: place,
      metadata: { ementa_status: 'suspeita' },
    });
    expect((read.structuredContent as { text: string }).text).toContain('Dano moral.');
  });

  it.each([
    'Quando cabe dano moral por inscrição indevida?',
    `Cabe dano moral? ${'Diga tudo sobre isso. '.repeat(20)}`,
  ])('finds by search as by perguntar where no decision has all words of %j, and says so', async (query) => {
    const given = await stdio.callTool({ name: 'search', arguments: { query } });
    const asked = await stdio.callTool({ name: 'perguntar', arguments: { pergunta: query } });
    const { results, avisos } = given.structuredContent as { results: { id: string }[]; avisos: string[] };
    const { itens, enviada } = asked.structuredContent as { itens: { id: string }[]; enviada: string };
    expect(results.map(({ id }) => id)).toEqual(itens.map(({ id }) => id));
    expect(results.length).toBeGreaterThan(0);
    expect(avisos[0]).toContain(enviada);
  });

  it('serves assistants of the previous protocol version', async () => {
    const initialize = { jsonrpc: '2.0', id: 1, method: 'initialize', params: PREVIOUS };
    const headers = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(initialize) });
    expect(response.status).toBe(200);
    expect(await response.text()).toContain('"protocolVersion":"2025-06-18"');
  });

  it.each([
    ['another name for this machine', { host: 'sequestrado.test' }],
    ['a page of another site', { origin: 'https://site.test' }],
    ['a page whose origin is null', { origin: 'null' }],
  ])('refuses %s', async (_, headers) => {
    const all = { 'content-type': 'application/json', ...headers };
    expect((await fetch(url, { method: 'POST', headers: all, body: '{}' })).status).toBe(403);
  });

  it('answers all requests before the end of its input, then exits with 0', async () => {
    const call = (name: string, args: object) => {
      return { method: 'tools/call', params: { name, arguments: args } };
    };
    const requests = [
      { method: 'initialize', params: PREVIOUS },
      call('buscar_jurisprudencia', { q: 'dano moral' }),
      call('ler_decisao', { id: 'stj:1' }),
      { method: 'ping' },
    ].map((request, id) => JSON.stringify({ jsonrpc: '2.0', id, ...request }));
    // The last line has no end.
    const { out, err, exitCode } = await run(COMMAND, [], access, requests.join('\n'));
    const lines = out.trim().split('\n');
    const answers = lines.map((line) => JSON.parse(line) as { id: number; result?: object });
    const answered = answers.filter(({ result }) => result !== undefined).map(({ id }) => id);
    expect(answered.toSorted((a, b) => a - b)).toEqual([0, 1, 2, 3]);
    expect({ exitCode, err }).toEqual({ exitCode: 0, err: '' });
    expect(await run(COMMAND, [], access, '')).toEqual({ exitCode: 0, out: '', err: '' });
  });

  it('listens on one loopback address alone', async () => {
    expect(new URL(url).hostname).toBe('127.0.0.1');
    expect((await fetch(new URL('/', url))).status).toBe(404);
  });

  it.each([{}, { JURISPRUDENCIA_KEY: '' }])('explains where a missing key goes, for %j', async (settings) => {
    await using connection = await connected(overStdio({ JURISPRUDENCIA_URL: service.url, ...settings }));
    const text = textOf(await search(connection.client, { q: 'dano' }));
    expect(text).toMatch(/^NAO_AUTORIZADO: falta a chave; .*JURISPRUDENCIA_KEY/u);
  });

  it('reports a used-up quota with the time of its renewal', async () => {
    const key = issueKey(service.dataDir, 'pouca', 1, new Date());
    await new Jurisprudencia({ url: service.url, key }).buscar({ q: 'dano' });
    await using connection = await connected(overStdio({ ...access, JURISPRUDENCIA_KEY: key }));
    const result = await search(connection.client, { q: 'dano' });
    expect(result.isError).toBe(true);
    expect(textOf(result)).toMatch(/^COTA_ESGOTADA: .*; tente de novo em \d+ s$/u);
  });

  it('warns of unanswered bases and absent words in an answer', async () => {
    const headers = { 'jurisprudencia-termos-ausentes': 'xyz' };
    const answer = () => Response.json(EXEMPLOS.busca.incompleta.value, { headers });
    using fake = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: answer });
    await using connection = await connected(overStdio({ JURISPRUDENCIA_URL: fake.url.href }));
    const { client } = connection;
    const result = await search(client, { q: 'dano' });
    expect(avisosOf(result)).toContain('a base tjmg não respondeu a tempo: podem faltar decisões dela');
    expect(avisosOf(result)).toContain('nenhuma decisão tem: xyz');
    expect(result.structuredContent).toMatchObject({ completa: false, termos_ausentes: ['xyz'] });
    expect(Check(PaginaSchema, result.structuredContent)).toBe(true);
  });

  it('suggests a search without the words that no decision has together', async () => {
    const result = await search(stdio, { q: 'prescrição banco urgência' });
    expect(avisosOf(result)).toContain('sem banco esta busca acha: prescricao urgencia');
    expect(result.structuredContent).toMatchObject({ sugestao: 'prescricao urgencia' });
  });

  it('reports first, as an error, that nothing was searched', async () => {
    const incomplete = EXEMPLOS.busca.incompleta.value;
    const silent = incomplete.por_base.map(({ base }) => ({ base, tempo_esgotado: true }));
    const none = { ...incomplete, itens: [], proximo_cursor: null };
    const pages = [
      { ...none, bases_sem_resposta: silent },
      { ...none, por_base: [], bases_sem_resposta: [] },
      none,
    ];
    using fake = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => Response.json(pages.shift()) });
    await using connection = await connected(overStdio({ JURISPRUDENCIA_URL: fake.url.href }));
    const { client } = connection;
    for (const why of ['nenhuma base respondeu', 'nenhum tribunal atende']) {
      const result = await search(client, { q: 'dano' });
      expect(result.isError).toBe(true);
      expect(avisosOf(result).join('\n')).toContain(why);
      expect(textOf(result)).not.toContain('nada encontrado');
    }
    const partly = await search(client, { q: 'dano' });
    expect(partly.isError).toBeUndefined();
    expect(avisosOf(partly)[0]).toMatch(/^nada encontrado nas bases que responderam;/u);
  });

  it.each([
    ['buscar_jurisprudencia', {}, 'falta q'],
    ['buscar_jurisprudencia', { q: null }, 'falta q'],
    ['buscar_jurisprudencia', { q: 'x' }, 'q: curto demais; use de 2 a 300'],
    ['buscar_jurisprudencia', { q: 'dano', relator: 'x' }, 'não há relator; use q, '],
    ['buscar_jurisprudencia', { q: 'dano', limite: 50 }, 'limite: o máximo é 20'],
    ['buscar_jurisprudencia', { q: 'dano', limite: 'dois' }, 'limite: tem de ser um número inteiro'],
    ['buscar_jurisprudencia', { q: 'dano', limite: 0 }, 'limite: deve ser um inteiro de 1'],
    ['buscar_jurisprudencia', { q: 'dano', ordem: 'x' }, 'ordem: "x" não é aceito; use relevancia, recentes'],
    ['buscar_jurisprudencia', { q: 'dano', tribunal: 'stx' }, 'tribunal: "stx" não é aceito; use tst, stf'],
    ['buscar_jurisprudencia', { q: 'dano', tribunal: [1] }, 'tribunal: "1" não é aceito; use tst, stf'],
    ['buscar_jurisprudencia', { q: ['dano'] }, 'q: tem de ser um texto'],
    ['buscar_jurisprudencia', { q: 'dano', tribunal: {} }, 'tribunal: tem de ser um texto'],
    ['buscar_jurisprudencia', { q: 'dano', data_de: 'ontem' }, 'data_de: escreva a data como AAAA-MM-DD'],
    ['perguntar', { pergunta: 'x'.repeat(10_001) }, 'pergunta: o máximo é 10000 caracteres'],
    ['conferir', {}, 'falta texto'],
  ])('refuses arguments of %s in Portuguese, with the mend: %j', async (name, args, mend) => {
    const result = await stdio.callTool({ name, arguments: args });
    expect([result.isError, textOf(result)]).toEqual([true, expect.stringContaining(mend)]);
    expect(textOf(result)).toMatch(/^PARAMETRO_INVALIDO: /u);
  });

  it('cuts an answer that is too long, and marks the cut', async () => {
    const result = await stdio.callTool({ name: 'ler_decisao', arguments: { id: 'trt3:1' } });
    expect(avisosOf(result).join('\n')).toContain('ementa cortada em 12000 de ');
    // An assistant takes one of the two.
    for (const part of [result.content, result.structuredContent]) {
      expect(JSON.stringify(part).length).toBeLessThan(20_000);
    }
    const temas = Array.from({ length: 999 }, () => 'tema '.repeat(99));
    const extras = { texto: 'longo '.repeat(9_999) };
    const long = recordOf({ ...EXEMPLOS.decisao.acordao.value, temas, extras });
    expect(JSON.stringify(long).length).toBeLessThan(20_000);
    expect(Check(RegistroSchema, long)).toBe(true);
    expect(long.avisos).toEqual([
      'extras deixados de fora: são longos demais',
      'temas: só os primeiros de 999, cada um cortado',
    ]);
  });

  it('names a port that is taken, and the mend', async () => {
    const { exitCode, err } = await run(COMMAND, ['--http', new URL(url).port], access);
    expect(exitCode).toBe(1);
    expect(err).toMatch(/não dá para servir em 127\.0\.0\.1:\d+ \(EADDRINUSE\); dê outra porta/u);
  });

  it.each([['porta'], ['70000'], ['-1']])('refuses the port %s', async (text) => {
    expect((await run(COMMAND, [`--http=${text}`], access)).exitCode).not.toBe(0);
  });
});
