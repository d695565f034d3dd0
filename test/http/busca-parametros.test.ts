import { Check } from 'typebox/value';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BuscaSchema } from '../../src/contract/busca.ts';
import { BASES, CODIGOS_TRIBUNAL, ORDENS, RAMOS, TIPOS, UFS } from '../../src/contract/enums.ts';
import { startService, type Body, type Service } from '../support/service.ts';
import { acordao, acordaos, BUSCA, expectErro } from './checks.ts';

let service: Service;
beforeAll(async () => {
  service = await startService({ stj: acordaos(60, 'dano'), tst: [acordao('dano moral')] });
});
afterAll(() => service.stop());

/** A search whose query string goes out as written. */
const ask = (query: string) => service.get(`${BUSCA}?${query}`);

async function expectBusca(query: string): Promise<Body> {
  const response = await ask(query);
  const body: unknown = await response.json();
  expect(body).not.toHaveProperty('erro');
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('application/json');
  expect(Check(BuscaSchema, body)).toBe(true);
  return body as Body;
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

  it.each(['ab', '1a', 'éé', '😀a'])('has at least 2 characters: takes %j', async (q) => {
    await expectBusca(`q=${encoded(q)}`);
  });

  it('has at most 300 characters, and takes 300', async () => {
    await expectBusca(`q=${'a'.repeat(300)}`);
    await expectRefusal(`q=${'a'.repeat(301)}`, 'q:');
  });

  it('is measured in Unicode code points: 300 of two UTF-16 units pass and 301 do not', async () => {
    await expectBusca(`q=${encoded(`${'😀'.repeat(298)} a`)}`);
    await expectRefusal(`q=${encoded(`${'😀'.repeat(299)} a`)}`, 'q:');
  });

  it('is measured as sent, spaces included', async () => {
    await expectRefusal(`q=dano${'+'.repeat(297)}`, 'q:');
    await expectBusca(`q=dano${'+'.repeat(296)}`);
  });

  it('takes + and %20 as a space alike', async () => {
    expect((await expectBusca('q=dano+moral')).itens).toHaveLength(1);
    expect((await expectBusca('q=dano%20moral')).itens).toHaveLength(1);
  });
});

