import { describe, expect, it } from 'vitest';
import { TRIBUNAIS } from '../../src/contract/catalog.ts';
import {
  BASES,
  CODIGOS_TRIBUNAL,
  ORDENS,
  PARAMETROS,
  RAMOS,
  TIPOS,
  UFS,
} from '../../src/contract/vocabulary.ts';
import { served } from '../support/served.ts';
import type { Body } from '../support/service.ts';
import { acordao, acordaos, BUSCA, expectErro } from './checks.ts';

const service = served({ stj: acordaos(60, 'dano'), tst: [acordao('dano moral')] });

/** A search whose query string goes out as written. */
const ask = (query: string) => service.get(`${BUSCA}?${query}`);

async function expectBusca(query: string): Promise<Body> {
  const response = await ask(query);
  const body = (await response.json()) as Body;
  expect([response.status, body.erro]).toEqual([200, undefined]);
  return body;
}

/** The refusal names the parameter. @returns its message. */
async function expectRefusal(query: string, parameter: string): Promise<string> {
  const erro = await expectErro(await ask(query), 'PARAMETRO_INVALIDO');
  expect(erro).toContain(parameter);
  return erro;
}

const encoded = encodeURIComponent;

describe('q', () => {
  it.each(['', 'limite=5', '&&'])('is required: refuses the query string %j', async (query) => {
    await expectRefusal(query, 'q:');
  });

  it.each(['', 'a', 'é', '😀'])('has at least 2 characters: refuses %j', async (q) => {
    await expectRefusal(`q=${encoded(q)}`, 'q:');
  });

  it.each(['ab', '1a', 'éé', '😀a'])('has at least 2 characters: accepts %j', async (q) => {
    await expectBusca(`q=${encoded(q)}`);
  });

  it.each([
    ['a'.repeat(300), 'a'.repeat(301)],
    // Code points, and not UTF-16 units.
    [encoded(`${'😀'.repeat(298)} a`), encoded(`${'😀'.repeat(299)} a`)],
    // As sent, spaces included.
    [`dano${'+'.repeat(296)}`, `dano${'+'.repeat(297)}`],
  ])('has at most 300 characters', async (most, tooLong) => {
    await expectBusca(`q=${most}`);
    await expectRefusal(`q=${tooLong}`, 'q:');
  });

  it.each(['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff', '\u034f'])(
    'is read as if it had no invisible characters: %j',
    async (mark) => {
      const split = (word: string) => word.replace('o', `o${mark}`);
      for (const q of ['dano moral', '"dano moral"', 'dano OR moral', 'dano AND moral'])
        expect((await expectBusca(`q=${encoded(split(q.replace('OR', `O${mark}R`)))}`)).itens).toEqual(
          (await expectBusca(`q=${encoded(q)}`)).itens,
        );
      // They are not counted either, but separate combining accents are.
      await expectBusca(`q=${encoded(`${'a'.repeat(300)}${mark}`)}`);
      await expectRefusal(`q=${encoded(`a${mark}`)}`, 'q:');
      await expectRefusal(`q=${encoded(`${'a'.repeat(299)}a\u0301${mark}`)}`, 'q:');
    },
  );

  it.each(['dano+moral', 'dano%20moral'])('has a space as + or as %%20: %s', async (q) => {
    expect((await expectBusca(`q=${q}`)).itens).toHaveLength(1);
  });
});

