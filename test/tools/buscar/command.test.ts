import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { Jurisprudencia } from '../../../src/client/client.ts';
import { EXEMPLOS } from '../../../src/openapi/examples.ts';
import { DECISIONS, found, SEARCHES } from '../../client/support-searches.ts';
import { ownPort } from '../../support/own-port.ts';
import { run, startScript } from '../../support/run.ts';
import { served } from '../../support/served.ts';
import { temporaryFolder } from '../../support/service.ts';

const COMMAND = 'tools/buscar/command.ts';
const service = served({
  ...DECISIONS,
  eproc: [`${'Ementa '.repeat(70)}longa`, 'Ementa completa.'].map((ementa) => ({
    tipo: 'acordao',
    tribunal: 'tnu',
    ementa,
  })),
  trt3: [{ tipo: 'acordao', ementa: 'Fórmula\u001B[31m de "cálculo",\ncom vírgula.', relator: '=1+1' }],
});
const home = temporaryFolder();

/** Its lines on standard error are without their breaks, which are tested here for each. */
const call = async (args: readonly string[], environment: Record<string, string> = {}) => {
  const own = { JURISPRUDENCIA_URL: service.url, JURISPRUDENCIA_KEY: service.key };
  const ended = await run(COMMAND, args, { HOME: home, ...own, ...environment });
  for (const line of ended.err.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80);
  return { ...ended, err: ended.err.replaceAll(/\n {4,}/gu, ' ') };
};

/** A service that answers as given, its address in the environment of a command. */
function answering(answer: (url: URL) => Response | Promise<Response>) {
  const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: ({ url }) => answer(new URL(url)) });
  return { at: { JURISPRUDENCIA_URL: server.url.href }, [Symbol.dispose]: () => void server.stop(true) };
}

