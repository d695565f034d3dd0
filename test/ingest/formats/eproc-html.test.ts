import { describe, expect, test } from 'vitest';
import { recordJson } from '../../../src/index/format/record.ts';
import { tribunalCode } from '../../../src/index/format/schema.ts';
import { Damaged } from '../../../src/ingest/damaged.ts';
import { eprocHtml } from '../../../src/ingest/formats/eproc-html.ts';
import { hasOrigens, origemText, read, readOrigem } from './support.ts';

const TNU = 'eproc/tnu_eproc_aposentadoria.html';
const TRF6 = 'eproc/trf6_eproc_aposentadoria.html';

/** Copied from the raw pages: the place there, and the fields of the result. Of a monocrática only the ends of its text. */
type Row = readonly [
  place: number,
  id: string,
  processo: string,
  uf: string,
  julgamento: string,
  publicacao: string,
  relator: string,
  begins: string,
  ends: string,
  dispositivoEnds: string | null,
];
// prettier-ignore
const OF_TNU: readonly Row[] = [
  [1, '771782905146794911703233581980', '1094873-66.2021.4.01.3300/TNU', 'BA', '2026-06-30', '2026-07-01', 'CAROLINE MEDEIROS E SILVA', 'DIREITO PREVIDENCIÁRIO. PEDIDO DE', 'Mendes, D.E. 24/11/2025.', 'nos termos supra apresentados.'],
  [2, '771782990586746252520178006689', '5025012-50.2022.4.04.7100/TNU', 'RS', '2026-06-30', '2026-07-02', 'IVANIR CESAR IRENO JUNIOR', 'DIREITO PREVIDENCIÁRIO. AGRAVO', 'NEGATIVA DE PROVIMENTO.', 'NEGAR PROVIMENTO ao recurso.'],
  [3, '771782990586746252520178424313', '5003143-97.2022.4.03.6311/TNU', 'SP', '2026-06-30', '2026-07-02', 'IVANIR CESAR IRENO JUNIOR', 'DIREITO PREVIDENCIÁRIO. JUIZADOS', 'DO MÉRITO. REJEIÇÃO.', 'os embargos de declaração.'],
  [4, '771782905146794911703230818402', '5000193-66.2023.4.03.6316/TNU', 'SP', '2026-06-30', '2026-07-01', 'CAROLINE MEDEIROS E SILVA', 'DIREITO PREVIDENCIÁRIO. PEDIDO', 'nacional não conhecido.', 'DE UNIFORMIZAÇÃO NACIONAL.'],
  [6, '771782990586746252520176806531', '1003676-87.2022.4.01.3302/TNU', 'BA', '2026-06-30', '2026-07-02', 'IVANIR CESAR IRENO JUNIOR', 'DIREITO PREVIDENCIÁRIO E PROCESSUAL', 'RECURSO DESPROVIDO.', 'NEGAR PROVIMENTO ao recurso.'],
  [7, '771783011207742892322286168009', '5033683-53.2022.4.04.7200/TNU', 'SC', '2026-06-30', '2026-07-02', 'MARINA VASQUES DUARTE', 'DIREITO PREVIDENCIÁRIO. PEDIDO', 'Galia, 22/08/2022.', 'interposto pelo INSS.'],
  [9, '771783008106239674682021826560', '5034075-02.2022.4.04.7100/TNU', 'RS', '2026-06-30', '2026-07-02', 'JOÃO CARLOS CABRELON DE OLIVEIRA', 'DIREITO PREVIDENCIÁRIO. PEDIDO', 'TNU. INCIDENTE PROVIDO.', 'à premissa estabelecida.'],
  [10, '771783010298346278262435422025', '5009205-92.2022.4.03.6105/TNU', 'SP', '2026-06-30', '2026-07-02', 'LEONARDO CASTANHO MENDES', 'AGRAVO INTERNO. REVOLVIMENTO', '3. Agravo desprovido.', 'NEGAR PROVIMENTO AO AGRAVO.'],
];
type Monocratica = readonly [...Row, orgao: string, sigla: string];
// prettier-ignore
const OF_TRF6: readonly Monocratica[] = [
  [1, '381786006636521737820233466456', '1008909-53.2022.4.01.9999/TRF6', 'MG', '2026-08-06', '2026-08-06', 'ANA CAROLINA CAMPOS AGUIAR', 'A EXMA. SENHORA JUÍZA FEDERAL', 'Belo Horizonte, data do registro.', null, '1ª Turma Suplementar', 'ApRemNec'],
  [3, '381786006636521737821881283463', '0004279-19.2017.4.01.9199/TRF6', 'MG', '2026-08-06', '2026-08-06', 'ANA CAROLINA CAMPOS AGUIAR', 'Trata-se de apelação', 'Belo Horizonte, data do registro.', null, '1ª Turma Suplementar', 'AC'],
  [5, '381786055703706863372168734479', '6010175-34.2026.4.06.0000/TRF6', 'MG', '2026-08-06', '2026-08-06', 'IVANIR CESAR IRENO JUNIOR', 'Trata-se de agravo de instrumento', 'data da assinatura eletrônica.1', null, '4ª Turma', 'AI'],
  [7, '381786006636521737820442736289', '0019545-12.2018.4.01.9199/TRF6', 'MG', '2026-08-06', '2026-08-06', 'ANA CAROLINA CAMPOS AGUIAR', 'Tratam-se de apelações', 'apelação da parte autora.', null, '1ª Turma Suplementar', 'ApRemNec'],
  [9, '381786006636521737821758364581', '1001639-26.2019.4.01.3809/TRF6', 'MG', '2026-08-06', '2026-08-06', 'ANA CAROLINA CAMPOS AGUIAR', 'Trata-se de apelação', 'baixa e arquivem-se os autos.', null, '1ª Turma Suplementar', 'AC'],
];

