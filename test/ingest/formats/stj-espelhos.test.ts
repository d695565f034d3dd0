import { describe, expect, test } from 'vitest';
import { recordJson } from '../../../src/index/format/record.ts';
import { Damaged } from '../../../src/ingest/damaged.ts';
import { stjEspelhos } from '../../../src/ingest/formats/stj-espelhos.ts';
import { read } from './support.ts';

/** By hand, from the documented fields: no raw file of this format was at hand. */
const ESPELHO = {
  id: '000844657',
  numeroProcesso: '1424080',
  numeroRegistro: '202202853462',
  siglaClasse: 'AgRg no HC',
  descricaoClasse: 'AGRAVO REGIMENTAL NO HABEAS CORPUS',
  classePadronizada: 'None',
  nomeOrgaoJulgador: 'TERCEIRA SEÇÃO',
  ministroRelator: 'FULANO DE TAL',
  ementa:
    'PROCESSUAL PENAL. AGRAVO REGIMENTAL. DOSIMETRIA. FRAÇÃO DE AUMENTO DA\n' +
    'PENA-BASE. FUNDAMENTAÇÃO SUFICIENTE.\n' +
    '1. A exasperação da pena-base deve observar a proporção entre o fato e\r\n' +
    'a resposta do Estado.\n' +
    '2. Agravo não provido.',
  tipoDeDecisao: 'ACÓRDÃO',
  dataDecisao: '20230510',
  dataPublicacao: 'DJE        DATA:01/06/2023',
  decisao:
    'Vistos e relatados estes autos, acordam os Ministros da Terceira Seção,\npor unanimidade, negar provimento.',
  teseJuridica: null,
  tema: '1087',
  referenciasLegislativas: [
    'LEG:FED DEL:003689 ANO:1941\n*****  CPP-41    CÓDIGO DE PROCESSO PENAL\n        ART:00226',
  ],
  jurisprudenciaCitada: ['<<HC 712781>>-RJ', '[[HC 170117]]'],
  notas: '',
  informacoesComplementares: null,
  termosAuxiliares: '-',
  acordaosSimilares: [],
  numeroDocumento: 12345678901234567890n,
  codCPF: '123.456.789-09',
  campoNovo: { parte: 'CPF 123.456.789-09', medida: 1 },
};
const json = (...espelhos: readonly object[]) =>
  JSON.stringify(espelhos.length === 0 ? [] : espelhos, (_, value: unknown) =>
    typeof value === 'bigint' ? `#${value}#` : value,
  ).replaceAll(/"#(\d+)#"/g, '$1');
const stj = (content: string | Uint8Array, fileNames?: readonly string[]) =>
  read(stjEspelhos, 'stj', content, fileNames);