describe('the query string', () => {
  it.each([
    ...'pagina=2 Q=dano relator=x tribunais=stj access_token=x =x q%20=x'.split(' '),
    // Broken percent-encoding.
    ...'q=% q=%zz q=dano%E7 q=dano%ED%A0%80 q=%C0%AFab %ff=x uf=%'.split(' '),
    // The parameters are refused before the text is read.
    'q=%22dano&limite=0',
  ])('refuses %s', async (pair) => {
    await expectErro(await ask(pair.startsWith('q=') ? pair : `q=dano&${pair}`), 'PARAMETRO_INVALIDO');
  });

  it('names the nearest parameter to a misspelled one, or all that there are', async () => {
    const near = { tribuna: 'tribunal', 'Data-de': 'data_de', ordens: 'ordem' };
    for (const [name, nearest] of Object.entries(near))
      expect(await expectRefusal(`q=dano&${name}=1`, name)).toMatch(
        `não existe; o mais próximo é ${nearest}`,
      );
    const all = await expectRefusal('q=dano&relatoria=1', 'relatoria');
    expect(all).toBe(`o parâmetro "relatoria" não existe; os aceitos são ${PARAMETROS.join(', ')}`);
    expect(await expectRefusal(`q=dano&${encoded('ç'.repeat(31))}=1`, `"${'ç'.repeat(30)}…"`)).toMatch(
      'não existe',
    );
  });

  it.each(['q', 'tribunal', 'uf', 'ramo', 'tipo', 'data_de', 'data_ate', 'ordem', 'limite', 'cursor'])(
    'refuses a repeated %s, even with the same value',
    async (name) => {
      const good: Record<string, string> = { ...GOOD, cursor: 'abc' };
      const query = new URLSearchParams({ ...GOOD, [name]: good[name] ?? '' });
      query.append(name, good[name] ?? '');
      await expectRefusal(query.toString(), name);
    },
  );

  it.each([
    ['tribunal=stj&tribunal=tst', 'tribunal=stj,tst'],
    ['tribunal=stj,tst&q=dano&tribunal=%20TST&tribunal=trf6,stj', 'tribunal=stj,tst,trf6'],
    ['uf=mg&uf=br&uf=MG', 'uf=MG,BR'],
    ['ramo=federal&ramo=Superior', 'ramo=federal,superior'],
  ])('refuses %s, and asks to send %s', async (query, mend) => {
    const erro = await expectRefusal(query, mend.split('=')[0] ?? '');
    expect(erro.endsWith(`: repetido; envie ${mend}`)).toBe(true);
    await expectBusca(`q=dano&${mend}`);
  });

  it.each([
    ...['tribunal=stj&tribunal=tjsp', 'uf=MG,&uf=BR', 'ramo=federal&ramo=', 'uf=MG&uf=BR&uf=%'].map(
      (query) => [query, /repetido; envie-o uma só vez, com os valores separados por vírgula$/],
    ),
    ...['tipo=acordao&tipo=sumula', 'q=dano&q=moral', 'limite=5&limite=6', 'data_de=2020-01-01&data_de='].map(
      (query) => [query, /repetido; aceita um só valor/],
    ),
  ] as [string, RegExp][])('refuses %s, and suggests no impossible value', async (query, mend) => {
    expect(await expectRefusal(query, query.split('=')[0] ?? '')).toMatch(mend);
  });

  it.each(['tribunal', 'uf', 'ramo', 'tipo', 'data_de', 'data_ate', 'ordem', 'limite', 'cursor'])(
    'refuses an empty %s, which would silently widen the search',
    async (name) => {
      await expectRefusal(`q=dano&${name}=`, name);
      await expectRefusal(`q=dano&${name}`, name);
      await expectRefusal(`q=dano&${name}=%20`, name);
    },
  );

  it('accepts percent-encoded names and commas', async () => {
    expect((await expectBusca('%71=dano&tribunal=stj%2Ctst')).por_base).toHaveLength(2);
  });

  it('accepts all parameters together', async () => {
    await expectBusca(new URLSearchParams(GOOD).toString());
  });
});

const GOOD = {
  q: 'dano',
  tribunal: 'stj',
  uf: 'BR',
  ramo: 'superior',
  tipo: 'acordao',
  data_de: '2020-01-01',
  data_ate: '2020-12-31',
  ordem: 'recentes',
  limite: '5',
};