describe.skipIf(!hasOrigens())('a real page of eproc', () => {
  test.each(OF_TNU.map((row) => [row[2], row] as const))(
    '%s of the TNU is mapped field by field',
    async (_, row) => {
      const [place, id, processo, uf, julgamento, publicacao, relator, begins, ends, dispositivoEnds] = row;
      const { decisoes, documentos } = await readOrigem(eprocHtml, 'eproc', TNU);
      const documento = documentos[place - 1]!;
      expect(decisoes[place - 1]).toMatchObject({
        chave: id,
        tribunal: tribunalCode('tnu'),
        indexesFullText: false,
      });
      expect(documento).toMatchObject({
        fonte: 'TNU',
        tipo: 'acordao',
        processo,
        classe: { sigla: 'PUIL', descricao: 'Pedido de Uniformização de Interpretação de Lei (Turma)' },
        orgao_julgador: null,
        relator,
        redator: null,
        data_julgamento: julgamento,
        data_publicacao: publicacao,
        ementa_status: 'completa',
        tese: null,
        inteiro_teor: { existe_na_origem: true, caracteres: null },
        legislacao_citada: null,
        temas: null,
      });
      expect(documento.extras).toEqual({ id_jurisprudencia: id, uf });
      expect(documento.ementa!.startsWith(begins) && documento.ementa!.endsWith(ends)).toBe(true);
      expect(documento.dispositivo).toMatch(/^A Turma Nacional de Uniformização decidi/);
      expect(documento.dispositivo!.endsWith(dispositivoEnds!)).toBe(true);
      const court = `TNU, PUIL ${processo.slice(0, 25)}, TURMA NACIONAL DE UNIFORMIZAÇÃO`;
      expect(documento.citacao).toMatch(
        new RegExp(String.raw`^\(${court}, Relatora? ${relator}, .*\d{4}\)$`),
      );
    },
  );

  test.each(OF_TRF6.map((row) => [row[2], row] as const))(
    '%s of the TRF6 is mapped field by field, found by its text, which is never served',
    async (_, row) => {
      const [place, id, processo, uf, julgamento, publicacao, relator, ...others] = row;
      const [begins, ends, dispositivo, orgao, sigla] = others;
      const { decisoes, documentos } = await readOrigem(eprocHtml, 'eproc', TRF6);
      const decisao = decisoes[place - 1]!;
      expect(documentos[place - 1]).toMatchObject({
        fonte: 'TRF6',
        tipo: 'decisao_monocratica',
        processo,
        classe: { sigla },
        orgao_julgador: orgao,
        relator,
        data_julgamento: julgamento,
        data_publicacao: publicacao,
        ementa: null,
        ementa_status: 'ausente',
        dispositivo,
        extras: { id_jurisprudencia: id, uf },
      });
      const texto = decisao.indexed.ementa;
      expect(decisao).toMatchObject({ chave: id, tribunal: tribunalCode('trf6'), indexesFullText: true });
      expect(texto.startsWith(begins) && texto.endsWith(ends)).toBe(true);
      expect(documentos[place - 1]!.inteiro_teor.caracteres).toBe([...texto].length);
      const { documento, resumo } = recordJson('eproc', 1, decisao);
      expect(documento + resumo).not.toContain(begins);
    },
  );

  test('gives in full what it shows shortened, and a turma recursal of Minas Gerais to the TRF6', async () => {
    const { decisoes, documentos } = await readOrigem(eprocHtml, 'eproc', TRF6);
    expect(documentos.filter(({ tipo }) => tipo === 'decisao_monocratica')).toHaveLength(9);
    expect(decisoes[6]!.indexed.ementa.length).toBeGreaterThan(15_000);
    expect(decisoes.map(({ indexed }) => indexed.ementa).join(' ')).not.toMatch(/Ler mais|<\/?(?:B|FONT)/u);
    expect(decisoes[9]).toMatchObject({
      chave: '381786017870225435928439773308',
      tribunal: tribunalCode('trf6'),
    });
    expect(documentos[9]).toMatchObject({
      fonte: 'TRF6',
      tipo: 'acordao',
      processo: '6008117-66.2024.4.06.3803/MG',
      classe: { sigla: 'RCIJEF', descricao: 'RECURSO CÍVEL' },
      orgao_julgador: '6ª Turma Recursal dos Juizados Especiais Federais de Minas Gerais',
      relator: 'FLAVIO DA SILVA ANDRADE',
      data_julgamento: '2026-08-05',
      citacao: expect.stringMatching(
        /^\(Turmas Recursais, RCIJEF 6008117-66.2024.4.06.3803, 6ª Turma Recursal/,
      ),
    });
  });

  test('saved as UTF-8 but declared as ISO-8859-1 is read the same', async () => {
    const text = origemText(TNU);
    expect((await read(eprocHtml, 'eproc', text)).documentos).toEqual(
      (await readOrigem(eprocHtml, 'eproc', TNU)).documentos,
    );
  });

  test('cut off anywhere is damaged', async () => {
    const text = origemText(TNU);
    for (const share of [0.1, 0.5, 0.75, 0.9, 0.999]) {
      const reading = read(eprocHtml, 'eproc', text.slice(0, text.length * share));
      await expect(reading).rejects.toThrow(Damaged);
      const place = expect.stringMatching(/result/) as string;
      await expect(reading).rejects.toMatchObject({ message: 'cut: the page ends too early', place });
    }
  });
});

/** By hand, after the real pages. */
interface Result {
  readonly id?: string;
  readonly tipo?: string;
  readonly processo?: string;
  readonly labels?: Readonly<Record<string, string>>;
}
const card = ({ id = '1', tipo = 'Acórdão', processo = '1-1/TNU', labels = {} }: Result) =>
  `<div class="card mb-3 resultadoItem" id="resultado${id}"><div class="resValueTipoJurisprudencia">${tipo}</div>
   <div><div class="resLabel">PROCESSO</div><div class="resValue"> ${processo} <span>PUIL -   Pedido  </span></div></div>
   ${Object.entries(labels)
     .map(([label, value]) => `<div class="row"><div class="resLabel">${label}</div>${value}</div>`)
     .join('')}</div>`;
const value = (text: string) => `<div class="resValue completo">  ${text}  </div>`;
const page = (body: string) =>
  `<html><head><title>:: eproc - Jurisprudência ::</title></head><body>${body}</body></html>`;
const eproc = (...results: readonly Result[]) => read(eprocHtml, 'eproc', page(results.map(card).join('')));

describe('a result of eproc', () => {
  test.each([
    ['Decisão do Presidente', 'decisao_monocratica'],
    ['Súmula', 'sumula'],
  ])('of the type %s is a %s', async (tipo, expected) => {
    const { documentos } = await eproc({ tipo, labels: { EMENTA: value('EMENTA: Texto.') } });
    expect(documentos[0]).toMatchObject({ tipo: expected, ementa: 'Texto.' });
  });

  test.each(['Sentença', 'Despacho/Decisão da Vice-Presidência', 'Voto'])(
    'of the type %s is left out',
    async (tipo) => {
      expect((await eproc({ tipo })).leftOut).toEqual([`type ${tipo}`]);
    },
  );

  test.each(['/TRF4', '/SC', ''])(
    'of the origin %j is left out, as of no court of the base',
    async (origin) => {
      expect((await eproc({ processo: `1-1${origin}` })).leftOut).toEqual([
        expect.stringContaining('not a court of the base'),
      ]);
    },
  );

  test('shown only in part is marked truncada', async () => {
    const cut = `<div class="resValue limitado" data-limite="5000"> Começo do texto <a href="#">Ler mais...</a></div>`;
    const { documentos } = await eproc({ labels: { EMENTA: cut, DECISÃO: value('Provido.') } });
    expect(documentos[0]).toMatchObject({
      ementa: 'Começo do texto',
      ementa_status: 'truncada',
      dispositivo: 'Provido.',
    });
    const monocratica = await eproc({ tipo: 'Decisão monocrática', labels: { DECISÃO: cut } });
    expect(monocratica.documentos[0]!.inteiro_teor.caracteres).toBeNull();
  });

  test('without an ementa is found by its decisão, which is not served', async () => {
    const { decisoes, documentos } = await eproc({ labels: { DECISÃO: value('Inteiro teor da decisão.') } });
    expect(documentos[0]).toMatchObject({ ementa: null, dispositivo: null });
    expect(decisoes[0]!.indexed.ementa).toBe('Inteiro teor da decisão.');
  });

  test('has its redator, and other fields in extras, without CPF or texts of decisions', async () => {
    const { documentos } = await eproc({
      labels: {
        RELATOR: value('A'),
        'RELATOR PARA ACÓRDÃO': value('B'),
        EMENTA: value('Texto.'),
        VOTO: value('Voto inteiro.'),
        OBSERVAÇÃO: value('CPF 123.456.789-09'),
      },
    });
    expect(documentos[0]).toMatchObject({ relator: 'A', redator: 'B' });
    expect(documentos[0]!.extras).toEqual({
      id_jurisprudencia: '1',
      uf: null,
      OBSERVAÇÃO: 'CPF [CPF omitido]',
    });
  });

  test('has its citacao without the page’s white space', async () => {
    const citacao =
      'EMENTA:   X.   ( TNU, PUIL 1-1 ,   TURMA &nbsp; NACIONAL\n  , Relatora   ANA (em auxílio )  ; D.E. 01/07/2026   )  ';
    const labels = { UF: `${value('MG')}<a data-citacao="${citacao}">x</a>` };
    const { documentos } = await eproc({ labels });
    expect(documentos[0]!.citacao).toBe(
      '(TNU, PUIL 1-1, TURMA NACIONAL, Relatora ANA (em auxílio); D.E. 01/07/2026)',
    );
  });

  test('without an id is rejected', async () => {
    expect((await eproc({ id: 'x' })).rejects).toEqual([
      expect.stringMatching(/^result 1: id_jurisprudencia: missing/),
    ]);
  });
});

describe('a page of eproc', () => {
  test('may be the fragment that the search sends for further pages', async () => {
    const two = card({}) + card({ id: '2' });
    expect((await read(eprocHtml, 'eproc', `<div>${two}</div>`)).documentos).toHaveLength(2);
    const cut = read(eprocHtml, 'eproc', `<div>${two.slice(0, -20)}`);
    await expect(cut).rejects.toThrow('cut: the page ends too early');
  });

  test('may be several in one file', async () => {
    const two = page(card({})) + page(card({ id: '2' }));
    expect((await read(eprocHtml, 'eproc', two)).documentos).toHaveLength(2);
  });
});