describe('an espelho of the STJ', () => {
  test('becomes a Documento, field by field', async () => {
    const { documentos, rejects, leftOut } = await stj(json(ESPELHO), ['20230630.json']);
    expect({ rejects, leftOut }).toEqual({ rejects: [], leftOut: [] });
    expect(documentos).toEqual([
      {
        id: 'stj:1',
        base: 'stj',
        fonte: 'STJ',
        tipo: 'acordao',
        processo: 'AgRg no HC 1424080',
        classe: { sigla: 'AgRg no HC', descricao: 'AGRAVO REGIMENTAL NO HABEAS CORPUS' },
        orgao_julgador: 'TERCEIRA SEÇÃO',
        relator: 'FULANO DE TAL',
        redator: null,
        data_julgamento: '2023-05-10',
        data_publicacao: '2023-06-01',
        ementa_status: 'completa',
        ementa:
          'PROCESSUAL PENAL. AGRAVO REGIMENTAL. DOSIMETRIA. FRAÇÃO DE AUMENTO DA PENA-BASE. FUNDAMENTAÇÃO SUFICIENTE.\n' +
          '1. A exasperação da pena-base deve observar a proporção entre o fato e a resposta do Estado.\n' +
          '2. Agravo não provido.',
        tese: null,
        dispositivo:
          'Vistos e relatados estes autos, acordam os Ministros da Terceira Seção, por unanimidade, negar provimento.',
        inteiro_teor: { existe_na_origem: null, caracteres: null },
        citacao: null,
        legislacao_citada: [
          'LEG:FED DEL:003689 ANO:1941\n*****  CPP-41    CÓDIGO DE PROCESSO PENAL\nART:00226',
        ],
        temas: ['1087'],
        extras: {
          id_origem: '000844657',
          numeroRegistro: '202202853462',
          jurisprudenciaCitada: ['<<HC 712781>>-RJ', '[[HC 170117]]'],
          numeroDocumento: Number('12345678901234567890'),
          campoNovo: { parte: 'CPF [CPF omitido]', medida: 1 },
          arquivo: '20230630.json',
        },
      },
    ]);
  });

  test('keeps numbers in extras as they were written', async () => {
    const { decisoes } = await stj(json(ESPELHO));
    expect(recordJson('stj', 1, decisoes[0]!).documento).toContain('"numeroDocumento":12345678901234567890,');
  });

  test('keeps a date that is not in the calendar under its own name in extras', async () => {
    const { documentos } = await stj(
      json({ ...ESPELHO, dataDecisao: '20230231', dataPublicacao: 'DJE s/ data' }),
    );
    expect(documentos[0]).toMatchObject({
      data_julgamento: null,
      data_publicacao: null,
      extras: { dataDecisao: '20230231', dataPublicacao: 'DJE s/ data' },
    });
  });

  test.each([
    ['00230510', 'DJE        DATA:01/06/2023', '2023-05-10', '2023-06-01', { dataDecisao: '00230510' }],
    [
      '20230510',
      'DJE DATA:01/06/0023',
      '2023-05-10',
      '2023-06-01',
      { dataPublicacao: 'DJE DATA:01/06/0023' },
    ],
    ['29990510', 'DJE        DATA:01/06/2023', null, '2023-06-01', { dataDecisao: '29990510' }],
  ])(
    'judged %s, published %s, is of %s and %s',
    async (dataDecisao, dataPublicacao, judged, published, kept) => {
      const { documentos } = await stj(json({ ...ESPELHO, dataDecisao, dataPublicacao }));
      expect(documentos[0]).toMatchObject({
        data_julgamento: judged,
        data_publicacao: published,
        extras: kept,
      });
      expect(Object.keys(documentos[0]!.extras).filter((name) => name.startsWith('data'))).toEqual(
        Object.keys(kept),
      );
    },
  );

  test('loses a heading above its ementa', async () => {
    const { documentos } = await stj(json({ ...ESPELHO, ementa: `EMENTA\n${ESPELHO.ementa}` }, ESPELHO));
    expect(documentos[0]!.ementa).toBe(documentos[1]!.ementa);
  });

  test('with Python’s lists and nulls is the same as with JSON’s', async () => {
    const jurisprudenciaCitada = ['<<HC 712781>>-RJ', 'd\'água \\ "x"'];
    const right = {
      ...ESPELHO,
      jurisprudenciaCitada,
      termosAuxiliares: ['a'],
      acordaosSimilares: ['000123'],
    };
    const asPython = {
      ...right,
      classePadronizada: null,
      tema: "['1087']",
      teseJuridica: 'None',
      notas: 'None',
      informacoesComplementares: '[]',
      referenciasLegislativas:
        "['LEG:FED DEL:003689 ANO:1941\\n*****  CPP-41    C\\xd3DIGO DE PROCESSO PENAL\\n        ART:00226']",
      jurisprudenciaCitada: `['<<HC 712781>>-RJ', 'd\\'água \\\\ "x"']`,
      termosAuxiliares: '["a", None]',
      acordaosSimilares: "['000123']",
    };
    const { documentos } = await stj(json(right, asPython));
    expect(documentos[1]).toEqual(documentos[0]);
    const none = {
      referenciasLegislativas: 'None',
      acordaosSimilares: '[]',
      jurisprudenciaCitada: "['None']",
    };
    const { extras, ...rest } = (await stj(json({ ...ESPELHO, ...none }))).documentos[0]!;
    expect(rest.legislacao_citada).toBeNull();
    expect(Object.keys(extras)).not.toContain('acordaosSimilares');
  });

  test.each(['844657', '000844657', '0844657', 844_657])(
    'has the same key with any leading zeros in its id: %j',
    async (id) => {
      const { decisoes, documentos } = await stj(json({ ...ESPELHO, id }));
      expect(decisoes[0]!.chave).toBe('000844657');
      expect(documentos).toEqual((await stj(json(ESPELHO))).documentos);
    },
  );

  test.each(['1234567890', 'A000844657', '000000000'])('keeps the id %s for a key as it is', async (id) => {
    expect((await stj(json({ ...ESPELHO, id }))).decisoes[0]!.chave).toBe(id);
  });

  test('without an id is rejected with its place, and an empty one is left out', async () => {
    const { rejects, leftOut, documentos } = await stj(
      json({ ...ESPELHO, id: '' }, { id: '', ementa: '', numeroProcesso: '' }, ESPELHO),
    );
    expect(rejects).toEqual(['record 1: id: missing; nothing else identifies the decision']);
    expect(leftOut).toEqual(['an empty record']);
    expect(documentos).toHaveLength(1);
  });

  test('that is no acórdão is left out', async () => {
    const { leftOut } = await stj(json({ ...ESPELHO, tipoDeDecisao: 'DECISÃO MONOCRÁTICA' }));
    expect(leftOut).toEqual(['tipoDeDecisao DECISÃO MONOCRÁTICA']);
  });

  test('is read the same from Windows-1252 and UTF-8, in chunks of any size', async () => {
    const text = json(ESPELHO, { ...ESPELHO, id: '2' });
    const latin = Uint8Array.from(text, (letter) => letter.charCodeAt(0));
    const { documentos } = await stj(text);
    expect((await stj(latin)).documentos).toEqual(documentos);
    expect((await read(stjEspelhos, 'stj', text, [], 1)).documentos).toEqual(documentos);
    expect((await stj(`\ufeff${text}`)).documentos).toEqual(documentos);
  });
});