describe('the enumerations', () => {
  it.each([
    ...CODIGOS_TRIBUNAL.map((one) => [`tribunal=${one}`, 1]),
    ...RAMOS.map((one) => [`ramo=${one}`, TRIBUNAIS.filter(({ ramo }) => ramo === one).length]),
    ...TIPOS.map((one) => [`tipo=${one}`, BASES.length]),
  ] as [string, number][])('accept %s', async (pair, bases) => {
    // The two courts of a base are of one branch.
    const most = pair === 'ramo=federal' ? 1 : bases;
    expect((await expectBusca(`q=dano&${pair}`)).por_base).toHaveLength(most);
  });

  it.each(UFS)('accept uf=%s, with an empty answer if the state has no court', async (uf) => {
    const body = await expectBusca(`q=dano&uf=${uf}`);
    const none = { itens: [], por_base: [], bases_sem_resposta: [], proximo_cursor: null };
    if (uf === 'BR' || uf === 'MG') expect(body.por_base.length).toBeGreaterThan(2);
    else expect(body).toEqual(none);
  });

  it.each(ORDENS)('accept ordem=%s', async (ordem) => {
    const { por_base } = await expectBusca(`q=dano&ordem=${ordem}`);
    expect(new Set(por_base.map((one) => one.ordem_aplicada))).toEqual(new Set([ordem]));
  });

  it('ordem is relevancia when it is not given', async () => {
    const { por_base } = await expectBusca('q=dano');
    expect(por_base.map((one) => one.ordem_aplicada)).toEqual(BASES.map(() => 'relevancia'));
  });

  it.each([
    ['tribunal', 'eproc'],
    ['tribunal', 'stj;tst'],
    ['tribunal', 'todos'],
    ['uf', 'XX'],
    ['uf', 'Brasil'],
    ['ramo', 'eleitoral'],
    ['tipo', 'acordão'],
    ['tipo', 'acordao,sumula'],
    ['ordem', 'antigas'],
    ['ordem', 'recentes,relevancia'],
  ])('%s refuses %s', async (name, value) => {
    const erro = await expectRefusal(`q=dano&${name}=${encoded(value)}`, name);
    if (value.includes(',')) expect(erro).toContain('aceita um só valor');
    if (value === 'eproc') expect(erro).toMatch(/uma base.* tnu,trf6$/);
  });

  it.each([
    ['tribunal', ' STJ , tSt '],
    ['uf', ' mg , br '],
    ['ramo', ' Superior,TRABALHISTA'],
    ['tipo', ' ACORDAO '],
    ['ordem', ' Recentes '],
  ])('%s may have any letter case and outer spaces: %j', async (name, value) => {
    await expectBusca(`q=dano&${name}=${encoded(value)}`);
  });

  it.each([
    ['tribunal', 'stj,STJ,stj'],
    ['uf', 'BR,br'],
    ['ramo', 'superior,superior'],
  ])('%s drops duplicates: %s', async (name, value) => {
    const first = value.split(',')[0] ?? '';
    const once = await expectBusca(`q=dano&${name}=${first}`);
    const twice = await expectBusca(`q=dano&${name}=${value}`);
    expect(twice.por_base.map(({ base }) => base)).toEqual(once.por_base.map(({ base }) => base));
  });

  it.each(['tribunal=stj,', 'tribunal=,stj', 'uf=MG,,BR', 'ramo=%20,superior', 'tipo=%20', 'uf=,'])(
    'refuses the empty element in %s',
    async (pair) => {
      await expectRefusal(`q=dano&${pair}`, pair.split('=')[0] ?? '');
    },
  );
});

describe('the dates', () => {
  it.each(['2024-02-29', '2000-02-29', '1900-02-28', '0001-01-01', '9999-12-31'])(
    'accept %s',
    async (date) => {
      await expectBusca(`q=dano&data_de=${date}&data_ate=${date}`);
    },
  );

  it.each([
    ...'2023-02-29 1900-02-29 2024-02-30 2024-04-31 2024-13-01 2024-00-10 2024-01-00'.split(' '),
    ...'2024-1-1 24-01-01 2024/01/01 01-01-2024 20240101 2024-01-01T00:00:00Z 2024-01-32'.split(' '),
    ...'2024-01-01%0A %EF%BC%92024-01-01 hoje 0000-01-01 +2024-01-01 -2024-01-01'.split(' '),
  ])('refuse %s, in data_de as in data_ate', async (date) => {
    await expectRefusal(`q=dano&data_de=${date}`, 'data_de');
    await expectRefusal(`q=dano&data_ate=${date}`, 'data_ate');
  });

  it('refuse a start later than the end', async () => {
    await expectRefusal('q=dano&data_de=2024-01-02&data_ate=2024-01-01', 'data_de');
  });
});

describe('limite', () => {
  it.each([1, 9, 10, 20, 49, 50])('%i gives that many items', async (limite) => {
    expect((await expectBusca(`q=dano&limite=${limite}`)).itens).toHaveLength(limite);
  });

  it('is 20 when it is not given', async () => {
    expect((await expectBusca('q=dano')).itens).toHaveLength(20);
  });

  it.each([
    ...'0 51 100 -1 -0 1e1 5.0 %2B5 +5 05 5,0 0x5 5%20 cinco 99999999999999999999 NaN Infinity'.split(' '),
    ...'%D9%A5 5%00 null 1_0'.split(' '),
  ])('refuses %s', async (limite) => {
    await expectRefusal(`q=dano&limite=${limite}`, 'limite');
  });
});

it.each(['abc', '0', '-1', 'null', '{}', 'W10', 'eyJvZmZzZXQiOi0xfQ', '%00', 'a'.repeat(13_000)])(
  'cursor refuses %s, which is not one of this service',
  async (cursor) => {
    await expectRefusal(`q=dano&cursor=${cursor}`, 'cursor');
  },
);