describe('buscar', () => {
  it('gives the client’s results, for searches of every kind', async () => {
    const api = new Jurisprudencia({ url: service.url, key: service.key });
    const codes: number[] = [];
    for (const q of SEARCHES) {
      const { out, err, exitCode } = await call(['buscar', '--todas', '--limite', '5', '--jsonl', '--', q]);
      codes.push(exitCode);
      const lines = out.split('\n').filter((line) => line !== '');
      const ids = lines.map((line) => (JSON.parse(line) as { id: string }).id);
      const expected = await found(api, q);
      if ('ids' in expected) expect(ids).toEqual(expected.ids);
      else expect(err).toContain(String(expected.codigo));
    }
    expect(codes).toEqual([0, 0, 0, 0, 0, 0, 0, 0, 1, 2]);
  });

  it('fits 80 columns, with counts, dates and the next page', async () => {
    const args = 'buscar dano moral --tribunal stj,tst --limite 2'.split(' ');
    const { out, err, exitCode } = await call(args);
    expect(exitCode).toBe(0);
    expect(out).toContain('stj 3');
    expect(out).toContain('  1 tst:1\n    TST · acordao · julgada em 2024-05-02\n    Dano moral.');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect(err).toBe('há mais; --todas traz todas\n');
  });

  it('ends an excerpt that may be cut with …, and no other', async () => {
    const { out } = await call(['buscar', 'longa OR completa', '--tribunal', 'tnu']);
    expect(out).toMatch(/ Ementa…\n/u);
    expect(out).toContain('    Ementa completa.\n');
  });

  it('explains signs of the courts’ language, with their FTS5, and sends that with --traduzir', async () => {
    const args = ['buscar', '--jsonl', 'dano adj5 mor$'];
    const { err, exitCode } = await call(args);
    expect(exitCode).toBe(1);
    expect(err).toContain('isto é da busca dos tribunais, e aqui vale como texto:\n  adj5: ');
    expect(err).toContain('\nem FTS5: NEAR(dano mor*, 5)   (--traduzir a envia)\n');
    const sent = await call([...args, '--traduzir']);
    expect(sent.exitCode).toBe(0);
    expect(sent.err).toContain('enviada: NEAR(dano mor*, 5)\n');
    expect(sent.out).toBe((await call(['buscar', '--jsonl', 'NEAR(dano mor*, 5)'])).out);
  });

  it('finds by a whole question, and shows the search sent, in 80 columns', async () => {
    const question = 'Qual é o prazo da prescrição da pretensão, e quando cabe a tutela de urgência?';
    const typed = await call(['buscar', question]);
    expect(typed.exitCode).toBe(1);
    expect(typed.err).toContain('uma pergunta ou frase inteira se busca com --pergunta\n');
    const { out, err, exitCode } = await call(['buscar', '--pergunta', question, '--limite', '2']);
    expect(exitCode).toBe(0);
    expect(err).toMatch(/^enviada: prazo OR prazos OR presc\* OR .* OR urgen\* OR urgencia\nhá mais;/u);
    expect(out).toContain('Prescrição da pretensão. Tutela de urgência.');
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    const sent = /^enviada: (.*)$/mu.exec(err)?.[1] ?? '';
    expect((await call(['buscar', sent, '--limite', '2'])).out).toBe(out);
  });

  it('refuses a question without words, and --pergunta with --traduzir', async () => {
    expect(await call(['buscar', '--pergunta', '?!'])).toMatchObject({
      exitCode: 2,
      err: 'a pergunta não tem palavra nem número a buscar; escreva o assunto\n',
    });
    expect((await call(['buscar', '--pergunta', '--traduzir', 'dano'])).exitCode).toBe(2);
    const common = await call(['buscar', '--pergunta', 'e se não houver?']);
    expect(common.err).toMatch(
      /^a pergunta só tem palavras comuns, .*\nenviada: "e" OR se OR "nao" OR houver\n(?!a busca foi lida)/u,
    );
  });

  it('turns dates of the courts’ language into parameters, and refuses a query with nothing else', async () => {
    const { err, out } = await call(['buscar', '--jsonl', '--traduzir', 'dano E @DTDE>=20240503']);
    expect(err).toContain('enviada: dano --desde 2024-05-03\n');
    expect(out).toBe((await call(['buscar', '--jsonl', 'dano', '--desde', '2024-05-03'])).out);
    const empty = await call(['buscar', '--traduzir', '@DTDE>=20240503']);
    expect(empty.exitCode).toBe(2);
    expect(empty.err).toContain('escreva as palavras a buscar');
  });

  it('offers operators that may be plain words only if nothing was found', async () => {
    expect((await call(['buscar', 'dano', 'moral'])).err).not.toContain('--traduzir');
    const { err } = await call(['buscar', 'dano não moral']);
    expect(err).toContain('se isto vem da busca dos tribunais, aqui foi texto:\n  não: ');
    expect(err).toContain('em FTS5: dano NOT moral   (--traduzir a envia)');
    expect((await call(['buscar', 'NEAR(dano penhora, 5)'])).err).not.toContain('busca dos tribunais');
  });

  it('does not say that signs are read as text where the search is refused', async () => {
    const { err } = await call(['buscar', '"dano"~']);
    expect(err).toMatch(
      /^q: há sinais da busca dos tribunais, que aqui não valem; o mais parecido é: "dano"/u,
    );
  });

  it('highlights the words of the search in the text, in any case and accents', async () => {
    const { out } = await call(['buscar', 'INSCRICAO', '--limite', '1'], { FORCE_COLOR: '1' });
    expect(out).toMatch(/\u001B\[33m(?:\u001B\[1m)?Inscrição/u);
  });

  it('escapes text of a source for the terminal, and as a formula in a spreadsheet', async () => {
    expect((await call(['buscar', 'formula'])).out).toContain(
      'Fórmula\\u001b[31m de "cálculo",\n    com vírgula.',
    );
    const { out } = await call(['buscar', 'formula', '--csv']);
    const [header, ...rows] = out.split('\n');
    expect(header).toMatch(/^id,base,fonte,tipo,processo,.*,trecho_da_ementa$/u);
    expect(rows.join('\n')).toMatch(
      /^trt3:1,trt3,TRT3,acordao,,,,,'=1\+1,,,suspeita,"Fórmula.* de ""cálculo"",\ncom/u,
    );
  });

  it('gives a page as JSON, and with --todas all pages as one list', async () => {
    const query = ['buscar', 'dano', '--limite', '5', '--ordem', 'recentes', '--json'];
    const page = JSON.parse((await call(query)).out) as { itens: unknown[]; proximo_cursor: string };
    expect(page.itens).toHaveLength(5);
    const pages = JSON.parse((await call([...query, '--todas'])).out) as (typeof page)[];
    expect(pages.map(({ itens }) => itens.length)).toEqual([5, 4]);
    expect(pages[0]?.itens).toEqual(page.itens);
  });

  it('opens the record of a result', async () => {
    const { out } = await call(['buscar', 'dano moral', '--tribunal', 'stj', '--abrir', '2', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      id: 'stj:5',
      ementa: 'Dano moral. Inscrição indevida. stj, caso 4.',
    });
    const beyond = await call(['buscar', 'dano moral', '--tribunal', 'stj', '--abrir', '9']);
    expect(beyond).toEqual({ exitCode: 1, out: '', err: 'não há a 9ª decisão: a página tem 3\n' });
  });

  it('reports a partial answer on standard error and by its exit code', async () => {
    const pipe = () => Response.json(EXEMPLOS.busca.incompleta.value);
    using server = answering(pipe);
    for (const format of [[], ['--jsonl'], ['--csv', '--todas'], ['--json']]) {
      const { err, exitCode } = await call(['buscar', 'dano', ...format], server.at);
      expect(err).toBe('a base tjmg não respondeu a tempo: podem faltar decisões dela\n');
      expect(exitCode).toBe(6);
    }
  });

  it('reports that nothing was searched if no base answered, not that nothing was found', async () => {
    const por_base = EXEMPLOS.busca.pagina.value.por_base.slice(0, 1);
    const bases_sem_resposta = por_base.map(({ base }) => ({ base, tempo_esgotado: false }));
    const page = { itens: [], por_base, bases_sem_resposta, proximo_cursor: null };
    using server = answering(() => Response.json(page));
    const { out, err, exitCode } = await call(['buscar', 'danos'], server.at);
    expect({ out, exitCode }).toEqual({ out: '', exitCode: 5 });
    expect(err).toMatch(/nenhuma base respondeu: nada foi buscado; tente de novo mais tarde\n$/u);
    expect(err).not.toContain('talvez');
    const opened = await call(['buscar', 'danos', '--abrir'], server.at);
    expect(opened).toMatchObject({ out: '', exitCode: 5, err });
  });

  it('names the words that keep a long search from finding anything, for at most 8 more units', async () => {
    const left = async () => {
      const { headers } = await service.busca({ q: 'dano' });
      return Number(/r=(\d+)/u.exec(headers.get('ratelimit') ?? '')?.[1]);
    };
    const before = await left();
    const { err, exitCode } = await call(['buscar', 'prescrição da tutela de banco de urgência']);
    const spent = before - (await left()) - 1;
    expect(exitCode).toBe(1);
    expect(spent).toBeGreaterThan(1);
    expect(spent).toBeLessThanOrEqual(9);
    const [, suggestion = ''] = /sem banco esta busca acha: (.+)/u.exec(err) ?? [];
    expect(suggestion).toBe('prescricao da tutela de urgencia');
    expect((await call(['buscar', suggestion])).exitCode).toBe(0);
    expect((await call(['buscar', 'prescrição banco', '--jsonl'])).err).not.toContain('esta busca acha');
  });

  it('ends at an interrupt with its own exit code', async () => {
    const asked = Promise.withResolvers<void>();
    const never = () => {
      asked.resolve();
      return new Promise<Response>(() => undefined);
    };
    using server = answering(never);
    const child = startScript(COMMAND, ['buscar', 'dano'], { HOME: home, ...server.at });
    await asked.promise;
    child.kill('SIGINT');
    expect(await child.ended).toBe(130);
  });

  it('reports after an interrupt how many decisions were written', async () => {
    const page = EXEMPLOS.busca.pagina.value;
    const asked = Promise.withResolvers<void>();
    const second = (url: URL) => {
      if (!url.searchParams.has('cursor')) return Response.json({ ...page, proximo_cursor: 'depois' });
      asked.resolve();
      return new Promise<Response>(() => undefined);
    };
    using server = answering(second);
    const args = ['buscar', 'dano', '--todas', '--csv'];
    const child = startScript(COMMAND, args, { HOME: home, ...server.at });
    await asked.promise;
    child.kill('SIGINT');
    expect(await child.ended).toBe(130);
    const said = `interrompido: ${page.itens.length} decisões escritas, e pode haver mais`;
    expect(child.err()).toContain(said);
  });
});

describe('exit codes', () => {
  const refusal =
    (status: number, headers: Record<string, string> = {}) =>
    () =>
      Response.json({ erro: 'recusado', codigo: 'X' }, { status, headers });

  it.each([
    [2, 'a record of all pages', ['buscar', 'dano', '--todas', '--abrir', '2'], {}],
    [3, 'a wrong key', ['buscar', 'dano'], { JURISPRUDENCIA_KEY: 'jur_x' }],
    [3, 'a key that no header can hold', ['buscar', 'dano'], { JURISPRUDENCIA_KEY: 'jur_…' }],
    [2, 'an address that is none', ['cobertura'], { JURISPRUDENCIA_URL: 'servico' }],
    [1, 'a decision that there is not', ['decisao', 'stj:999'], {}],
    [0, 'a decision', ['decisao', 'stj:1'], {}],
    [0, 'cobertura', ['cobertura'], { JURISPRUDENCIA_KEY: '' }],
  ] as const)('%i for %s', async (expected, _, args, environment) => {
    const { exitCode, out, err } = await call(args, environment);
    expect(exitCode).toBe(expected);
    expect(out + err).not.toContain(service.key);
  });

  it.each([
    [4, refusal(429, { 'retry-after': '31415' })],
    [5, refusal(504)],
    [5, refusal(500)],
  ])('%i for a failure of the service', async (expected, answer) => {
    using server = answering(answer);
    expect((await call(['decisao', 'stj:1'], server.at)).exitCode).toBe(expected);
  });

  it('0 after a wait for the limit of requests, which it announces', async () => {
    const answers = [refusal(429, { 'retry-after': '1' }), () => Response.json({ bases: [] })];
    using server = answering(() => (answers.shift() ?? refusal(500))());
    const { exitCode, err } = await call(['cobertura', '--json'], server.at);
    expect(exitCode).toBe(0);
    expect(err).toContain('limite de pedidos: espero 1 s');
  });

  it('5 for a service that is not there', async () => {
    const url = `http://127.0.0.1:${ownPort()}`;
    const { exitCode, err } = await call(['cobertura'], { JURISPRUDENCIA_URL: url });
    expect(exitCode).toBe(5);
    expect(err).toBe(
      `o serviço em ${url} não foi alcançado; confira o endereço, e se ele está no ar (JURISPRUDENCIA_URL)\n`,
    );
  });
});

describe('its text', () => {
  it.each([
    [[], 'Uso: jurisprudencia [opções] [comando]'],
    [['buscar'], 'falta o argumento texto'],
    [['buscar', 'dano', '--pagina', '2'], 'não há a opção --pagina'],
    [['busca', 'dano'], 'não há o comando busca\n(quis dizer buscar?)'],
    [['buscar', 'dano', '--csv', '--json'], '--json não se usa com --csv'],
    [['buscar', 'dano', '--limite', 'x'], '--limite <n> não aceita "x". Tem de ser um número inteiro'],
    [['buscar', 'dano', '--tipo', 'voto'], '--tipo <tipo> não aceita "voto". Use acordao, '],
    [['buscar', 'dano', '--desde', '2023-02-30'], '--desde: 2023-02-30 não existe no calendário'],
    [['buscar', 'dano', '--desde', '2024-01-02', '--ate', '2024-01-01'], '--desde: é posterior a --ate'],
    [['decisao', 'TST:321'], 'TST:321 não é um id; escreva base:número, como stj:123, com a base tst, stf'],
    [['buscar', 'dano', '--uf'], 'falta o valor de --uf <lista>'],
    [['decisao', 'stj:1', 'stj:2'], 'argumentos demais para decisao: aceita 1, e vieram 2 (stj:1, stj:2)'],
    [['decisao', '\u001B[31m', 'x'], '(\\u001b[31m, x)'],
    [['complete', 'tcsh'], 'shell não aceita "tcsh". Use zsh, '],
  ])('for %j is Portuguese', async (args, expected) => {
    const { err, exitCode } = await call(args);
    expect(exitCode).toBe(2);
    expect(err).toContain(expected);
    expect(err).not.toMatch(/error|option|argument '|Usage|display/u);
  });

  it.each([[[]], [['buscar']]])('in the help of %j is Portuguese', async (args) => {
    const { out } = await call([...args, '--help']);
    expect(out).toContain('Uso: ');
    expect(out).not.toMatch(/Usage|Options|Commands|choices|display|options\]/u);
  });

  it('names in its help the script that was called', async () => {
    const { out } = await call(['buscar', '--help'], { npm_lifecycle_event: 'buscar' });
    expect(out).toMatch(/^Uso: bun run buscar /u);
  });

  it('explains where to put a missing key', async () => {
    const { err } = await call(['buscar', 'dano'], { JURISPRUDENCIA_KEY: '' });
    expect(err).toMatch(/^falta a chave; ponha-a em JURISPRUDENCIA_KEY, .*client\.toml/u);
  });

  it('reports an address where something else answers', async () => {
    using server = answering(() => Response.json({ erro: 'outro' }, { status: 404 }));
    const { err, exitCode } = await call(['cobertura'], server.at);
    expect(exitCode).toBe(5);
    expect(err).toMatch(/^quem respondeu não é o serviço; confira o endereço \(HTTP 404: /u);
  });

  it('reports a choice of courts that no court meets, without offering other words', async () => {
    const { out, err, exitCode } = await call(['buscar', 'danos', '--tribunal', 'tnu', '--uf', 'MG']);
    expect({ out, exitCode }).toEqual({ out: 'nada encontrado\n', exitCode: 1 });
    expect(err).toMatch(
      /^nenhum tribunal atende.*nada foi buscado; há tst \(BR, trabalhista\), .*\nnão achar/u,
    );
  });

  it('for coverage explains missing totals', async () => {
    const base = { base: 'tst', calculado: false };
    using server = answering(() => Response.json({ bases: [base], tipos_aceitos: [], tribunais: [] }));
    const { err, exitCode } = await call(['cobertura'], server.at);
    expect({ err, exitCode }).toEqual({ err: expect.stringMatching(/^os totais vêm /u), exitCode: 0 });
  });
});

describe('the service and the key', () => {
  const file = (text: string) => {
    mkdirSync(join(home, 'jurisprudencia'), { recursive: true });
    writeFileSync(join(home, 'jurisprudencia/client.toml'), text);
    return run(COMMAND, ['buscar', 'dano', '--jsonl'], { XDG_CONFIG_HOME: home });
  };

  it('come from a file if the environment has none', async () => {
    const { exitCode, out } = await file(`url = "${service.url}"\nkey = "${service.key}"\n`);
    expect(exitCode).toBe(0);
    expect(out).toContain('stj:1');
  });

  it.each(['url = 3', 'chave = "jur_abc"', 'key = "jur_abc'])(
    'are refused as %j, and no key is shown',
    async (text) => {
      const { exitCode, err } = await file(text);
      expect(exitCode).toBe(2);
      expect(err).toContain('client.toml');
      expect(err).not.toContain('jur_abc');
    },
  );
});

describe('completion', () => {
  it.each([
    [['buscar', '--tip'], '--tipo'],
    [['buscar', '--tipo', ''], 'decisao_monocratica'],
    [['co'], 'cobertura'],
  ])('of %j offers %s', async (words, offered) => {
    expect((await run(COMMAND, ['complete', '--', ...words])).out).toContain(offered);
  });

  it.each(['bash', 'zsh', 'fish'])('has a script for %s', async (shell) => {
    const { out, exitCode } = await run(COMMAND, ['complete', shell]);
    expect(exitCode).toBe(0);
    expect(out).toContain('jurisprudencia');
  });
});