describe('the query string', () => {
  it.each(['pagina=2', 'Q=dano', 'relator=x', 'tribunais=stj', 'access_token=x', '=x', 'q%20=x'])(
    'refuses the unknown parameter %s',
    async (pair) => {
      await expectErro(await ask(`q=dano&${pair}`), 'PARAMETRO_INVALIDO');
    },
  );

  it('names the nearest parameter to a misspelled one', async () => {
    await expectRefusal('q=dano&tribuna=stj', 'tribunal');
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
  ])('refuses %s, and says to send %s', async (query, mend) => {
    const erro = await expectRefusal(query, mend.split('=')[0] ?? '');
    expect(erro.endsWith(`: repetido; envie ${mend}`)).toBe(true);
    await expectBusca(`q=dano&${mend}`);
  });

  it.each(['tribunal=stj&tribunal=tjsp', 'uf=MG,&uf=BR', 'ramo=federal&ramo=', 'uf=MG&uf=BR&uf=%'])(
    'refuses %s, and offers no list of what is no value',
    async (query) => {
      const erro = await expectRefusal(query, query.split('=')[0] ?? '');
      expect(erro).toMatch(/repetido; envie-o uma só vez, com os valores separados por vírgula$/);
    },
  );

  it.each(['tipo=acordao&tipo=sumula', 'q=dano&q=moral', 'limite=5&limite=6', 'data_de=2020-01-01&data_de='])(
    'refuses %s, and says that it takes one value',
    async (query) => {
      const erro = await expectRefusal(query, query.split('=')[0] ?? '');
      expect(erro).toMatch(/repetido; aceita um só valor/);
    },
  );

  it.each(['tribunal', 'uf', 'ramo', 'tipo', 'data_de', 'data_ate', 'ordem', 'limite', 'cursor'])(
    'refuses an empty %s: silence would widen the search',
    async (name) => {
      await expectRefusal(`q=dano&${name}=`, name);
      await expectRefusal(`q=dano&${name}`, name);
      await expectRefusal(`q=dano&${name}=%20`, name);
    },
  );

  it.each(['q=%', 'q=%zz', 'q=dano%E7', 'q=dano%ED%A0%80', 'q=%C0%AFab', 'q=dano&%ff=x', 'q=dano&uf=%'])(
    'refuses the broken percent-encoding %s',
    async (query) => {
      await expectErro(await ask(query), 'PARAMETRO_INVALIDO');
    },
  );

  it('takes percent-encoded names and commas', async () => {
    expect((await expectBusca('%71=dano&tribunal=stj%2Ctst')).por_base).toHaveLength(2);
  });

  it('takes all parameters together', async () => {
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
  it.each(CODIGOS_TRIBUNAL)('tribunal takes %s', async (codigo) => {
    expect((await expectBusca(`q=dano&tribunal=${codigo}`)).por_base).toHaveLength(1);
  });
  it.each(UFS)('uf takes %s', async (uf) => {
    await expectBusca(`q=dano&uf=${uf}`);
  });
  it.each(RAMOS)('ramo takes %s', async (ramo) => {
    expect((await expectBusca(`q=dano&ramo=${ramo}`)).por_base.length).toBeGreaterThan(0);
  });
  it.each(TIPOS)('tipo takes %s', async (tipo) => {
    expect((await expectBusca(`q=dano&tipo=${tipo}`)).por_base).toHaveLength(BASES.length);
  });
  it.each(ORDENS)('ordem takes %s', async (ordem) => {
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
    await expectRefusal(`q=dano&${name}=${encoded(value)}`, name);
  });

  it.each(['tipo=acordao,sumula', 'ordem=recentes,relevancia'])(
    '%s is told that it takes one value',
    async (pair) => {
      expect(await expectRefusal(`q=dano&${pair}`, pair.split('=')[0] ?? '')).toContain('aceita um só valor');
    },
  );

  it.each([
    ['tribunal', ' STJ , tSt '],
    ['uf', ' mg , br '],
    ['ramo', ' Superior,TRABALHISTA'],
    ['tipo', ' ACORDAO '],
    ['ordem', ' Recentes '],
  ])('%s is trimmed and its letter case folded: takes %j', async (name, value) => {
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

  it.each(UFS.filter((uf) => uf !== 'BR' && uf !== 'MG'))(
    'uf=%s, a state with no court, is an empty 200',
    async (uf) => {
      const body = await expectBusca(`q=dano&uf=${uf}`);
      expect(body).toEqual({ itens: [], por_base: [], bases_sem_resposta: [], proximo_cursor: null });
    },
  );
});

describe('the dates', () => {
  it.each(['2024-02-29', '2000-02-29', '1900-02-28', '0001-01-01', '9999-12-31'])('take %s', async (date) => {
    await expectBusca(`q=dano&data_de=${date}&data_ate=${date}`);
  });

  it.each([
    '2023-02-29',
    '1900-02-29',
    '2024-02-30',
    '2024-04-31',
    '2024-13-01',
    '2024-00-10',
    '2024-01-00',
    '2024-01-32',
    '0000-01-01',
    '2024-1-1',
    '24-01-01',
    '2024/01/01',
    '01-01-2024',
    '20240101',
    '2024-01-01T00:00:00Z',
    '+2024-01-01',
    '-2024-01-01',
    '2024-01-01%0A',
    '%EF%BC%92024-01-01',
    'hoje',
  ])('refuse %s, in data_de as in data_ate', async (date) => {
    await expectRefusal(`q=dano&data_de=${date}`, 'data_de');
    await expectRefusal(`q=dano&data_ate=${date}`, 'data_ate');
  });

  it('refuse a start later than the end', async () => {
    await expectRefusal('q=dano&data_de=2024-01-02&data_ate=2024-01-01', 'data_de');
  });
});

describe('limite', () => {
  it.each([1, 9, 10, 20, 49, 50])('takes %i and gives so many items', async (limite) => {
    expect((await expectBusca(`q=dano&limite=${limite}`)).itens).toHaveLength(limite);
  });

  it('is 20 when it is not given', async () => {
    expect((await expectBusca('q=dano')).itens).toHaveLength(20);
  });

  it.each(['0', '51', '100', '-1', '-0', '1e1', '5.0', '%2B5', '+5', '05', '5,0', '0x5', '5%20', 'cinco'])(
    'refuses %s',
    async (limite) => {
      await expectRefusal(`q=dano&limite=${limite}`, 'limite');
    },
  );

  it.each(['99999999999999999999', 'NaN', 'Infinity', '%D9%A5', '5%00', 'null', '1_0'])(
    'refuses %s',
    async (limite) => {
      await expectRefusal(`q=dano&limite=${limite}`, 'limite');
    },
  );
});

describe('cursor', () => {
  it.each(['abc', '0', '-1', 'null', '{}', 'W10', 'eyJvZmZzZXQiOi0xfQ', '%00', 'a'.repeat(13_000)])(
    'refuses %s, which is not one of this service',
    async (cursor) => {
      await expectRefusal(`q=dano&cursor=${cursor}`, 'cursor');
    },
  );
});

describe('several faults at once', () => {
  it('are one refusal of the parameters before the text is read', async () => {
    await expectErro(await ask('q=%22dano&limite=0'), 'PARAMETRO_INVALIDO');
  });
});