describe('a month without decisions', () => {
  test.each([
    ['an empty array', '[]'],
    ['nothing but space', ' \n'],
    ['a brace too many in the array', '[{"id":"","numeroProcesso":"","ementa":"","siglaClasse":""} }]'],
    ['the nulls of Python', '[{"id":"None","numeroProcesso":"None","ementa":null,"siglaClasse":"None"} }]'],
    ['a brace too many without one', '{"id":"","numeroProcesso":"","ementa":"","siglaClasse":""} }'],
  ])('is empty and not damaged: %s', async (_, text) => {
    expect((await stj(text)).items).toEqual([]);
  });
});

describe('a damaged file of the STJ', () => {
  test.each([
    [
      'cut in a record',
      json(ESPELHO, ESPELHO).slice(0, -40),
      'cut: the JSON ends too early',
      'after record 1',
    ],
    [
      'cut between records',
      `[${json(ESPELHO).slice(1, -1)}`,
      'cut: the JSON ends too early',
      'after record 1',
    ],
    ['broken', `[${json(ESPELHO).slice(1, -1)} {"id":"3"}]`, 'broken JSON', 'after record 1'],
    [
      'a brace too many after real records',
      `${json(ESPELHO).slice(0, -1)} } ]`,
      'broken JSON',
      'after record 1',
    ],
    ['an object', '{"success": true, "result": {}}', 'JSON without the list of records', ''],
    ['an array of other things', '[1, 2]', 'a record that is not an object', 'record 1'],
    ['a page', '<html><title>503 Service</title>', 'not JSON, but an HTML page titled "503 Service"', ''],
    ['a CAPTCHA', '<html><title>x</title>Digite os caracteres', 'which asks for a CAPTCHA', ''],
    ['a word', 'Forbidden', 'not JSON, but text that begins with "Forbidden"', ''],
    ['binary data', Uint8Array.of(0, 1, 2, 3, 4, 5, 6, 7, 8), 'not JSON, but binary data', ''],
  ])('%s is damaged, with its place', async (_, text, reason, place) => {
    const failure = await stj(text).catch((error: unknown) => error);
    expect(failure).toBeInstanceOf(Damaged);
    expect(failure).toMatchObject({ message: expect.stringContaining(reason), place });
  });
});

describe('the date of an espelho', () => {
  test.each([
    ['20230630.json', '2023-06-30'],
    ['20220508.zip', '2022-05-08'],
    ['20230630.json.gz', '2023-06-30'],
    ['20231399.json', null],
    ['junho.json', null],
    [undefined, null],
  ])('in the name %s is %s', (arquivo, date) => {
    expect(stjEspelhos.changedAt?.({ arquivo })).toBe(date);
  });
});
